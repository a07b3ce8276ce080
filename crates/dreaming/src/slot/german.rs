//! Reads in German where somebody lives and for whom they work: `Ich bin nach Wien gezogen`.
//!
//! A few forms whose verb follows `ich`, with a name behind it and nothing that leads on; all else is left alone.

use std::collections::BTreeSet;

use super::read::{Rest, of};
use super::token::Token;
use super::{Holds, Slot, Told, What, Whose};

/// Words between a verb and its place that say when, or how it is now.
const BESIDE: &[&str] = &[
    "jetzt",
    "nun",
    "inzwischen",
    "heute",
    "wieder",
    "bitte",
    "auch",
];

/// Words behind a name with which something new begins.
const BEHIND: &[&str] = &["und", "als", "seit", "mit", "gezogen", "umgezogen", "in"];

/// Nouns that are written like names.
const NO_NAMES: &[&str] = &[
    "miete", "ruhe", "rente", "zukunft", "teilzeit", "vollzeit", "regen", "bedarf",
];

/// What a line tells of the owner; nothing where it is not German.
pub(super) fn told(tokens: &[Token]) -> Option<Told> {
    let rest = Rest(tokens).behind("ich")?;
    Some(Told {
        whose: Some(Whose::Owner),
        slot: slot(rest),
    })
}

fn slot(rest: Rest<'_>) -> Option<Slot> {
    let is_over = (0..rest.0.len()).any(|place| rest.after(place).behind("nicht mehr").is_some());
    let is_past = |word: &str| rest.0.last().is_some_and(|last| last.plain == word);
    let now = rest.after(1).past(BESIDE).past(&["nicht", "mehr"]);
    let (what, holds, value) = match rest.at(0) {
        "wohne" | "lebe" => (What::Home, Holds::Now, now.behind("in")?),
        "arbeite" => (What::Work, Holds::Now, now.behind("bei")?),
        "bin" if is_past("gezogen") || is_past("umgezogen") => {
            (What::Home, Holds::Anew, now.behind("nach")?)
        }
        _ => return None,
    };
    let holds = if is_over { Holds::Ended } else { holds };
    Some(of(what, holds, name(value)?))
}

/// The name that stands next, where nothing follows that belongs to it.
fn name(rest: Rest<'_>) -> Option<BTreeSet<String>> {
    let own = rest.0.first()?;
    let is_whole = own.is_end || rest.at(1).is_empty() || BEHIND.contains(&rest.at(1));
    let is_name = own.is_name && !NO_NAMES.contains(&own.plain.as_str());
    (is_name && is_whole).then(|| BTreeSet::from([own.plain.clone()]))
}
