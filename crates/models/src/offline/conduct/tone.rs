//! Tells in which tone the owner wants to be spoken to, and in which units they think.
//!
//! `Be honest` alone may be meant for one answer: a word has to say that more is meant.

use super::{BRIEF, DEGREES, UNITS, is_behind, past};

/// How somebody speaks to somebody.
#[rustfmt::skip]
const TONES: &[&str] = &[
    "direct", "honest", "blunt", "frank", "formal", "informal", "casual", "friendly", "friendlier", "polite", "kind",
    "gentle", "patient", "critical", "encouraging", "funny", "serious", "warm", "strict", "respectful", "relaxed",
    "professional", "personal", "specific", "precise", "careful", "playful", "supportive", "enthusiastic",
];

/// Of them those that mostly ask for a better answer to one question.
const OF_ONE_ANSWER: &[&str] = &["specific", "precise", "careful"];

/// Words between such a word and its verb.
const DEGREE: &[&str] = &[
    "very",
    "really",
    "always",
    "completely",
    "totally",
    "a",
    "bit",
    "little",
    "as",
];

/// How somebody says what they want.
const WANTED: &[&[&str]] = &[
    &["i'd", "like", "you", "to"],
    &["i", "would", "like", "you", "to"],
    &["i", "want", "you", "to"],
    &["i", "need", "you", "to"],
];

/// Whether a clause asks for a tone for all that comes.
pub(super) fn is_tone(words: &[&str]) -> bool {
    let wanted = WANTED.iter().find_map(|own| words.strip_prefix(*own));
    let rest = past(
        wanted.unwrap_or(words),
        &["please", "always", "just", "from", "now", "on", "to"],
    );
    match rest {
        ["be", behind @ ..] | ["don't", "be", behind @ ..] => is_manner(behind, words),
        [
            "talk" | "speak" | "write",
            "to",
            "me",
            "like" | "as",
            "a" | "an" | "you" | "i" | "i'm" | "if",
            ..,
        ] => rest.len() <= TONE_WORDS_MAX,
        [
            "don't",
            "sugarcoat" | "patronise" | "patronize" | "lecture" | "flatter",
            behind @ ..,
        ] => past(behind, &["me", "things", "anything", "it", "please"]).is_empty(),
        _ => false,
    }
}

/// More words say more than a tone.
const TONE_WORDS_MAX: usize = 9;

/// `More direct with me`, `honest from now on`.
fn is_manner(words: &[&str], whole: &[&str]) -> bool {
    let is_always =
        whole.contains(&"always") || whole.windows(3).any(|own| own == ["from", "now", "on"]);
    let own = past(words, DEGREE);
    let (is_compared, own) = match own {
        ["more" | "less" | "so", rest @ ..] => (true, rest),
        _ => (false, own),
    };
    let [tone, behind @ ..] = own else {
        return false;
    };
    let is_with_me = behind.starts_with(&["with", "me"]) || behind.starts_with(&["to", "me"]);
    let is_tone = TONES.contains(tone) && !BRIEF.contains(tone);
    let is_compared = is_compared && !OF_ONE_ANSWER.contains(tone);
    is_tone && (is_compared || is_with_me || is_always) && is_behind(behind)
}

/// Whether the owner says in which units they think: `I think in kilometres`.
pub(super) fn thinks_in(words: &[&str]) -> bool {
    let ["i" | "we", rest @ ..] = words else {
        return false;
    };
    let rest = past(rest, &["only", "still", "always", "usually"]);
    let ["think" | "reckon", "in", units @ ..] = rest else {
        return false;
    };
    let own = past(units, &["metric", "imperial", "the"]);
    match own {
        [] => units
            .last()
            .is_some_and(|unit| matches!(*unit, "metric" | "imperial")),
        [unit, behind @ ..] => {
            (DEGREES.contains(unit) || UNITS.contains(unit) && *unit != "spelling")
                && is_behind(behind)
        }
    }
}
