//! Judges the notes of a flush: whether a message bears a note out, and whether it is the owner's word.
//!
//! Reads the messages and nothing else; a doubt makes a note the assistant's and loses nothing.

use base::model::Excerpt;
use base::{Day, Message, Origin, Tz, day};
use compaction::{Grounds, NoteRefusal, ProposedNote, least_trusted};
use dreaming::{clauses_of, doubt, holds_quote, is_quote, says_nothing_else};

use crate::reading::OfflineReading;

/// Letters from here on belong to scripts without blanks between words.
const DENSE_FROM: char = '\u{2e80}';

/// Judges by the messages that a note cites.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MessageGrounds {
    /// Tells the day of a message.
    pub(crate) timezone: Tz,
}

impl Grounds for MessageGrounds {
    fn origin(&self, note: &ProposedNote, cited: &[&Excerpt]) -> Result<Origin, NoteRefusal> {
        if !is_quote(&note.quote) {
            return Err(NoteRefusal::NoQuote);
        }
        let holds = |excerpt: &&&Excerpt| holds_quote(&shown(&excerpt.message), &note.quote);
        let carrying: Vec<&&Excerpt> = cited.iter().filter(holds).collect();
        if carrying.is_empty() {
            return Err(NoteRefusal::QuoteNotFound);
        }
        let origins = cited.iter().map(|excerpt| excerpt.origin);
        let least = least_trusted(origins).unwrap_or(Origin::Untrusted);
        if least != Origin::Owner {
            return Ok(least);
        }
        let own = carrying.into_iter().find_map(|excerpt| {
            let said = in_person(&excerpt.message);
            holds_quote(&said, &note.quote).then(|| (said, day(excerpt.at, self.timezone)))
        });
        Ok(match own {
            // The owner shows it: somebody else said it.
            None => Origin::Untrusted,
            Some((said, day)) if is_owners_word(note, (&said, day)) => Origin::Owner,
            Some(_) => Origin::Agent,
        })
    }
}

/// What whoever takes notes is shown of a message: what it says, and what it calls.
fn shown(message: &Message) -> String {
    let calls = message.tool_calls();
    let calls = calls.map(|call| format!("calls {} with {}", call.name, call.arguments));
    let parts: Vec<String> = std::iter::once(message.text()).chain(calls).collect();
    parts.join("\n")
}

/// What the owner says in a message in person; nothing of a message that bears another name.
fn in_person(message: &Message) -> String {
    match message {
        Message::User { name: None, .. } => extract::own_words(&message.text()),
        Message::User { name: Some(_), .. } | Message::Assistant(_) | Message::ToolResult(_) => {
            String::new()
        }
    }
}

/// Whether a note repeats whole clauses of a message, or says them with fewer words that mean the same as far as this can
/// be told: which takes a language whose denials are known.
fn is_owners_word(note: &ProposedNote, (said, day): (&str, Day)) -> bool {
    let clauses = clauses_of(said, &note.quote);
    if holds_quote(clauses, &note.text) && holds_quote(&note.text, clauses) {
        return true;
    }
    extract::knows_language(clauses)
        && says_nothing_else(&note.text, clauses)
        && keeps_order(&note.text, clauses)
        && doubt(&note.text, clauses, (said, day), &OfflineReading).is_none()
}

/// Whether the words of a claim stand in their order in a text: who does what to whom may hang on it. A part may move
/// from one end to the other, as in `In May I moved` and `I moved in May`.
fn keeps_order(claim: &str, text: &str) -> bool {
    let (claim, text) = (claim.to_lowercase(), text.to_lowercase());
    let (claimed, said) = (words(&claim), words(&text));
    let is_once = |all: &[&str], word: &str| all.iter().filter(|own| **own == word).count() == 1;
    let places: Vec<usize> = claimed
        .iter()
        .filter(|word| is_once(&claimed, word) && is_once(&said, word))
        .filter_map(|word| said.iter().position(|own| own == word))
        .collect();
    let n_descents = places.windows(2).filter(|pair| pair.first() > pair.last());
    match n_descents.count() {
        0 => true,
        // What was moved to the end stood before all the rest.
        1 => places.last() < places.first(),
        _ => false,
    }
}

/// The words of a text; of a script without blanks its single letters.
fn words(text: &str) -> Vec<&str> {
    let is_dense = |c: char| c >= DENSE_FROM;
    let runs = text.split(|c: char| !c.is_alphanumeric());
    let words = runs.flat_map(|run| run.split_inclusive(is_dense));
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
#[path = "grounds_tests.rs"]
mod tests;
