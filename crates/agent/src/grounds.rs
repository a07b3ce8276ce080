//! Judges the notes of a flush: whether a cited message supports a note, and whether it is the owner's word. Holds
//! the readers of the offline engine that this and dreams use.
//!
//! Reads only the messages; in doubt a note counts as the assistant's and is kept.

use base::model::Excerpt;
use base::{Day, Message, Origin, Tz, day};
use compaction::{Grounds, NoteRefusal, ProposedNote, least_trusted};
use dreaming::{
    TextReading, clauses_of, doubt, holds_quote, is_quote, keeps_word_order, says_nothing_else,
};

/// Judges a note by the messages that it cites.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MessageGrounds {
    /// The time zone that dates messages.
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
            // The quote is not in the owner's own words: the owner quotes another person.
            None => Origin::Untrusted,
            Some((said, day)) if is_owners_word(note, &said, day) => Origin::Owner,
            Some(_) => Origin::Agent,
        })
    }
}

/// A message as the note-taking model sees it: text and tool calls.
fn shown(message: &Message) -> String {
    let calls = message.tool_calls();
    let calls = calls.map(|call| format!("calls {} with {}", call.name, call.arguments));
    let parts: Vec<String> = std::iter::once(message.text()).chain(calls).collect();
    parts.join("\n")
}

/// The owner's own words in a message; empty for a message under another name.
fn in_person(message: &Message) -> String {
    match message {
        Message::User { name: None, .. } => extract::own_words(&message.text()),
        Message::User { name: Some(_), .. } | Message::Assistant(_) | Message::ToolResult(_) => {
            String::new()
        }
    }
}

/// Whether a note repeats whole clauses of a message, or shortens them without changing their meaning. The latter
/// needs a language whose negations are known.
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

/// The built-in readers, from the language data of the offline engine.
pub(crate) static OFFLINE_READING: TextReading = TextReading {
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
