//! What ends what, and what ends nothing.

use super::*;

fn ends(newer: &str, older: &str) -> bool {
    Ending::of(newer).is_some_and(|ending| ending.ends(older))
}

#[test]
fn what_is_said_to_have_ended_is_so_no_more() {
    for (newer, older) in [
        ("Minka died yesterday.", "My cat is called Minka."),
        ("My cat Minka died.", "I have a cat called Minka."),
        ("We had to put Rex down.", "My dog Rex is 3 years old."),
        (
            "My flight to Oslo was cancelled.",
            "My flight to Oslo is on 4 May.",
        ),
        (
            "I cancelled my Netflix subscription.",
            "I have a Netflix subscription.",
        ),
        (
            "I stopped paying for Spotify.",
            "I have a Spotify subscription.",
        ),
        ("I stopped taking metformin.", "I take metformin."),
        ("Lucy and I broke up.", "My girlfriend is called Lucy."),
        ("I got divorced.", "I'm married to Peter."),
        ("I sold my car.", "I drive a Skoda Octavia."),
        ("My phone was stolen.", "I have a Pixel 8."),
        ("I left the football club.", "I play football in a club."),
        ("I'm not vegan any more.", "I am vegan."),
        ("I quit smoking.", "I smoke a pack a day."),
        (
            "I am no longer allergic to peanuts.",
            "I am allergic to peanuts.",
        ),
        (
            "My flight to Oslo was cancelled this morning.",
            "My flight to Oslo is on 4 May.",
        ),
        ("I gave up Spanish.", "I'm learning Spanish."),
        (
            "Mimi ist gestern gestorben.",
            "Meine Katze hei\u{df}t Mimi.",
        ),
        (
            "Ich habe mein Abo bei Spotify gek\u{fc}ndigt.",
            "Ich habe ein Abo bei Spotify.",
        ),
    ] {
        assert!(ends(newer, older), "{newer:?} after {older:?}");
    }
}

#[test]
fn what_speaks_of_something_else_or_is_not_so_yet_ends_nothing() {
    for (newer, older) in [
        ("Minka died yesterday.", "My cat is called Tom."),
        ("My cat died.", "My dog is called Rex."),
        ("My phone died.", "My phone is a Pixel 8."),
        ("My motorbike was stolen.", "I drive a Volvo."),
        ("I left Bern at noon.", "I live in Bern."),
        ("I left my umbrella at work.", "I work in an office."),
        ("I stopped at the bakery.", "I work at a bakery."),
        ("I may cancel Netflix.", "I have a Netflix subscription."),
        (
            "If Netflix is cancelled, tell me.",
            "I have a Netflix subscription.",
        ),
        (
            "Was my flight to Oslo cancelled?",
            "My flight to Oslo is on 4 May.",
        ),
        (
            "My flight to Rome was cancelled.",
            "My flight to Oslo is on 4 May.",
        ),
        ("I got divorced.", "My sister is called Ann."),
        ("I stopped eating peanuts.", "I am allergic to peanuts."),
        (
            "I stopped taking metformin this morning.",
            "I take metformin.",
        ),
        (
            "I stopped taking metformin in the evening.",
            "I take metformin.",
        ),
        (
            "I stopped playing the violin at night.",
            "I play the violin.",
        ),
        ("I stopped taking metformin.", "I take ramipril."),
        (
            "I cancelled Netflix.",
            "I cancelled my Netflix subscription.",
        ),
    ] {
        assert!(!ends(newer, older), "{newer:?} after {older:?}");
    }
}
