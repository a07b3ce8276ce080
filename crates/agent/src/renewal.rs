//! Puts a later value of a thing, such as a home, before the earlier ones that were found with it.
//!
//! Says which is which, and leaves out neither.

use base::Day;
use base::model::{Quote, Renewal, Standing};
use dreaming::{Sentence, Turn, Value};
use memory::SearchResult;

use crate::matter::{age, first_sentences};
use crate::recall::place;

/// What a passage says of things of which a person has one.
struct Claims<'p> {
    passage: &'p SearchResult,
    values: Vec<Told>,
}

/// A value, and what gives it.
struct Told {
    quote: Quote,
    value: Option<Value>,
    sentence: Sentence,
    age: Option<u32>,
}

impl Told {
    fn of(quote: Quote) -> Self {
        Self {
            value: Value::of(&quote.fact),
            sentence: Sentence::of(&quote.fact),
            age: age(&quote.fact),
            quote,
        }
    }

    /// Whether it says of itself that it is new, or that something has ended.
    fn is_announced(&self) -> bool {
        self.sentence.is_end() || self.value.as_ref().is_some_and(Value::is_announced)
    }

    /// How it stands to what the other tells, where this was said later: that is so no more, or perhaps not.
    fn turn(&self, older: &Self) -> Option<Turn> {
        let values = self.value.as_ref().zip(older.value.as_ref());
        let ages = self.age.zip(older.age);
        let is_value = values.is_some_and(|(own, older)| own.takes_the_place_of(older))
            || ages.is_some_and(|(own, older)| own > older);
        if is_value {
            return Some(Turn::Replaces);
        }
        self.sentence.ends(&older.sentence)
    }

    /// Whether it says that what the other tells has surely ended.
    fn ends(&self, older: &Self) -> bool {
        self.sentence.ends(&older.sentence) == Some(Turn::Replaces)
    }
}

impl<'p> Claims<'p> {
    fn of(passage: &'p SearchResult) -> Self {
        let values = match passage.speaker.as_deref() {
            None | Some("user") => read(&passage.text),
            Some(_) => Vec::new(),
        };
        Self { passage, values }
    }

    /// What gives a later value, what of the other passage gives the earlier, and whether that is sure.
    fn renew<'o>(&'o self, other: &'o Claims<'_>) -> Option<(&'o Told, &'o Told, Order)> {
        let order = order(self.passage, other.passage)?;
        self.values.iter().find_map(|newer| {
            let (found, turn) = other.values.iter().find_map(|older| {
                let is_told = order == Order::Sure || newer.is_announced() && !older.is_announced();
                Some((older, newer.turn(older).filter(|_| is_told)?))
            })?;
            let is_given_up = newer.is_announced() && is_archived(other.passage);
            // What holds is written where it has no day, and what has ended is said on one.
            let is_over = other.passage.day.is_none() && newer.ends(found);
            let order = if is_given_up || is_over {
                Order::Sure
            } else if turn == Turn::Doubtful {
                Order::Perhaps
            } else {
                order
            };
            Some((newer, found, order))
        })
    }
}

/// Whether one passage surely holds in the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// On a later day, or further down in the same file.
    Sure,
    /// On the same day in another file, or the day of the other is not known, or what it says may leave the other as
    /// it was.
    Perhaps,
}

/// Whether it left long-term memory: what is said to be new holds in its place.
fn is_archived(passage: &SearchResult) -> bool {
    passage.path.ends_with(ARCHIVE)
}

/// Where lines are that left `MEMORY.md`.
const ARCHIVE: &str = "memory/archive.md";

fn read(text: &str) -> Vec<Told> {
    let facts = first_sentences(text).flat_map(Quote::all_of);
    facts.map(Told::of).collect()
}

/// How a passage stands to one that may be older; nothing where it surely is not, or has no day itself.
fn order(newer: &SearchResult, older: &SearchResult) -> Option<Order> {
    let newer_day: Day = newer.day?;
    match older.day {
        None => Some(Order::Perhaps),
        Some(older_day) if newer_day > older_day => Some(Order::Sure),
        Some(older_day) if newer_day < older_day => None,
        Some(_) if newer.path != older.path => Some(Order::Perhaps),
        Some(_) => (newer.start_line > older.start_line).then_some(Order::Sure),
    }
}

/// So many passages, the best, are asked whether something later was said about the same.
const ASKED_MAX: usize = 3;

/// So many searches look for it.
const SEARCHES_MAX: usize = 6;

/// What to search for, so that a later value of what the best passages say is found; nothing where they give none.
pub(crate) fn told_by(passages: &[SearchResult]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for claims in passages.iter().take(ASKED_MAX).map(Claims::of) {
        for told in claims.values {
            let by_value = told.value.map_or_else(Vec::new, |value| value.told_by());
            let names = told.sentence.names().map(str::to_owned);
            for word in by_value.into_iter().chain(names) {
                if words.len() < SEARCHES_MAX && !words.contains(&word) {
                    words.push(word);
                }
            }
        }
    }
    words
}

/// Those of more passages that give a later value of what was found.
pub(crate) fn later_than(found: &[SearchResult], more: Vec<SearchResult>) -> Vec<SearchResult> {
    let known: Vec<Claims<'_>> = found.iter().map(Claims::of).collect();
    let mut later: Vec<SearchResult> = Vec::new();
    for passage in more {
        let is_known = found
            .iter()
            .chain(&later)
            .any(|it| place(it) == place(&passage));
        let own = Claims::of(&passage);
        if !is_known && known.iter().any(|other| own.renew(other).is_some()) {
            later.push(passage);
        }
    }
    later
}

/// The same passages, each before those whose value it renews.
///
/// What was found best stays first among the rest.
pub(crate) fn newest_first(passages: Vec<SearchResult>) -> Vec<SearchResult> {
    let claims: Vec<Claims<'_>> = passages.iter().map(Claims::of).collect();
    let mut order: Vec<usize> = Vec::with_capacity(claims.len());
    for (idx, own) in claims.iter().enumerate() {
        let renewed = order.iter().position(|other| {
            let other = claims.get(*other);
            other.is_some_and(|other| own.renew(other).is_some())
        });
        order.insert(renewed.unwrap_or(order.len()), idx);
    }
    let mut passages: Vec<Option<SearchResult>> = passages.into_iter().map(Some).collect();
    let taken = order.into_iter();
    taken
        .filter_map(|idx| passages.get_mut(idx).and_then(Option::take))
        .collect()
}

/// How each passage stands to the others, in their order.
pub(crate) fn renewals(passages: &[SearchResult]) -> Vec<Option<Renewal>> {
    let claims: Vec<Claims<'_>> = passages.iter().map(Claims::of).collect();
    claims.iter().map(|own| standing(own, &claims)).collect()
}

fn standing(own: &Claims<'_>, all: &[Claims<'_>]) -> Option<Renewal> {
    let later: Vec<_> = all.iter().filter_map(|other| other.renew(own)).collect();
    let earlier: Vec<_> = all
        .iter()
        .filter_map(|other| Some((own.renew(other)?.0, place(other.passage))))
        .collect();
    let is_earlier = later.iter().any(|(_, _, order)| *order == Order::Sure);
    let own = later.first().map(|(_, own, _)| *own);
    let own = own.or(earlier.first().map(|(own, _)| *own))?;
    Some(Renewal {
        value: own.quote.clone(),
        renews: earlier.into_iter().map(|(_, place)| place).collect(),
        standing: if is_earlier {
            Standing::Earlier
        } else {
            Standing::Latest
        },
    })
}

#[cfg(test)]
#[path = "renewal_tests.rs"]
mod tests;
