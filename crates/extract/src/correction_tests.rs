//! Corrections: what they say, and the lines that they fit.

use super::*;

#[track_caller]
fn stated(message: &str) -> String {
    correction_asked(message).map_or_else(|| "-".to_owned(), |it| it.stated)
}

#[test]
fn correction_is_separated_from_words_that_ask_for_it() {
    for (message, expected) in [
        ("No, it is Thursday.", "it is Thursday."),
        ("that's wrong, it is Connewitz", "it is Connewitz"),
        ("That's wrong. I live in Plagwitz.", "I live in Plagwitz."),
        ("Correct that: I live in Plagwitz.", "I live in Plagwitz."),
        ("No, that's wrong, we live in Graz.", "we live in Graz."),
        ("Correct it to Thursday", "to Thursday"),
        ("Nein, wir wohnen in Graz.", "wir wohnen in Graz."),
        ("Das stimmt nicht, es ist Donnerstag.", "es ist Donnerstag."),
        ("No, vivimos en Graz.", "vivimos en Graz."),
        (
            "Non, nous habitons \u{e0} Graz.",
            "nous habitons \u{e0} Graz.",
        ),
        ("That's wrong.", ""),
        ("No.", ""),
        ("No, what is the time?", "-"),
        ("I live in Graz.", "-"),
        ("No milk in my coffee.", "-"),
    ] {
        assert_eq!(stated(message), expected, "{message}");
    }
}

#[track_caller]
fn check(message: &str, line: &str, expected: Option<&str>) {
    let applied = correction_asked(message).unwrap().applied(line, "");
    assert_eq!(applied.as_deref(), expected, "{message} | {line}");
}

#[test]
fn correction_is_applied_only_to_line_that_it_fits() {
    let plagwitz = Some("I live in Plagwitz");
    for message in [
        "No, I live in Plagwitz.",
        "that's wrong, it is Plagwitz",
        "Correct that: I live in Plagwitz.",
    ] {
        check(message, "I live in Connewitz.", plagwitz);
        check(message, "I live with two cats", None);
    }
    let thursday = "No, it is Thursday.";
    check(
        thursday,
        "The bin day is Friday.",
        Some("The bin day is Thursday"),
    );
    check(
        thursday,
        "The dentist is on Tuesday at 3",
        Some("The dentist is on Thursday at 3"),
    );
    check(
        "No, it is on Thursday at 4.",
        "The dentist is on Tuesday at 3",
        Some("The dentist is on Thursday at 4"),
    );
    // Two places, and none.
    check("No, it is York.", "My sister Ann lives in Leeds", None);
    check(thursday, "My sister lives in Leeds", None);
    check(thursday, "From Friday in Leeds to Monday", None);
    check(thursday, "The bin day is Thursday", None);
    check("No, she is tired.", "My sister lives in Leeds", None);
    check(
        "Nein, es ist Donnerstag.",
        "Die Tonne kommt am Freitag",
        Some("Die Tonne kommt am Donnerstag"),
    );
    check(
        "Nein, wir wohnen in Graz.",
        "Wir wohnen in Salzburg.",
        Some("Wir wohnen in Graz"),
    );
}

#[test]
fn value_that_question_names_is_not_corrected() {
    let asked = correction_asked("No, it is York.").unwrap();
    let line = "My sister Ann lives in Leeds.";
    let york = Some("My sister Ann lives in York");
    assert_eq!(asked.applied(line, "Where does Ann live?").as_deref(), york);
    assert_eq!(
        asked.applied(line, "Who lives in Leeds?").as_deref(),
        Some("My sister York lives in Leeds")
    );
    assert_eq!(asked.applied(line, ""), None);
    assert_eq!(asked.suggested(line).as_deref(), york);
}

#[test]
fn value_is_replaced_in_its_place_and_never_inside_another_word() {
    let asked = correction_asked("No, it is in June.").unwrap();
    let line = "My trip in May is with Maya";
    let applied = asked.applied(line, "When is my trip with Maya?");
    assert_eq!(applied.as_deref(), Some("My trip in June is with Maya"));
}

#[test]
fn message_of_denials_alone_ends_as_no_correction_of_a_line() {
    let message = "no, ".repeat(20_000);
    let asked = correction_asked(&message);
    let applied = asked.and_then(|it| it.applied("I live in Graz", ""));
    assert_eq!(applied, None);
}
