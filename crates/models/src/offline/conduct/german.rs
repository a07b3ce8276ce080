//! Tells in German how the owner wants to be answered: `Bitte antworte immer auf Deutsch`, `Nenn mich Sam`.
//!
//! Sees the words of one clause in lower case; a request for one thing is none of it.

use super::{NAME_WORDS_MAX, past};

/// Words before it that change nothing.
#[rustfmt::skip]
const FRONT: &[&str] = &[
    "bitte", "ab", "jetzt", "sofort", "von", "nun", "an", "und", "aber", "du", "kannst", "immer", "k\u{fc}nftig", "in",
    "zukunft", "also", "ok", "okay", "generell", "grunds\u{e4}tzlich",
];

/// How somebody answers.
#[rustfmt::skip]
const ANSWER: &[&str] = &["antworte", "antworten", "schreib", "schreibe", "schreiben", "sprich", "sprechen", "rede", "reden"];

/// To whom and how often, and whether at all.
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "mir", "uns", "mit", "bitte", "immer", "nur", "doch", "lieber", "sie", "ab", "jetzt", "sofort", "von", "nun", "an",
    "k\u{fc}nftig", "in", "zukunft", "wieder", "nicht", "mehr", "nie", "niemals", "stattdessen", "und", "danke", "alles",
];

/// What shows that all letters are meant.
#[rustfmt::skip]
const LASTING: &[&str] = &["immer", "nur", "knapp", "ab", "k\u{fc}nftig", "zukunft", "nun", "alles"];

/// How long and in which tone.
#[rustfmt::skip]
const MANNERS: &[&str] = &[
    "kurz", "k\u{fc}rzer", "knapp", "ausf\u{fc}hrlich", "ausf\u{fc}hrlicher", "sachlich", "h\u{f6}flich", "einfach", "formell",
    "informell",
];

/// What is used for all that comes.
#[rustfmt::skip]
const USED: &[&str] = &["emojis", "emoji", "smileys", "einheiten", "celsius", "fahrenheit", "kilometer", "meilen"];

/// Words before it.
#[rustfmt::skip]
const BEFORE_USED: &[&str] = &["keine", "bitte", "immer", "nur", "metrische", "imperiale", "nie", "mehr", "niemals"];

/// What follows `nenn mich` where no name does.
const NO_NAMES: &[&str] = &[
    "nicht",
    "nie",
    "einen",
    "eine",
    "ein",
    "wie",
    "bitte",
    "so",
    "ruhig",
    "auch",
    "verr\u{fc}ckt",
];

/// Whether a clause tells how the owner wants to be answered or called, from now on.
pub(super) fn is_instruction(words: &[&str]) -> bool {
    if is_one_letter(words) {
        return false;
    }
    match past(words, FRONT) {
        ["nenn" | "nenne", "mich", name @ ..] => is_name(past(name, &["bitte", "doch", "einfach"])),
        ["duze" | "sieze", "mich", behind @ ..] | ["sag", "du", "zu", "mir", behind @ ..] => {
            past(behind, BESIDE).is_empty()
        }
        [
            "verwende" | "verwenden" | "benutze" | "benutzen" | "nutze",
            used @ ..,
        ] => {
            let used = past(past(used, BESIDE), BEFORE_USED);
            matches!(used, [own, behind @ ..] if USED.contains(own) && past(behind, BESIDE).is_empty())
        }
        // `Kannst du mir bitte auf Deutsch antworten`.
        [
            behind @ ..,
            "antworten" | "schreiben" | "sprechen" | "reden",
        ] if !behind.is_empty() => is_manner(past(behind, BESIDE)),
        [verb, behind @ ..] if ANSWER.contains(verb) => is_manner(past(behind, BESIDE)),
        _ => false,
    }
}

/// `Schreib mir kurz` and `sprich kurz mit mir` ask for one letter and one talk.
fn is_one_letter(words: &[&str]) -> bool {
    let is_verb =
        |word: &&&str| ANSWER.contains(*word) && !matches!(**word, "antworte" | "antworten");
    words.contains(&"kurz")
        && words.iter().any(|word| is_verb(&word))
        && !words.iter().any(|word| LASTING.contains(word))
}

/// `Auf Deutsch`, `kurz und knapp`.
fn is_manner(words: &[&str]) -> bool {
    match words {
        ["auf", tongue, behind @ ..] | [tongue, behind @ ..] if base::tongue(tongue).is_some() => {
            past(behind, BESIDE).is_empty()
        }
        [first, ..] if MANNERS.contains(first) => {
            let is_one = |word: &&str| MANNERS.contains(word) || BESIDE.contains(word);
            words.iter().all(is_one)
        }
        _ => false,
    }
}

fn is_name(words: &[&str]) -> bool {
    let n_words = words
        .iter()
        .take_while(|word| !BESIDE.contains(word))
        .count();
    let (name, behind) = words.split_at_checked(n_words).unwrap_or((words, &[]));
    (1..=NAME_WORDS_MAX).contains(&n_words)
        && !name.iter().any(|word| NO_NAMES.contains(word))
        && past(behind, BESIDE).is_empty()
}
