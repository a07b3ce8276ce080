//! Judges the notes of a flush: whether a message bears a note out, and whether it is the owner's word; reads texts for
//! that, and for dreams, by the data of the offline engine.
//!
//! Reads the messages and nothing else; a doubt makes a note the assistant's and loses nothing.

use base::model::Excerpt;
use base::{Day, Message, Origin, Tz, day};
use compaction::{Grounds, NoteRefusal, ProposedNote, least_trusted};
use dreaming::{
    Reading, clauses_of, doubt, holds_quote, is_quote, keeps_word_order, says_nothing_else,
};

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
            // The owner quotes it: the words are another person's.
            None => Origin::Untrusted,
            Some((said, day)) if is_owners_word(note, &said, day) => Origin::Owner,
            Some(_) => Origin::Agent,
        })
    }
}

/// What a note-taker is shown of a message: its text and its calls.
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
fn is_owners_word(note: &ProposedNote, said: &str, day: Day) -> bool {
    let clauses = clauses_of(said, &note.quote);
    if holds_quote(clauses, &note.text) && holds_quote(&note.text, clauses) {
        return true;
    }
    extract::knows_language(clauses)
        && says_nothing_else(&note.text, clauses)
        && keeps_word_order(clauses, &note.text)
        && doubt(&note.text, clauses, (said, day), &OFFLINE_READING).is_none()
}

/// The readers that are part of the program.
pub(crate) static OFFLINE_READING: Reading = Reading {
    in_person: extract::own_words,
    said: base::dates::figures_said,
    claimed: extract::figures_claimed,
    is_calendar_word: base::dates::is_calendar_word,
    denies: extract::denies,
    knows_denials: extract::knows_language,
    capitalises_nouns: extract::capitalises_nouns,
    common_words: extract::common_words,
};

#[cfg(test)]
#[path = "grounds_tests.rs"]
mod tests;
