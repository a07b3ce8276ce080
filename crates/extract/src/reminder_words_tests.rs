//! The notices of each language: every sentence names what it is about, and each language reads its own.

use base::dates::time_ahead;

use super::*;
use crate::language::languages;

#[test]
fn notices_of_each_language_name_time_text_and_command() {
    for language in languages() {
        let words = language
            .reminder_words()
            .unwrap_or_else(|| panic!("{}", language.code));
        let due = DueAt {
            day: "2026-12-07".parse().unwrap(),
            time: Some("19:00".to_owned()),
            every: Some(Every::Week([0].into())),
        };
        let when = words.time(&due);
        let monday = words.weekday(0);
        assert!(
            when.starts_with(&format!("{monday}, 2026-12-07 19:00, ")),
            "{when}"
        );
        assert_eq!(when.matches(monday).count(), 2, "{when}");
        for notice in [
            words.made((&when, "{text}"), "undo it"),
            words.made_about((&words.about("boat"), "{text} boat"), "undo it"),
            words.dropped("{text}", "undo it"),
            words.done("{text}", "undo it"),
        ] {
            assert!(
                notice.contains("{text}") && notice.contains("`undo it`"),
                "{notice}"
            );
        }
        assert!(words.about("boat").contains("boat"));
        assert!(words.known((&when, "tea"), "3f2a").contains("^3f2a"));
        let commands = ["`one`".to_owned(), "`two`".to_owned()];
        let why = Unclear::Unread("ogni".to_owned());
        let notice = words.not_made(Unmade::Unsure(&why), &commands);
        assert!(notice.contains("ogni") && notice.contains("`one`") && notice.contains("`two`"));
    }
}

#[test]
fn notice_about_a_message_is_in_its_language() {
    let now = "2026-11-30T08:00:00".parse().unwrap();
    let read = time_ahead("every other Monday at 9", now)
        .when
        .unwrap()
        .unwrap();
    let due = DueAt {
        day: read.day,
        time: Some("09:00".to_owned()),
        every: read.every,
    };
    for (message, when) in [
        (
            "Remind me every other Monday at 9 to call Ann",
            "Monday, 2026-11-30 09:00, every other Monday at 09:00",
        ),
        (
            "Erinnere mich jeden zweiten Montag um 9 an den Anruf",
            "Montag, 2026-11-30 09:00, jeden zweiten Montag um 09:00",
        ),
        (
            "Rappelle-moi un lundi sur deux \u{e0} 9h d'appeler Ana",
            "lundi, 2026-11-30 09:00, toutes les deux semaines : lundi \u{e0} 09:00",
        ),
        (
            "Herinner me om de week op maandag om 9:00 aan Anna",
            "maandag, 2026-11-30 09:00, om de week op maandag om 09:00",
        ),
    ] {
        assert_eq!(
            reminder_words(message).unwrap().time(&due),
            when,
            "{message}"
        );
    }
}

#[test]
fn repetitions_of_months_and_years_are_written_in_each_language() {
    let every = |code: &str, every: &Every| {
        let language = languages().iter().find(|it| it.code == code).unwrap();
        language.reminder_words().unwrap().every(every)
    };
    for (code, month, year) in [
        ("en", "every month on the 1st", "every year on 24 December"),
        ("de", "jeden Monat am 1.", "jedes Jahr am 24.12."),
        ("it", "ogni mese il giorno 1", "ogni anno il 24/12"),
        (
            "zh",
            "\u{6bcf}\u{6708}1\u{65e5}",
            "\u{6bcf}\u{5e74}12\u{6708}24\u{65e5}",
        ),
    ] {
        assert_eq!(every(code, &Every::Month(1)), month);
        assert_eq!(every(code, &Every::Year(12, 24)), year);
    }
}
