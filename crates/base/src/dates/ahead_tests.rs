//! Days ahead without a date, said on Monday, 30 November 2026.

use super::*;
use crate::dates::with_planned_dates;

#[track_caller]
fn check(language: &str, text: &str, expected: &[&str]) {
    let days = days_ahead(text, "2026-11-30".parse().unwrap(), Some(language));
    let days: Vec<String> = days.iter().map(ToString::to_string).collect();
    assert_eq!(days, expected, "{text}");
}

#[test]
fn weekday_means_next_such_day_in_every_language() {
    for (language, text, day) in [
        ("en", "On Friday I meet Paula for lunch.", "2026-12-04"),
        ("en", "Dinner with Sam on Saturday evening.", "2026-12-05"),
        ("en", "I booked the dentist for Thursday.", "2026-12-03"),
        ("en", "On Monday the piano is tuned.", "2026-12-07"),
        ("de", "Am Freitag treffe ich Paula.", "2026-12-04"),
        ("de", "Samstagabend kommt Sam zum Essen.", "2026-12-05"),
        (
            "de",
            "Der Termin wurde auf Freitag verschoben.",
            "2026-12-04",
        ),
        ("fr", "Je vois Paula vendredi.", "2026-12-04"),
        ("es", "El viernes quedo con Paula.", "2026-12-04"),
        ("pt", "Na sexta encontro a Paula.", "2026-12-04"),
        ("it", "Venerd\u{ec} vedo Paula.", "2026-12-04"),
        ("nl", "Op vrijdag zie ik Paula.", "2026-12-04"),
        (
            "ru",
            "\u{412} \u{43f}\u{44f}\u{442}\u{43d}\u{438}\u{446}\u{443} \u{432}\u{441}\u{442}\u{440}\u{435}\u{447}\u{430} \u{441} \u{41f}\u{430}\u{443}\u{43b}\u{43e}\u{439}.",
            "2026-12-04",
        ),
        (
            "ja",
            "\u{91d1}\u{66dc}\u{65e5}\u{306b}\u{30dd}\u{30fc}\u{30e9}\u{3068}\u{4f1a}\u{3044}\u{307e}\u{3059}\u{3002}",
            "2026-12-04",
        ),
        (
            "zh",
            "\u{5468}\u{4e94}\u{6211}\u{548c}\u{4fdd}\u{62c9}\u{5403}\u{996d}\u{3002}",
            "2026-12-04",
        ),
    ] {
        check(language, text, &[day]);
    }
}

#[test]
fn day_of_month_date_in_digits_and_distance_are_read_in_every_language() {
    for (language, text, day) in [
        ("en", "Vet on the 18th at 16:00.", "2026-12-18"),
        ("en", "The tax form is due on 15.12.", "2026-12-15"),
        ("en", "In two weeks we get the new fridge.", "2026-12-14"),
        ("de", "Tierarzt am 18. um 16 Uhr.", "2026-12-18"),
        ("de", "Die Steuer ist am 15.12. f\u{e4}llig.", "2026-12-15"),
        (
            "de",
            "In zwei Wochen kommt der K\u{fc}hlschrank.",
            "2026-12-14",
        ),
        (
            "fr",
            "V\u{e9}t\u{e9}rinaire le 18 \u{e0} 16 h.",
            "2026-12-18",
        ),
        (
            "fr",
            "Dans deux semaines nous recevons le frigo.",
            "2026-12-14",
        ),
        ("es", "Veterinario el 18 a las 16:00.", "2026-12-18"),
        ("es", "En dos semanas llega la nevera.", "2026-12-14"),
        (
            "pt",
            "Veterin\u{e1}rio no dia 18 \u{e0}s 16h.",
            "2026-12-18",
        ),
        ("pt", "Em duas semanas chega a geladeira.", "2026-12-14"),
        ("it", "Veterinario il 18 alle 16.", "2026-12-18"),
        ("it", "Tra due settimane arriva il frigo.", "2026-12-14"),
        ("nl", "Dierenarts op de 18e om 16 uur.", "2026-12-18"),
        ("nl", "Over twee weken komt de koelkast.", "2026-12-14"),
        (
            "ja",
            "18\u{65e5}\u{306e}16\u{6642}\u{306b}\u{7363}\u{533b}\u{3055}\u{3093}\u{3002}",
            "2026-12-18",
        ),
        (
            "ja",
            "2\u{9031}\u{9593}\u{5f8c}\u{306b}\u{51b7}\u{8535}\u{5eab}\u{304c}\u{5c4a}\u{304f}\u{3002}",
            "2026-12-14",
        ),
        (
            "zh",
            "18\u{53f7}\u{4e0b}\u{5348}\u{770b}\u{517d}\u{533b}\u{3002}",
            "2026-12-18",
        ),
        (
            "zh",
            "\u{4e24}\u{5468}\u{540e}\u{51b0}\u{7bb1}\u{5230}\u{8d27}\u{3002}",
            "2026-12-14",
        ),
    ] {
        check(language, text, &[day]);
    }
}

#[test]
fn past_habits_ranges_and_other_numbers_are_not_days_ahead() {
    for (language, text) in [
        ("en", "Josh and I split up on Wednesday."),
        ("en", "We moved in on Sunday."),
        ("en", "I train on Tuesday, Thursday and Sunday."),
        ("en", "Every Friday I swim."),
        ("en", "I work Monday to Friday."),
        ("en", "I am 18."),
        ("en", "I use Python 3.10. It is fine."),
        ("en", "I take the 18 to work."),
        ("de", "Mats hat am Montag mit Schwimmen angefangen."),
        ("de", "Am Freitag war ich in Graz."),
        ("de", "Jeden Freitag schwimme ich."),
        ("es", "El viernes compr\u{e9} una nevera."),
        ("fr", "Vendredi j'ai achet\u{e9} un frigo."),
        ("it", "Venerd\u{ec} ho comprato un frigo."),
        ("nl", "Op vrijdag heb ik een koelkast gekocht."),
        (
            "ja",
            "\u{91d1}\u{66dc}\u{65e5}\u{306b}\u{884c}\u{304d}\u{307e}\u{3057}\u{305f}\u{3002}",
        ),
    ] {
        check(language, text, &[]);
    }
}

#[test]
fn date_after_weekday_decides_the_day() {
    check(
        "en",
        "The teacher on Thursday 12 November 15:00",
        &["2026-11-12"],
    );
}

#[test]
fn plan_gets_date_next_to_its_weekday() {
    let dated = |text: &str| with_planned_dates(text, "2026-11-30".parse().unwrap(), Some("en"));
    assert_eq!(
        dated("On Friday I meet Paula."),
        "On Friday (2026-12-04) I meet Paula."
    );
    for text in ["We moved in on Sunday.", "Every Friday I swim."] {
        assert_eq!(dated(text), text);
    }
}
