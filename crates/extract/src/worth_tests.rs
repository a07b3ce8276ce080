//! The effect of length and news, in addition to the head.

use super::*;
use crate::engine::Extract;
use crate::language::language_of;

fn worth(text: &str) -> (f32, f32) {
    let language = language_of(text);
    let likely = Extract::new(base::Tz::UTC, None).judge(&[text], language);
    let likely = likely.first().unwrap();
    (noted(likely, text), lasting(likely, text, language))
}

#[test]
fn longer_sentence_with_more_facts_has_higher_worth() {
    let (short, long) = (
        worth("My sister is tall."),
        worth("My sister is tall, and she and her two daughters live in Bergen, by the sea."),
    );
    assert!(short.0 < long.0 && short.1 < long.1, "{short:?} {long:?}");
}

#[test]
fn short_facts_are_worth_a_note() {
    // Without vectors the head is less sure of itself.
    for text in [
        "I live in Graz.",
        "I'm vegan.",
        "Mein Hund hei\u{df}t Rex.",
        "Vivo en Madrid.",
    ] {
        assert!(worth(text).0 >= 0.4, "{text}: {:?}", worth(text));
    }
}

#[test]
fn worth_of_any_text_is_between_zero_and_one() {
    for text in ["", "?", "word", &"word ".repeat(100_000)] {
        let (noted, lasting) = worth(text);
        assert!(
            (0.0..=1.0).contains(&noted) && (0.0..=1.0).contains(&lasting),
            "{text}"
        );
    }
}
