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

#[test]
fn request_not_to_forget_is_no_denial_of_what_follows() {
    for (text, expected) in [
        (
            "Don't forget that we feed the neighbours' tortoise in August.",
            false,
        ),
        ("Don't forget that we never feed the tortoise.", true),
        ("Vergiss nicht, dass der Chor am Freitag probt.", false),
        ("N'oublie pas que je joue au tennis le jeudi.", false),
        ("No olvides que los mi\u{e9}rcoles salgo a las tres.", false),
        ("We don't feed the tortoise.", true),
    ] {
        assert_eq!(denies(text, text), expected, "{text}");
    }
}

#[test]
fn request_to_forget_beside_questions_tells_nothing() {
    let lunch = "Please forget the address of the workshop, Rua da Rosa 12. And what is for lunch?";
    for (message, tells_nothing) in [
        (lunch, true),
        ("Please forget the gate code.", true),
        ("Please forget the old code. The new one is 4711.", false),
        ("What is for lunch?", false),
    ] {
        assert_eq!(only_takes_back(message), tells_nothing, "{message}");
    }
}

#[test]
fn sentence_opens_message_behind_requests_but_not_behind_other_words() {
    let wish = "Please always answer in short sentences.";
    for (message, opens_it) in [
        (wish.to_owned(), true),
        (format!("Hi! {wish}"), true),
        (format!("The boat is here. {wish}"), true),
        (format!("Remember that I live in Graz.\n{wish}"), true),
        (format!("What does this mean?\n\n{wish}"), false),
        (
            format!("The neighbour wrote this to me yesterday:\n{wish}"),
            false,
        ),
        ("I live in Graz.".to_owned(), false),
    ] {
        assert_eq!(opens(&message, wish), opens_it, "{message}");
    }
}

#[test]
fn request_for_a_line_is_read_beside_a_quotation() {
    let whole = "Remember this: \"I have been vegetarian since last winter.\"";
    let part = "Remember this:  ";
    assert!(asks_for_a_line(part, whole));
    let told = "Tom wrote to me: \"I have been vegetarian since last winter.\" Funny man.";
    assert!(!asks_for_a_line("Tom wrote to me:   Funny man.", told));
}
