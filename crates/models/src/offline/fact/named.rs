//! Finds the names of people, things and places that a clause says are the speaker's.
//!
//! Sees one clause; what a name stands for is told elsewhere.

use super::someone::bare_name;
use super::table::KIN;
use super::words::{Rest, Word, words};
use super::{About, Lasts, Reading, read};

use About::Kin;
use Reading::Fact;

/// The names, in lower case, in a clause about somebody or something of the speaker: `my son Jonas is six`.
pub(crate) fn names_of_own(clause: &str) -> Vec<String> {
    let words = words(clause);
    let whole = Rest::new(&words);
    let reading = read(clause);
    // `I live in Basel` makes of Basel a place of theirs, `I like Basel` does not.
    let is_own = whole.holds(&["my", "our"])
        || whole.holds(&["i", "we"]) && matches!(reading, Fact(_, Lasts::Long));
    // `Napoleon died last week in my class` does not say whose he is.
    let is_told = is_own && matches!(reading, Fact(..)) && bare_name(clause).is_none();
    let names = words.into_iter().filter(|word| is_told && word.is_name);
    names.map(|word| word.plain).collect()
}

/// The names, in lower case, in a clause that may be places of the speaker: where kin live or where one was born is none.
pub(crate) fn places_of_own(clause: &str) -> Vec<String> {
    let words = words(clause);
    let is_kins = matches!(read(clause), Fact(Kin, _));
    let is_past = words
        .iter()
        .any(|word| matches!(word.plain.as_str(), "born" | "grew" | "raised"));
    if is_kins || is_past {
        return Vec::new();
    }
    // `My sister and I live in Basel`: whoever stands before the speaker has the place with them.
    let speaker = words
        .iter()
        .rposition(|word| matches!(word.plain.as_str(), "i" | "we"));
    let rest = words.get(speaker.unwrap_or(0)..).unwrap_or_default();
    let is_kin = |word: &Word| {
        let singular = word.plain.strip_suffix('s').unwrap_or(&word.plain);
        KIN.contains(&word.plain.as_str()) || KIN.contains(&singular)
    };
    let own = rest.iter().take_while(|word| !is_kin(word));
    let names = own.filter(|word| word.is_name);
    names.map(|word| word.plain.clone()).collect()
}
