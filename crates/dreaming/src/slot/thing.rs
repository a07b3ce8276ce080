//! Reads which car or phone the owner has, and how many cats: of each the latest value holds.
//!
//! A line counts where it says nothing besides; compares nothing.

use std::collections::BTreeSet;

use super::read::{Rest, of};
use super::table::{ANIMALS, COLOURS, FRONT, OWNED, SEVERAL, WRITTEN_LIKE_NAMES};
use super::{Holds, Slot, What};

/// Things of which `my` means the one that is used.
#[rustfmt::skip]
const ONE_USED: &[&str] = &[
    "car", "van", "motorbike", "motorcycle", "scooter", "bike", "bicycle", "phone", "laptop", "computer", "tablet", "watch",
    "camera",
];

/// Numbers as they are written out.
#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// What may follow and changes nothing of a number.
const STILL: &[&str] = &["now", "these", "days", "by", "nowadays"];

/// A thing behind `my`, and which it is: `new phone is a Pixel 8`.
pub(super) fn thing(rest: Rest<'_>) -> Option<Slot> {
    let own = rest.past(&["new", "current"]);
    let noun = ONE_USED.iter().find(|noun| own.at(0) == **noun)?;
    let said = own.after(1).behind_any(&["is", "'s"])?;
    let is_new = own.0.len() < rest.0.len() || said.at(0) == "now";
    let holds = if is_new { Holds::Anew } else { Holds::Now };
    let value = make(said.past(&["now"]))?;
    Some(of(What::Named((*noun).to_owned()), holds, value))
}

/// A thing that is there anew: `bought a new phone, a Pixel 8`.
pub(super) fn bought(rest: Rest<'_>) -> Option<Slot> {
    let rest = rest.past(&["have", "just", "now", "recently", "finally"]);
    let own = rest.behind_any(&["got a new", "bought a new", "a new"])?;
    let noun = ONE_USED.iter().find(|noun| own.at(0) == **noun)?;
    let is_told = own.0.first().is_some_and(|noun| noun.is_end);
    let value = make(own.after(1)).filter(|_| is_told)?;
    Some(of(What::Named((*noun).to_owned()), Holds::Anew, value))
}

/// The make of a thing: `a blue Skoda`, `an iPhone 15`.
fn make(said: Rest<'_>) -> Option<BTreeSet<String>> {
    let named = said.past(&["a", "an", "the"]).past(COLOURS);
    let is_make = |token: &&super::token::Token| token.has_capital() || token.is_figure;
    let n_words = named.0.iter().take_while(is_make).count();
    let n_words = match named.0.iter().take(n_words).position(|token| token.is_end) {
        Some(end) => end + 1,
        None if named.after(n_words).is_bound() => n_words,
        None => return None,
    };
    let first = named.0.first().filter(|token| token.has_capital())?;
    let is_other = FRONT.contains(&first.plain.as_str())
        || WRITTEN_LIKE_NAMES.contains(&first.plain.as_str())
        || base::tongue(&first.plain).is_some();
    let words = (0..n_words).map(|place| named.at(place).to_owned());
    (!is_other && n_words > 0).then(|| words.collect())
}

/// How many one has of an animal, a person or a thing, in a line that names none of them: `have 3 cats now`.
pub(super) fn count(rest: Rest<'_>) -> Option<Slot> {
    let own = rest
        .past(&["now"])
        .behind_any(&["have got", "have", "own"])?;
    let written = NUMBERS.iter().position(|number| *number == own.at(0));
    let number: usize = written.or_else(|| own.at(0).parse().ok())?;
    let noun = own.at(1);
    let singular = noun.strip_suffix('s')?;
    let is_known = [ANIMALS, SEVERAL, OWNED]
        .iter()
        .any(|list| list.contains(&singular));
    let behind = own.after(2);
    let is_alone = behind.past(STILL).0.is_empty();
    if !is_known || !is_alone {
        return None;
    }
    let is_now = rest.0.iter().any(|token| token.plain == "now");
    let holds = if is_now { Holds::Anew } else { Holds::Now };
    let value = BTreeSet::from([number.to_string()]);
    Some(of(What::Named(noun.to_owned()), holds, value))
}
