//! The language of a text, and its negations.

use super::*;

#[test]
fn knows_language_requires_more_than_one_small_word() {
    for (text, is_known) in [
        ("Nie podawaj adresu do nikogo", false),
        ("My sister lives in Bergen", true),
        ("Please always answer me in short sentences", true),
        ("Meine Schwester wohnt in Bergen", true),
        ("妹はベルゲンに住んでいます", true),
    ] {
        assert_eq!(knows_language(text), is_known, "{text}");
    }
}

#[test]
fn denial_is_read_in_the_language_of_the_whole_text() {
    let yoga = "Mein Yoga ist jetzt donnerstags um 19 Uhr. Also donnerstagabends bitte nichts";
    for (part, whole, expected) in [
        ("Also donnerstagabends bitte nichts", yoga, true),
        ("Mein Yoga ist jetzt donnerstags um 19 Uhr", yoga, false),
        (
            "Se la compro ahora a mi hermana",
            "Se la compro ahora a mi hermana, que entrega los lunes",
            false,
        ),
        ("Nincs kutyám", "Nincs kutyám, csak egy macskám", true),
    ] {
        assert_eq!(denies(part, whole), expected, "{part}");
    }
}
