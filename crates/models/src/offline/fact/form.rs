//! Tells in which form of a verb of the dictionary a word is written.
//!
//! English; knows no sentence.

use Form::{Base, Ongoing, Past};

/// How a verb is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As it stands in a dictionary, or with the `s` of a third person.
    Base,
    /// In the past.
    Past,
    /// With `ing`.
    Ongoing,
}

/// Forms that no ending tells.
#[rustfmt::skip]
const IRREGULAR: &[(&str, &str, Form)] = &[
    ("quit", "quit", Past), ("left", "leave", Past), ("bought", "buy", Past), ("sold", "sell", Past),
    ("got", "get", Past), ("gotten", "get", Past), ("had", "have", Past), ("has", "have", Base),
    ("having", "have", Ongoing), ("grew", "grow", Past), ("grown", "grow", Past), ("born", "bear", Past),
    ("taught", "teach", Past), ("broke", "break", Past), ("broken", "break", Past), ("lost", "lose", Past),
    ("won", "win", Past), ("went", "go", Past), ("goes", "go", Base), ("going", "go", Ongoing),
    ("began", "begin", Past), ("begun", "begin", Past), ("became", "become", Past), ("become", "become", Past),
    ("gave", "give", Past), ("given", "give", Past), ("ran", "run", Past), ("kept", "keep", Past),
    ("met", "meet", Past), ("flew", "fly", Past), ("drove", "drive", Past), ("spoke", "speak", Past),
    ("led", "lead", Past), ("found", "find", Past), ("founded", "found", Past), ("dying", "die", Ongoing), ("owns", "own", Base),
    ("split", "split", Past), ("came", "come", Past), ("saw", "see", Past), ("took", "take", Past), ("laid", "lay", Past),
];

/// Whether a word is a verb in the past that no ending tells.
pub(super) fn is_irregular_past(word: &str) -> bool {
    IRREGULAR
        .iter()
        .any(|(own, _, form)| *own == word && *form == Past)
}

/// Whether a word is written as what goes on: `singing`, not `sing`.
pub(super) fn is_ongoing(word: &str) -> bool {
    let stem = word.strip_suffix("ing").unwrap_or_default();
    stem.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// The form of a dictionary's verb that a word is.
pub(super) fn form_of(word: &str, lemma: &str) -> Option<Form> {
    if let Some((_, _, form)) = IRREGULAR
        .iter()
        .find(|(own, of, _)| *own == word && *of == lemma)
    {
        return Some(*form);
    }
    if word == lemma {
        return Some(Base);
    }
    let soft = lemma.strip_suffix('y');
    let short = lemma.strip_suffix('e').unwrap_or(lemma);
    if let Some(stem) = soft
        && let Some(ending) = word.strip_prefix(stem)
        && let Some(form) = match ending {
            "ies" => Some(Base),
            "ied" => Some(Past),
            _ => None,
        }
    {
        return Some(form);
    }
    let doubled = || {
        word.strip_prefix(short)?
            .strip_prefix(short.chars().last()?)
    };
    let ending = word.strip_prefix(short)?;
    let form = |ending: &str| match ending {
        "s" | "es" => Some(Base),
        "ed" | "d" => Some(Past),
        "ing" => Some(Ongoing),
        _ => None,
    };
    form(ending).or_else(|| form(doubled()?))
}
