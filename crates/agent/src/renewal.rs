//! Puts a later value of a thing, such as a home, before the earlier ones that were found with it.
//!
//! Says which is which, and leaves out neither.

use base::model::{Renewal, Standing};
use base::{Day, sentences};
use dreaming::Value;
use memory::SearchResult;

use crate::recall::place;

/// What a passage says of things of which a person has one.
struct Claims<'p> {
    passage: &'p SearchResult,
    values: Vec<(&'p str, Value)>,
}

/// Most sentences of a passage that are read.
const SENTENCES_MAX: usize = 20;

impl<'p> Claims<'p> {
    fn of(passage: &'p SearchResult) -> Self {
        let values = match passage.speaker.as_deref() {
            None | Some("user") => read(&passage.text),
            Some(_) => Vec::new(),
        };
        Self { passage, values }
    }

    /// The sentence that gives a later value, and the one of the other passage that gives the earlier.
    fn renew<'o>(&self, other: &Claims<'o>) -> Option<(&'p str, &'o str)> {
        if !is_later(self.passage, other.passage) {
            return None;
        }
        self.values.iter().find_map(|(newer, value)| {
            let mut earlier = other.values.iter();
            let found = earlier.find(|(_, older)| value.takes_the_place_of(older));
            found.map(|(older, _)| (*newer, *older))
        })
    }
}

fn read(text: &str) -> Vec<(&str, Value)> {
    let lines = text.lines().flat_map(|line| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '*'));
        sentences(line)
    });
    lines
        .take(SENTENCES_MAX)
        .filter_map(|sentence| Value::of(sentence).map(|value| (sentence, value)))
        .collect()
}

/// Whether one was surely said after the other: on a later day, or further down in the same file.
fn is_later(newer: &SearchResult, older: &SearchResult) -> bool {
    let days: Option<(Day, Day)> = newer.day.zip(older.day);
    days.is_some_and(|(newer_day, older_day)| {
        let is_below = newer.path == older.path && newer.start_line > older.start_line;
        newer_day > older_day || newer_day == older_day && is_below
    })
}

/// So many passages, the best, are asked whether something later was said about the same.
const ASKED_MAX: usize = 3;

/// So many searches look for it.
const SEARCHES_MAX: usize = 4;

/// What to search for, so that a later value of what the best passages say is found; nothing where they give none.
pub(crate) fn told_by(passages: &[SearchResult]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for claims in passages.iter().take(ASKED_MAX).map(Claims::of) {
        for (_, value) in claims.values {
            for word in value.told_by() {
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
    let is_later = |passage: &SearchResult| {
        let own = Claims::of(passage);
        let is_known = found.iter().any(|it| place(it) == place(passage));
        !is_known && known.iter().any(|other| own.renew(other).is_some())
    };
    more.into_iter().filter(|it| is_later(it)).collect()
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
    let later = all.iter().find_map(|other| other.renew(own));
    let earlier: Vec<_> = all
        .iter()
        .filter_map(|other| Some((own.renew(other)?.0, place(other.passage))))
        .collect();
    let first = earlier.first().map(|(sentence, _)| *sentence);
    let sentence = later.map(|(_, sentence)| sentence).or(first)?;
    Some(Renewal {
        sentence: sentence.to_owned(),
        renews: earlier.into_iter().map(|(_, place)| place).collect(),
        standing: match later {
            Some(_) => Standing::Earlier,
            None => Standing::Latest,
        },
    })
}

#[cfg(test)]
#[path = "renewal_tests.rs"]
mod tests;
