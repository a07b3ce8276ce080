//! Reads which car or phone the owner has, and how many cats: of each the latest value holds.
//!
//! A line counts where it says nothing besides; compares nothing.

use std::collections::BTreeSet;

use super::read::{Rest, of};
use super::table::{ANIMALS, COLOURS, FRONT, OWNED, SEVERAL, WRITTEN_LIKE_NAMES};
use super::token::Token;
use super::{Holds, Slot, What};

/// Things of which `my` means the one that is used.
#[rustfmt::skip]
const ONE_USED: &[&str] = &[
    "car", "van", "motorbike", "motorcycle", "scooter", "bike", "bicycle", "phone", "laptop", "computer", "tablet", "watch",
    "camera",
];

/// Kinds of them that are written like names.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "suv", "ev", "bev", "phev", "mpv", "bmx", "mtb", "e-bike", "ebike", "android", "pc", "mac", "windows", "linux", "ios",
    "chromebook", "notebook", "smartphone", "dslr", "slr", "gps", "electric", "hybrid", "diesel", "estate", "sedan",
    "hatchback", "convertible", "coupe", "coup\u{e9}", "oldtimer", "classic", "cabrio",
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
    let said = said.past(&["now"]);
    let has_article = matches!(said.at(0), "a" | "an" | "the");
    let value = make(said)?;
    let says_now = |token: &Token| token.plain == "now";
    // The same phone is a Galaxy and a Samsung; only what is said to be new is surely another.
    let holds = if has_article && (is_new || said.0.last().is_some_and(says_now)) {
        Holds::Anew
    } else {
        Holds::Perhaps
    };
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
    let is_make = |token: &&Token| token.has_capital() || token.is_figure;
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
    let words: BTreeSet<String> = (0..n_words)
        .map(|place| named.at(place).to_owned())
        .collect();
    // `Tom's` is whose it is, and `Electric Blue` a colour.
    let is_no_make = |word: &String| word == "'s" || COLOURS.contains(&word.as_str());
    let is_kind = words.iter().all(|word| KINDS.contains(&word.as_str()));
    (!is_other && !is_kind && !words.iter().any(is_no_make)).then_some(words)
}

/// How many one has of an animal, a person or a thing, in a line that names none of them: `have 3 cats now`.
pub(super) fn count(rest: Rest<'_>) -> Option<Slot> {
    let own = rest
        .past(&["now"])
        .behind_any(&["have got", "have", "own"])?;
    let written = NUMBERS.iter().position(|number| *number == own.at(0));
    let none = (own.at(0) == "no").then_some(0);
    let number: usize = written.or(none).or_else(|| own.at(0).parse().ok())?;
    let noun = plural(own.at(1), number)?;
    let behind = own.after(2);
    let is_alone = behind.past(STILL).0.is_empty();
    if !is_alone {
        return None;
    }
    let is_now = rest.0.iter().any(|token| token.plain == "now");
    let holds = if is_now { Holds::Anew } else { Holds::Now };
    let value = BTreeSet::from([number.to_string()]);
    Some(of(What::Named(noun), holds, value))
}

/// Several of a noun that is counted, whether one is told or more; one has two sisters, and `no boss` as one says.
fn plural(noun: &str, number: usize) -> Option<String> {
    if matches!(noun, "child" | "children" | "kid" | "kids") {
        return Some("children".to_owned());
    }
    let is_kept = |word: &str| {
        matches!(word, "son" | "daughter") || ANIMALS.contains(&word) || OWNED.contains(&word)
    };
    let is_one_of = |word: &str| is_kept(word) || number > 1 && SEVERAL.contains(&word);
    if matches!(noun, "fish" | "sheep") {
        return Some(noun.to_owned());
    }
    if let Some(stem) = noun.strip_suffix("ies")
        && is_one_of(&format!("{stem}y"))
    {
        return Some(noun.to_owned());
    }
    if noun.strip_suffix('s').is_some_and(is_one_of) {
        return Some(noun.to_owned());
    }
    if noun.strip_suffix("es").is_some_and(is_one_of) {
        return Some(noun.to_owned());
    }
    let is_one = number == 1 && is_kept(noun) && !noun.ends_with('s');
    is_one.then(|| match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with("ch") => format!("{noun}es"),
        _ => format!("{noun}s"),
    })
}
