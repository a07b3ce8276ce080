//! Messages with several requests in several languages, and messages whose second half belongs to the reminder.

use super::*;

/// The texts of the reminders, and what is to be remembered.
fn asked(message: &str) -> (Vec<String>, String) {
    let asked = reminders_asked(message).unwrap_or_else(|| panic!("{message}"));
    let now = "2026-11-30T08:00:00".parse().unwrap();
    let text = |own: &AskedReminder| {
        let read = base::dates::time_ahead(&own.rest, now);
        let when = read.when.clone().unwrap().unwrap();
        format!("{}: {}", when.written(), own.text(&read))
    };
    let texts = asked.reminders.iter().map(text).collect();
    (texts, asked.to_remember.trim_end().to_owned())
}

#[test]
fn both_parts_of_a_message_are_found_in_seven_languages() {
    for (message, reminder, to_remember) in [
        (
            "Remind me on Friday at 9 to call dad and remember that I take 5 mg of bisoprolol",
            "2026-12-04 09:00: call dad",
            "remember that I take 5 mg of bisoprolol",
        ),
        (
            "Remember that I take 5 mg of bisoprolol, and please remind me on Friday at 9 to call dad.",
            "2026-12-04 09:00: call dad",
            "Remember that I take 5 mg of bisoprolol,",
        ),
        (
            "Remind me tomorrow at 10 to water the plants. Please note that Ana is allergic to nuts.",
            "2026-12-01 10:00: water the plants",
            "Please note that Ana is allergic to nuts.",
        ),
        (
            "Erinnere mich am Freitag um 9 an den Anruf und merk dir, dass ich 5 mg Bisoprolol nehme",
            "2026-12-04 09:00: den Anruf",
            "merk dir, dass ich 5 mg Bisoprolol nehme",
        ),
        (
            "Rappelle-moi vendredi \u{e0} 9h d'appeler papa et retiens que je prends 5 mg de bisoprolol",
            "2026-12-04 09:00: appeler papa",
            "retiens que je prends 5 mg de bisoprolol",
        ),
        (
            "Recu\u{e9}rdame el viernes a las 9 llamar a pap\u{e1} y anota que tomo 5 mg de bisoprolol",
            "2026-12-04 09:00: llamar a pap\u{e1}",
            "anota que tomo 5 mg de bisoprolol",
        ),
        (
            "Ricordami venerd\u{ec} alle 9 di chiamare pap\u{e0} e ricordati che prendo 5 mg di bisoprololo",
            "2026-12-04 09:00: chiamare pap\u{e0}",
            "ricordati che prendo 5 mg di bisoprololo",
        ),
        (
            "Lembra-me sexta \u{e0}s 9h de ligar ao pai e anota que tomo 5 mg de bisoprolol",
            "2026-12-04 09:00: ligar ao pai",
            "anota que tomo 5 mg de bisoprolol",
        ),
        (
            "Herinner me vrijdag om 9 uur eraan papa te bellen en onthoud dat ik 5 mg bisoprolol neem",
            "2026-12-04 09:00: papa te bellen",
            "onthoud dat ik 5 mg bisoprolol neem",
        ),
    ] {
        let found = asked(message);
        assert_eq!(
            found,
            (vec![reminder.to_owned()], to_remember.to_owned()),
            "{message}"
        );
    }
}

#[test]
fn several_reminders_of_a_message_are_found() {
    let (texts, to_remember) =
        asked("Remind me on Friday at 9 to call dad and remind me on Saturday at 10 to buy bread");
    assert_eq!(
        texts,
        ["2026-12-04 09:00: call dad", "2026-12-05 10:00: buy bread"]
    );
    assert_eq!(to_remember, "");
}

#[test]
fn second_half_that_is_no_request_stays_in_the_reminder() {
    for (message, text) in [
        (
            "Remind me tomorrow at 9 to call dad and note my weight",
            "call dad and note my weight",
        ),
        (
            "Remind me tomorrow at 9 to call dad and remember to ask about the key",
            "call dad and remember to ask about the key",
        ),
        (
            "Remind me tomorrow at 9 to call dad. His number is 555 1234.",
            "call dad. His number is 555 1234",
        ),
    ] {
        let (texts, to_remember) = asked(message);
        assert_eq!(texts, [format!("2026-12-01 09:00: {text}")], "{message}");
        assert_eq!(to_remember, "");
    }
    for message in [
        "Ana will call and remind me tomorrow at 9 to pay",
        "I like tea. Remind me tomorrow at 9 to buy some",
        "Remember that I take 5 mg of bisoprolol",
    ] {
        assert!(reminders_asked(message).is_none(), "{message}");
    }
}

#[test]
fn line_break_divides_a_message_like_the_end_of_a_sentence() {
    for message in [
        "Remind me tomorrow at 9 to call dad\nRemember that I take 5 mg",
        "Remind me tomorrow at 9 to call dad \r\n\r\n  Remember that I take 5 mg",
    ] {
        let (texts, to_remember) = asked(message);
        assert_eq!(texts, ["2026-12-01 09:00: call dad"], "{message:?}");
        assert_eq!(to_remember, "Remember that I take 5 mg");
    }
}

#[test]
fn message_above_the_limit_is_not_divided() {
    let of_length = |n: usize| {
        let start = "Remind me tomorrow at 9 to call dad. Remember that I take 5 mg";
        let rest = " and more".repeat(n);
        format!("{start}{rest}")
    };
    assert!(reminders_asked(&of_length(100)).is_some());
    let long = of_length(200);
    assert!(long.len() > MESSAGE_BYTES_MAX);
    assert!(reminders_asked(&long).is_none());
}

#[test]
fn request_to_remember_is_recognised_by_its_first_words() {
    let long = "Please, remember - that I take 5 mg ".repeat(1_000);
    assert_eq!(first_words(&long, 3), "Please, remember - that");
    assert_eq!(first_words("don't forget", 3), "don't forget");
    for language in languages().iter().filter(|it| it.spaced) {
        let is_english = language.tells_to_remember("remember that");
        assert_eq!(language.tells_to_remember(&long), is_english);
    }
}
