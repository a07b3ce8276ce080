//! Tells small talk: the weather, an ache, an errand that is over.
//!
//! Sees one clause; what it tells is kept nowhere.

use super::words::Rest;

/// What one talks about to say something.
#[rustfmt::skip]
const WEATHER: &[&str] = &["weather", "sun", "sky", "rain", "snow", "wind", "heat", "traffic", "coffee", "tea", "soup", "food"];

/// What aches.
#[rustfmt::skip]
const BODY: &[&str] = &[
    "head", "back", "neck", "tooth", "teeth", "throat", "stomach", "feet", "foot", "leg", "legs", "arm", "arms", "eyes",
    "shoulder", "knee", "belly", "tummy", "ears", "ear", "nose", "hand", "hands", "hip",
];

const ACHING: &[&str] = &[
    "hurts", "hurt", "aches", "ache", "itches", "killing", "sore", "stuffy", "burning", "cold",
    "stiff",
];

/// What is done once and is over.
#[rustfmt::skip]
const DONE: &[&str] = &[
    "bought", "ate", "drank", "had", "called", "phoned", "rang", "picked", "got", "came", "went", "spoke", "talked",
    "woke", "slept", "cooked", "washed", "cleaned", "watched", "read", "saw", "met", "walked", "made", "took",
];

/// Whether a clause says nothing that anybody will want to know tomorrow.
pub(super) fn is_small_talk(rest: Rest<'_>) -> bool {
    match rest.next() {
        "the" | "this" => WEATHER.contains(&rest.at(1)) && is_state(rest.after(2)),
        "it" => {
            matches!(rest.at(1), "is" | "'s")
                && matches!(
                    rest.at(2),
                    "raining" | "snowing" | "windy" | "sunny" | "cloudy" | "freezing"
                )
        }
        "my" => {
            BODY.contains(&rest.at(1))
                && rest
                    .after(2)
                    .left()
                    .iter()
                    .take(4)
                    .any(|word| ACHING.contains(&word.plain.as_str()))
        }
        "see" | "catch" => rest.at(1) == "you",
        "talk" | "speak" => {
            // `Speak to me in Hungarian` is a wish.
            matches!(rest.at(1), "soon" | "later" | "tomorrow")
                || rest.at(1) == "to" && rest.at(2) == "you"
        }
        "good" => {
            matches!(
                rest.at(1),
                "night" | "morning" | "evening" | "afternoon" | "luck"
            ) && rest.left().len() < 4
        }
        "i" | "we" => is_errand(rest.after(1)),
        _ => false,
    }
}

fn is_state(rest: Rest<'_>) -> bool {
    let place = (0..4).find(|place| matches!(rest.at(*place), "is" | "was" | "'s" | "looks"));
    place.is_some_and(|place| !rest.after(place + 1).names_something())
}

/// `Just bought milk`, `had pizza for lunch`: nothing is named that could be asked for.
fn is_errand(rest: Rest<'_>) -> bool {
    let rest = rest.past(&["have"]);
    let is_just = rest.next() == "just";
    let verb = if is_just { rest.after(1) } else { rest };
    let is_today = verb.holds(&[
        "today",
        "yesterday",
        "earlier",
        "morning",
        "lunch",
        "breakfast",
        "dinner",
    ]);
    let behind = verb.after(1);
    // `I got a dog` and `I met Anna` may be news.
    let is_plain = !behind.names_something()
        && !matches!(
            behind.next(),
            "a" | "an" | "my" | "our" | "married" | "engaged" | "promoted"
        );
    (is_just || is_today) && DONE.contains(&verb.next()) && is_plain
}
