//! Reads what a line says of a thing of which a person has one value: a number, an address, a size.
//!
//! The value is a name or a figure; compares nothing.

use std::collections::BTreeSet;

use super::read::{Rest, of};
use super::table::{ATTRIBUTES, COLOURS, KINDS_OF_NUMBER, SAME_ATTRIBUTES};
use super::token::Token;
use super::{Holds, Slot, Told, What, Whose};

/// Words before a noun with which a value is said to be new.
const NEW: [&str; 2] = ["new", "current"];

/// Nouns that mean a telephone number only where one stands behind them: `my number is 42 in the queue`.
const BARE: [&str; 4] = ["number", "phone", "mobile", "cell"];

/// The shortest telephone numbers that people have for themselves.
const DIGITS_MIN: usize = 6;

/// A noun has at most so many words.
const NOUN_WORDS_MAX: usize = 4;

/// A thing by its noun, and its value: `phone number is 0664 12`.
pub(super) fn attribute(rest: Rest<'_>) -> Option<Slot> {
    let own = rest.past(&["new", "current", "own"]);
    let is = (1..=NOUN_WORDS_MAX)
        .find(|place| matches!(own.at(*place), "is" | "are" | "changed" | "has" | "'s"))?;
    let noun: Vec<&str> = (0..is).map(|place| own.at(place)).collect();
    let noun = noun.join(" ");
    let verb = own.after(is);
    let is_new = NEW.contains(&rest.at(0)) || verb.at(0) == "changed" || verb.at(1) == "changed";
    let value = verb.after(1).past(&[
        "now", "changed", "it", "is", "to", "on", "the", "new", "one",
    ]);
    let holds = if is_new || verb.at(1) == "now" {
        Holds::Anew
    } else {
        Holds::Now
    };
    slot(&noun, value, holds)
}

/// The same without a word of whose it is: `New address is Rosenweg 14`.
pub(super) fn unowned(tokens: &[Token]) -> Told {
    let rest = Rest(tokens);
    let slot = NEW.contains(&rest.at(0)).then(|| attribute(rest)).flatten();
    Told {
        whose: slot.is_some().then_some(Whose::Owner),
        slot,
        ..Told::default()
    }
}

/// What somebody has anew: `have a new phone number: 0664 12`, `changed my email to a@b.eu`.
pub(super) fn renewed(rest: Rest<'_>) -> Option<Slot> {
    let rest = rest.past(&["have", "just", "now", "recently"]);
    let own = rest.behind_any(&["got a new", "a new", "changed my"])?;
    let noun = (1..=NOUN_WORDS_MAX).rev().find_map(|n_words| {
        let noun: Vec<&str> = (0..n_words).map(|place| own.at(place)).collect();
        let noun = noun.join(" ");
        is_attribute(&noun).then_some((noun, n_words))
    });
    let (noun, n_words) = noun?;
    let value = own
        .after(n_words)
        .past(&["it", "its", "it's", "is", "'s", "to", "now"]);
    slot(&noun, value, Holds::Anew)
}

/// A value of a noun, where it is one.
fn slot(noun: &str, value: Rest<'_>, holds: Holds) -> Option<Slot> {
    let is_choice = is_choice(noun);
    if !is_choice && !is_attribute(noun) {
        return None;
    }
    if noun == "employer" {
        return Some(of(What::Work, Holds::Now, value.names()?.0));
    }
    let is_value = |token: &&Token| {
        token.is_name || token.is_figure || is_choice && COLOURS.contains(&token.plain.as_str())
    };
    let n_words = value.0.iter().take_while(is_value).count();
    let words: BTreeSet<String> = (0..n_words)
        .map(|place| value.at(place).to_owned())
        .collect();
    let behind = value.after(n_words);
    // `15 March, not 14 March` puts right what was said.
    let is_put_right = behind.at(0) == "not" && behind.0.iter().skip(1).any(|own| is_value(&own));
    let is_told = !words.is_empty() && (is_put_right || behind.is_bound());
    if !is_told {
        return None;
    }
    let holds = if is_put_right { Holds::Anew } else { holds };
    let is_bare = BARE.contains(&noun);
    let noun = one_word(noun);
    // Two numbers of one network begin alike, and one number may be spaced in two ways.
    let is_digit = |word: &String| !word.contains(char::is_alphabetic);
    let words = if !KINDS_OF_NUMBER.contains(&noun.as_str()) {
        words
    } else if words.iter().all(is_digit) {
        let figures = (0..n_words).flat_map(|place| value.at(place).chars());
        let figures: String = figures.filter(char::is_ascii_digit).collect();
        if is_bare && figures.len() < DIGITS_MIN {
            return None;
        }
        BTreeSet::from([figures])
    } else {
        return None;
    };
    Some(of(What::Named(noun), holds, words))
}

fn is_choice(noun: &str) -> bool {
    ["favourite ", "favorite ", "preferred "]
        .iter()
        .any(|word| noun.starts_with(word))
}

/// Whether a noun names such a thing, be it for work or at home.
fn is_attribute(noun: &str) -> bool {
    let own = without_kind(noun).map_or(noun, |(_, own)| own);
    ATTRIBUTES.contains(&noun) || ATTRIBUTES.contains(&own)
}

/// The kind of address or number that a noun begins with, and the rest of it.
fn without_kind(noun: &str) -> Option<(&str, &str)> {
    let (kind, own) = noun.split_once(' ')?;
    matches!(
        kind,
        "work" | "business" | "office" | "school" | "private" | "personal"
    )
    .then_some((kind, own))
}

/// Of several nouns for one thing the first.
fn one_word(noun: &str) -> String {
    let (kind, own) = match without_kind(noun) {
        // What somebody calls private is what they mean by the noun alone.
        Some(("private" | "personal", own)) => ("", own),
        Some((kind, own)) => (kind, own),
        None => ("", noun),
    };
    let same = SAME_ATTRIBUTES.iter().find(|same| same.contains(&own));
    let own = same.and_then(|same| same.first()).copied().unwrap_or(own);
    format!("{kind} {own}").trim_start().to_owned()
}
