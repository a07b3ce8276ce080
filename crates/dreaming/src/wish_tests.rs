//! Wishes for every answer in pairs, and what is none.
//!
//! Lines alone; what becomes of them in memory is told elsewhere.

use super::*;

#[track_caller]
fn check(new: &str, old: &str, expected: Option<WishTurn>) {
    let pair = (wish(new), wish(old));
    let found = pair.0.as_ref().zip(pair.1.as_ref());
    assert!(found.is_some(), "{new:?} after {old:?}: {pair:?}");
    let found = found.and_then(|(new, old)| new.turn(old));
    assert_eq!(found, expected, "{new:?} after {old:?}: {pair:?}");
}

#[test]
fn a_newer_wish_about_the_same_matter_replaces_the_older() {
    for (new, old) in [
        ("Please answer in English", "Please always answer in German"),
        ("Stop answering in German", "Please always answer in German"),
        (
            "Please don't answer in German any more",
            "Always reply in German",
        ),
        ("Please answer in German again", "Don't reply in German"),
        (
            "Answer in German, not in English",
            "Please answer in English",
        ),
        (
            "Bitte antworte auf Englisch",
            "Please always answer in German",
        ),
        (
            "Antworte bitte nicht mehr auf Deutsch",
            "Bitte antworte immer auf Deutsch",
        ),
        (
            "I prefer long, detailed answers from now on",
            "Please keep your answers short",
        ),
        (
            "Antworte mir bitte ausf\u{fc}hrlich",
            "Antworte mir bitte kurz",
        ),
        ("Use imperial units", "Always use the metric system"),
        ("Use Fahrenheit", "Please use Celsius"),
        ("You can use emojis again", "Never use emoji"),
        ("Please call me Samantha", "Call me Sam"),
        ("Don't call me Sam any more", "Call me Sam"),
        ("Nenn mich bitte Samantha", "Please call me Sam"),
        ("Bitte sieze mich", "Bitte duze mich"),
        (
            "Please don't answer in German but in English",
            "Please answer in French",
        ),
        (
            "Don't answer in German, answer in English.",
            "Please answer in German",
        ),
        (
            "Antworte nicht auf Deutsch, sondern auf Englisch",
            "Bitte antworte auf Deutsch",
        ),
        ("Ab jetzt bitte auf Deutsch.", "Please answer in English"),
        (
            "On second thought, answer in French.",
            "Please answer in English",
        ),
        ("Write short answers.", "I want long answers"),
        (
            "I want you to speak French with me",
            "Please answer in English",
        ),
        (
            "Ich m\u{f6}chte kurze Antworten",
            "Antworte ausf\u{fc}hrlich",
        ),
    ] {
        check(new, old, Some(WishTurn::Replaces));
    }
}

#[test]
fn one_wish_in_two_languages_is_the_same_and_two_matters_stand_beside_one_another() {
    for (new, old, expected) in [
        (
            "Bitte antworte auf Deutsch",
            "Please always answer in German",
            Some(WishTurn::Same),
        ),
        (
            "Be brief",
            "Keep your answers short, please",
            Some(WishTurn::Same),
        ),
        (
            "Keep your answers short",
            "Please always answer in German",
            None,
        ),
        ("Use Celsius", "Use metric units", None),
        ("Don't answer in French", "Please answer in German", None),
        ("Please answer in English", "Don't answer in German", None),
        (
            "Please don't answer in German but in English",
            "Please answer in English",
            Some(WishTurn::Same),
        ),
        (
            "Don't answer in German and French",
            "Please answer in English",
            None,
        ),
    ] {
        check(new, old, expected);
    }
}

#[test]
fn a_line_that_says_anything_besides_is_no_wish_for_every_answer() {
    for text in [
        "Answer in German when I write in German",
        "Please reply to Anna in German",
        "Write my letters to the bank in English",
        "I speak German",
        "My native language is German",
        "Keep the second draft short",
        "Please call me tomorrow",
        "Call me tomorrow after the lunch with Anna",
        "Answer in short German sentences",
        "I want to learn German",
        "I have long hair",
        "I like speaking French.",
        "I prefer speaking German.",
        "I'd like to speak French",
        "I can speak German with you",
        "I always write my answers in German",
        "I want to keep my answers short",
        "Ich m\u{f6}chte auf Deutsch antworten",
        "Don't always answer in German",
        "Don't answer only in German",
        "Stop answering in German and answer in English",
        "Please don't write to Anna in German",
        "I want you to be shorter next time",
        "Schreib mir kurz.",
        "Schreib mir bitte kurz",
        "From now on my questions in German",
    ] {
        assert_eq!(wish(text), None, "{text}");
    }
}

#[test]
fn the_units_in_which_somebody_thinks_are_those_that_they_want() {
    for (new, old) in [
        ("Use miles from now on", "I think in kilometres"),
        ("I think in Celsius", "Please use Fahrenheit"),
        ("We think in metric units", "Use imperial units"),
    ] {
        check(new, old, Some(WishTurn::Replaces));
    }
    for text in [
        "I think in German",
        "I think in kilometres when I run",
        "I think in short sentences",
        "My sister thinks in miles",
    ] {
        assert_eq!(wish(text), None, "{text}");
    }
}
