//! Times ahead in seven languages: those that are certain, and those that are not.

use super::*;

/// Monday, 30 November 2026, 08:00.
fn read(text: &str) -> (String, String) {
    let read = time_ahead(text, "2026-11-30T08:00:00".parse().unwrap());
    let when = match read.when {
        Ok(None) => "none".to_owned(),
        Ok(Some(When { day, time, every })) => {
            let time = time.map(|it| it.format(" %H:%M").to_string());
            let every = every.map(|it| format!(" {it}"));
            format!(
                "{day}{}{}",
                time.unwrap_or_default(),
                every.unwrap_or_default()
            )
        }
        Err(unclear) => format!("? {unclear}"),
    };
    (when, read.rest)
}

/// The request, the time that is read, and the words that are left.
const CERTAIN: &[(&str, &str, &str)] = &[
    (
        "on Friday at 9 call the plumber",
        "2026-12-04 09:00",
        "call the plumber",
    ),
    ("tomorrow at 9:30 call Ana", "2026-12-01 09:30", "call Ana"),
    ("call Ana tomorrow at 5pm", "2026-12-01 17:00", "call Ana"),
    (
        "tomorrow night at 8 call Ana",
        "2026-12-01 20:00",
        "call Ana",
    ),
    (
        "tonight at 8 take out the bins",
        "2026-11-30 20:00",
        "take out the bins",
    ),
    (
        "on the 18th at 16:00 go to the vet",
        "2026-12-18 16:00",
        "go to the vet",
    ),
    (
        "à midi et quart appeler Odile",
        "2026-11-30 12:15",
        "appeler Odile",
    ),
    ("mañana a las 8 en punto pagar", "2026-12-01 08:00", "pagar"),
    (
        "at 5 past 9 start the pump",
        "2026-11-30 09:05",
        "start the pump",
    ),
    (
        "quarta de manhã às 9 vistoria",
        "2026-12-02 09:00",
        "vistoria",
    ),
    ("alle 8 di domani partire", "2026-12-01 08:00", "partire"),
    (
        "in 20 minutes turn off the oven",
        "2026-11-30 08:20",
        "turn off the oven",
    ),
    ("in two weeks call Bea", "2026-12-14", "call Bea"),
    (
        "2026-12-24 18:00 feed the cat",
        "2026-12-24 18:00",
        "feed the cat",
    ),
    (
        "every Monday at 10 water the plants",
        "2026-11-30 10:00 every Monday",
        "water the plants",
    ),
    (
        "every month on the 1st pay the rent",
        "2026-12-01 every month on the 1st",
        "pay the rent",
    ),
    (
        "every Tuesday and Thursday at 19:00 train",
        "2026-12-01 19:00 every Tuesday and Thursday",
        "train",
    ),
    (
        "next week Friday at 10 call Jo",
        "2026-12-11 10:00",
        "call Jo",
    ),
    (
        "am Freitag um 9 den Klempner anrufen",
        "2026-12-04 09:00",
        "den Klempner anrufen",
    ),
    (
        "morgen um halb zehn Anna anrufen",
        "2026-12-01 09:30",
        "Anna anrufen",
    ),
    (
        "morgen um 18 Uhr einkaufen",
        "2026-12-01 18:00",
        "einkaufen",
    ),
    (
        "jeden Montag um 20 Uhr den Müll rausbringen",
        "2026-11-30 20:00 every Monday",
        "den Müll rausbringen",
    ),
    (
        "am 18.12. um 9 Uhr zum Arzt",
        "2026-12-18 09:00",
        "zum Arzt",
    ),
    (
        "vendredi à 9h appeler le plombier",
        "2026-12-04 09:00",
        "appeler le plombier",
    ),
    (
        "demain à 18h30 appeler Marie",
        "2026-12-01 18:30",
        "appeler Marie",
    ),
    (
        "tous les lundis à 9h arroser",
        "2026-11-30 09:00 every Monday",
        "arroser",
    ),
    (
        "el viernes a las 9 llamar al fontanero",
        "2026-12-04 09:00",
        "llamar al fontanero",
    ),
    (
        "mañana a las 9 y media llamar a Ana",
        "2026-12-01 09:30",
        "llamar a Ana",
    ),
    (
        "na sexta-feira às 9h ligar ao canalizador",
        "2026-12-04 09:00",
        "ligar ao canalizador",
    ),
    (
        "amanhã às 18 ligar ao João",
        "2026-12-01 18:00",
        "ligar ao João",
    ),
    (
        "venerdì alle 9 chiamare l'idraulico",
        "2026-12-04 09:00",
        "chiamare l'idraulico",
    ),
    (
        "domani alle 18:30 chiamare Anna",
        "2026-12-01 18:30",
        "chiamare Anna",
    ),
    (
        "vrijdag om 9 uur de loodgieter bellen",
        "2026-12-04 09:00",
        "de loodgieter bellen",
    ),
    (
        "elke maandag om 20:00 de vuilnis buiten zetten",
        "2026-11-30 20:00 every Monday",
        "de vuilnis buiten zetten",
    ),
    ("call the plumber", "none", "call the plumber"),
    ("at 7 call Ana", "2026-11-30 19:00", "call Ana"),
    ("at 3 call Ana", "2026-11-30 15:00", "call Ana"),
    ("at midnight call Ana", "2026-12-01 00:00", "call Ana"),
    (
        "on Fridays at 9 call Ana",
        "2026-12-04 09:00 every Friday",
        "call Ana",
    ),
    (
        "freitags um 9 Anna anrufen",
        "2026-12-04 09:00 every Friday",
        "Anna anrufen",
    ),
    (
        "los viernes a las 9 llamar a Ana",
        "2026-12-04 09:00 every Friday",
        "llamar a Ana",
    ),
    (
        "every weekday at 7:45 pack lunch",
        "2026-12-01 07:45 every Monday and Tuesday and Wednesday and Thursday and Friday",
        "pack lunch",
    ),
    (
        "du lundi au vendredi à 16h15 aller chercher Zoé",
        "2026-11-30 16:15 every Monday and Tuesday and Wednesday and Thursday and Friday",
        "aller chercher Zoé",
    ),
    (
        "alle zwei Wochen donnerstags um 17 Uhr Altpapier",
        "2026-12-03 17:00 every other Thursday",
        "Altpapier",
    ),
    (
        "un mardi sur deux à 18h30 poterie",
        "2026-12-01 18:30 every other Tuesday",
        "poterie",
    ),
    (
        "every morning at 6 stretch",
        "2026-12-01 06:00 every day",
        "stretch",
    ),
    (
        "no dia 8 de cada mês pagar o condomínio",
        "2026-12-08 every month on the 8th",
        "pagar o condomínio",
    ),
    (
        "in half an hour turn off the oven",
        "2026-11-30 08:30",
        "turn off the oven",
    ),
    ("in anderthalb Stunden Kuchen", "2026-11-30 09:30", "Kuchen"),
    (
        "morgen Nacht um 11 Anna anrufen",
        "2026-12-01 23:00",
        "Anna anrufen",
    ),
    (
        "domani alle nove e venti chiamare Anna",
        "2026-12-01 09:20",
        "chiamare Anna",
    ),
    (
        "tomorrow at ten past nine call Ana",
        "2026-12-01 09:10",
        "call Ana",
    ),
    (
        "morgen um fünf vor halb zehn Anna anrufen",
        "2026-12-01 09:25",
        "Anna anrufen",
    ),
    (
        "le 1er janvier à 9h appeler Marie",
        "2027-01-01 09:00",
        "appeler Marie",
    ),
    (
        "vendredi 18 décembre à 10h appeler Marie",
        "2026-12-18 10:00",
        "appeler Marie",
    ),
    (
        "domattina alle 7 chiamare Anna",
        "2026-12-01 07:00",
        "chiamare Anna",
    ),
    (
        "terça às 10h ligar ao João",
        "2026-12-01 10:00",
        "ligar ao João",
    ),
    (
        "two hours from now call Ana",
        "2026-11-30 10:00",
        "call Ana",
    ),
    (
        "lunedì alle 6:30 annaffiare",
        "2026-12-07 06:30",
        "annaffiare",
    ),
];

#[test]
fn certain_times_are_read_in_seven_languages() {
    let failed: Vec<String> = CERTAIN
        .iter()
        .filter(|(text, when, rest)| read(text) != ((*when).to_owned(), (*rest).to_owned()))
        .map(|(text, ..)| format!("{text}: {:?}", read(text)))
        .collect();
    assert_eq!(failed, Vec::<String>::new());
}

#[test]
fn ambiguous_times_are_unclear() {
    for text in [
        "tomorrow at 5 call Ana",
        "next Friday at 9 call Ana",
        "on Monday at 9 call Ana",
        "next week call Ana",
        "tomorrow evening call Ana",
        "on Friday or Saturday call Ana",
        "15/12 at 9 call Ana",
        "01/02/2027 at 9 call Ana",
        "3 days before Friday call Ana",
        "yesterday at 9 call Ana",
        "today call Ana",
        "every month call Ana",
        "nächsten Freitag um 9 Anna anrufen",
        "morgen um 5 Anna anrufen",
        "mañana por la tarde llamar a Ana",
        "vendredi soir appeler Marie",
        "2026-02-30 at 10:00 call Ana",
        "2026-13-01 at 10:00 call Ana",
        "on 31 April at 9 call Ana",
        "am 30.02. um 9 Anna anrufen",
        "32 December at 9 call Ana",
        "tomorrow at midnight call Ana",
        "morgen um Mitternacht Anna anrufen",
        "tomorrow at 24:00 call Ana",
        "morgen um 24 Uhr Anna anrufen",
        "around 3 on Friday call Ana",
        "tonight at 2 call Ana",
        "tomorrow after lunch call Ana",
        "in 1.5 hours bake",
        "in 1,5 hours bake",
        "in 1/2 hour bake",
        "in -5 minutes bake",
        "tomorrow at 12:60 bake",
        "before Friday call Ana",
        "this weekend at 9 call Ana",
        "il primo gennaio alle 10 chiamare Anna",
        "morgen um viertel neun Anna anrufen",
        "vendredi 19 décembre à 10h appeler Marie",
        "in early March at 9 call Ana",
        "stanotte alle 2 chiamare Anna",
        "today at 7 call Ana",
    ] {
        let (when, _) = read(text);
        assert!(when.starts_with('?'), "{text}: {when}");
    }
}

/// What the text may mean, seen from 30 November 2026, 08:00.
fn readings(text: &str) -> Vec<String> {
    let read = time_ahead(text, "2026-11-30T08:00:00".parse().unwrap());
    assert!(read.when.is_err(), "{text}: {:?}", read.when);
    read.readings
}

#[test]
fn uncertain_time_has_its_possible_readings() {
    for (text, expected) in [
        (
            "tomorrow at 5 call Ana",
            &["2026-12-01 05:00", "2026-12-01 17:00"][..],
        ),
        (
            "next Friday at 10 call Ana",
            &["2026-12-04 10:00", "2026-12-11 10:00"],
        ),
        (
            "tomorrow at midnight call Ana",
            &["2026-12-01 00:00", "2026-12-02 00:00"],
        ),
        ("tomorrow evening call Ana", &["2026-12-01 HH:MM"]),
        (
            "tomorrow at 9 or 10 call Ana",
            &["2026-12-01 09:00", "2026-12-01 10:00"],
        ),
        (
            "tomorrow at 9 or Friday at 10 call Ana",
            &["2026-12-01 09:00", "2026-12-04 10:00"],
        ),
        (
            "Friday at 5, tomorrow at 10 call Ana",
            &["2026-12-01 10:00", "2026-12-04 05:00", "2026-12-04 17:00"],
        ),
        ("Friday at 13pm call Ana", &["2026-12-04 13:00"]),
        ("on Tuesday week at 10 call Ana", &["2026-12-01 10:00"]),
        (
            "demain à 15 ou 16 heures appeler Ana",
            &["2026-12-01 16:00"],
        ),
        ("in 1.5 hours bake", &[]),
        ("at 25:00 call Ana", &[]),
        ("tomorrow at 24:00 call Ana", &["2026-12-01 HH:MM"]),
        (
            "every day at 5 feed the cat",
            &["every day at 05:00", "every day at 17:00"],
        ),
        (
            "every month at 9 pay the rent",
            &["every month on the Nth at 09:00"],
        ),
        (
            "at 9 or at 10 call Ana",
            &["2026-11-30 09:00", "2026-11-30 10:00"],
        ),
        ("today at 7 call Ana", &["2026-11-30 19:00"]),
        (
            "buy cake on Friday and the party starts at 7",
            &["2026-12-04 HH:MM"],
        ),
        ("2026-02-30 at 10:00 call Ana", &["YYYY-MM-DD 10:00"]),
    ] {
        assert_eq!(readings(text), expected, "{text}");
    }
}

#[test]
fn spelled_out_reading_is_certain_once_placeholders_are_filled() {
    for (text, expected) in [
        (
            "tomorrow at 5 call Ana",
            &["2026-12-01 05:00 call Ana", "2026-12-01 17:00 call Ana"][..],
        ),
        ("tomorrow at 9:30", &["2026-12-01 09:30 TEXT"]),
        ("every Monday at 10", &["every Monday at 10:00 TEXT"]),
        ("call Ana", &["YYYY-MM-DD HH:MM call Ana"]),
        ("in 1.5 hours bake", &["YYYY-MM-DD HH:MM bake"]),
        ("at 25:00 call Ana", &["YYYY-MM-DD HH:MM call Ana"]),
        ("tomorrow morning", &["2026-12-01 HH:MM TEXT"]),
        (
            "every 3 days water the plants",
            &["YYYY-MM-DD HH:MM: every 3 days water the plants"],
        ),
        (
            "every 31st pay the rent",
            &["every month on the 31st at HH:MM pay the rent"],
        ),
        (
            "a week from Monday call Bob",
            &["2026-12-07 HH:MM call Bob", "2026-12-14 HH:MM call Bob"],
        ),
        (
            "every month on the 0th pay the rent",
            &["every month on the Nth at HH:MM: on the 0th pay the rent"],
        ),
    ] {
        let now = "2026-11-30T08:00:00".parse().unwrap();
        let read = time_ahead(text, now);
        let own = read.spelled_out(&read.rest);
        assert_eq!(own, expected, "{text}");
        for own in own {
            let again = time_ahead(&filled(&own, "2027-01-01".parse().unwrap()), now);
            assert!(matches!(again.when, Ok(Some(_))), "{own}: {again:?}");
        }
    }
}

#[test]
fn times_that_clocks_skip_or_repeat_are_unclear() {
    let berlin = Tz::named("Europe/Berlin").unwrap();
    let read = |text: &str, now: &str| {
        let now: chrono::DateTime<chrono::Utc> = now.parse().unwrap();
        time_ahead_in(text, now.with_timezone(&berlin)).when
    };
    let skipped = read("am 29. März um 2:30 Anna anrufen", "2026-03-27T16:00:00Z");
    assert_eq!(skipped, Err(Unclear::Skipped));
    let twice = read(
        "am 25. Oktober um 2:30 Anna anrufen",
        "2026-10-20T16:00:00Z",
    );
    assert_eq!(twice, Err(Unclear::Twice));
    // Three hours later, the clock shows four hours more.
    let later = read("in 3 Stunden Anna anrufen", "2026-03-28T23:15:00Z");
    let later = later.unwrap().unwrap();
    assert_eq!(later.day.to_string(), "2026-03-29");
    assert_eq!(later.time.unwrap().to_string(), "04:15:00");
}

#[test]
fn repetition_prints_as_it_was_parsed() {
    for text in [
        "every day",
        "every Monday",
        "every Monday and Friday",
        "every month on the 31st",
        "every year on 29 February",
        "every other Thursday",
    ] {
        let every: Every = text.parse().unwrap();
        assert_eq!(every.to_string(), text);
        let mut day: Day = "2026-11-30".parse().unwrap();
        for _ in 0..200 {
            let next = every.next_after(day).unwrap();
            assert!(next > day, "{text} {day}");
            day = next;
        }
    }
    assert!("every Monday call Ana".parse::<Every>().is_err());
}

#[test]
fn colons_far_behind_the_beginning_of_a_text_follow_no_time() {
    let long = "a: ".repeat(10_000);
    assert!(colons(&long).count() <= BEFORE_COLON_BYTES_MAX);
    let time = "on the last Friday of every month at half past nine in the morning";
    assert_eq!(colons(&format!("{time}: pay")).count(), 1);
}
