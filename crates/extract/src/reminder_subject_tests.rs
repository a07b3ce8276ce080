//! Requests to be reminded of something with a subject, in seven languages.

use crate::reminders_asked;

#[test]
fn subject_and_text_are_found_in_either_order_in_seven_languages() {
    for (message, subject, text) in [
        (
            "Next time we talk about the boat, remind me to order the anodes",
            "the boat",
            "order the anodes",
        ),
        (
            "Remind me to order the anodes next time we talk about the boat.",
            "the boat",
            "order the anodes",
        ),
        (
            "When the boat comes up, please remind me that the race is on Friday",
            "the boat",
            "the race is on Friday",
        ),
        (
            "Wenn wir das n\u{e4}chste Mal \u{fc}ber den Garten reden, erinnere mich an die Tulpen",
            "den Garten",
            "die Tulpen",
        ),
        (
            "Erinnere mich, wenn wir das n\u{e4}chste Mal \u{fc}ber den Garten reden, an die Tulpen",
            "den Garten",
            "die Tulpen",
        ),
        (
            "Erinnere mich an die Tulpen, wenn es um den Garten geht",
            "den Garten",
            "die Tulpen",
        ),
        (
            "La prochaine fois qu'on parle du v\u{e9}lo, rappelle-moi de v\u{e9}rifier les freins",
            "v\u{e9}lo",
            "v\u{e9}rifier les freins",
        ),
        (
            "La pr\u{f3}xima vez que hablemos del coche, recu\u{e9}rdame cambiar el aceite",
            "coche",
            "cambiar el aceite",
        ),
        (
            "Da pr\u{f3}xima vez que falarmos do carro, lembra-me de trocar o \u{f3}leo",
            "carro",
            "trocar o \u{f3}leo",
        ),
        (
            "La prossima volta che parliamo della barca, ricordami di ordinare la vernice",
            "barca",
            "ordinare la vernice",
        ),
        (
            "De volgende keer dat we het over de tuin hebben, herinner me aan de bollen",
            "de tuin",
            "de bollen",
        ),
    ] {
        let asked = reminders_asked(message).unwrap_or_else(|| panic!("{message}"));
        let [own] = asked.reminders.as_slice() else {
            panic!("{message}: {asked:?}");
        };
        let read = base::dates::time_named(&own.rest);
        assert_eq!(own.subject.as_deref(), Some(subject), "{message}");
        assert_eq!(own.text(&read), text, "{message}");
    }
}

#[test]
fn request_with_a_time_or_an_unmarked_subject_has_none() {
    for message in [
        "Remind me tomorrow at 9 to ask Ann when we talk about the budget",
        "Remind me to call Ann",
    ] {
        let asked = reminders_asked(message).unwrap();
        assert_eq!(asked.reminders[0].subject, None, "{message}");
    }
    for message in [
        "Next time we talk about the boat I will bring the plans",
        "When the boat comes up, Ann reminds me of Greece",
    ] {
        assert!(reminders_asked(message).is_none(), "{message}");
    }
}
