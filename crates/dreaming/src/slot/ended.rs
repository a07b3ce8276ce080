//! Reads what a line says has come to an end: an animal that died, a car that was sold, a club that was left.
//!
//! Sees one line; how an older one stands to it is told by its names and nouns.

use std::collections::BTreeSet;

use super::Turn;
use super::table::{ENDED_BY_FATE, ENDED_BY_OWNER, FRONT, NO_NAMES};
use super::token::{Token, tokens};
use crate::words::Words;

/// What has ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Ended {
    /// The names of it, in lower case.
    names: BTreeSet<String>,
    /// The words for what it is: `cat`, `gym`, `membership`.
    nouns: BTreeSet<String>,
}

/// Words of one such thing.
const NOUN_WORDS_MAX: usize = 4;

/// What a text says has ended; `None` where it says no such thing.
pub(crate) fn ended(text: &str) -> Option<Ended> {
    let tokens = tokens(text);
    let n_front = tokens
        .iter()
        .take_while(|token| FRONT.contains(&token.plain.as_str()) && !is_article(token))
        .count();
    let rest = tokens.get(n_front..)?;
    let is_owner = matches!(plain(rest, 0), "i" | "we");
    let found = if is_owner {
        let verb = rest.get(1..)?;
        let n_between = verb.iter().take_while(|token| is_between(token)).count();
        let verb = verb.get(n_between..)?;
        let phrase = behind(verb, ENDED_BY_OWNER)?;
        thing(phrase)
    } else {
        let verb = (1..=NOUN_WORDS_MAX).find(|place| {
            let own = rest.get(*place..).unwrap_or_default();
            let n_between = own.iter().take_while(|token| is_between(token)).count();
            behind(own.get(n_between..).unwrap_or_default(), ENDED_BY_FATE).is_some()
        })?;
        thing(rest.get(..verb)?)
    };
    (!found.names.is_empty() || !found.nouns.is_empty()).then_some(found)
}

impl Ended {
    /// How it stands to an older line: that line holds no more, or perhaps not; `None` where it speaks of
    /// something else.
    pub(crate) fn turn(&self, old: &Words) -> Option<Turn> {
        let names = names(&old.text);
        if names.intersection(&self.names).next().is_some() {
            // A line with several names may hold of the others.
            let is_all = names.is_subset(&self.names);
            return Some(if is_all {
                Turn::Replaces
            } else {
                Turn::Doubtful
            });
        }
        let is_other = !names.is_empty() && !self.names.is_empty();
        let is_owners = [" i ", " we ", " my ", " our ", " im ", " the "]
            .iter()
            .any(|word| old.plain.contains(word));
        let is_same_kind = self
            .nouns
            .iter()
            .any(|noun| old.plain.contains(&format!(" {noun} ")));
        (is_owners && is_same_kind && !is_other).then_some(Turn::Doubtful)
    }
}

fn plain(tokens: &[Token], place: usize) -> &str {
    tokens.get(place).map_or("", |token| token.plain.as_str())
}

fn is_article(token: &Token) -> bool {
    matches!(token.plain.as_str(), "the" | "my" | "our" | "a")
}

fn is_between(token: &Token) -> bool {
    matches!(
        token.plain.as_str(),
        "has"
            | "have"
            | "had"
            | "was"
            | "is"
            | "just"
            | "finally"
            | "recently"
            | "sadly"
            | "unfortunately"
            | "already"
    )
}

/// What follows one of these phrases.
fn behind<'t>(tokens: &'t [Token], phrases: &[&str]) -> Option<&'t [Token]> {
    phrases.iter().find_map(|phrase| {
        let words: Vec<&str> = phrase.split(' ').collect();
        let stands = words
            .iter()
            .enumerate()
            .all(|(place, word)| plain(tokens, place) == *word);
        stands.then(|| tokens.get(words.len()..)).flatten()
    })
}

/// The names and nouns of a thing, up to where its clause goes on.
fn thing(tokens: &[Token]) -> Ended {
    let mut found = Ended::default();
    for token in tokens.iter().take(NOUN_WORDS_MAX + 1) {
        let word = token.plain.as_str();
        if is_name(token) {
            found.names.insert(word.to_owned());
        } else if NO_NAMES.contains(&word) {
            if !is_article(token) {
                break;
            }
        } else if word.chars().count() > 2 {
            found.nouns.insert(word.to_owned());
        }
        if token.is_end {
            break;
        }
    }
    found
}

/// The names in a line.
fn names(text: &str) -> BTreeSet<String> {
    let found = tokens(text).into_iter().filter(is_name);
    found.map(|token| token.plain).collect()
}

fn is_name(token: &Token) -> bool {
    token.is_name && !NO_NAMES.contains(&token.plain.as_str())
}
