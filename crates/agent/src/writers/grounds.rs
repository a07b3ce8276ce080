//! Judges the notes of a flush: whether a cited message supports a note, and whether it is the owner's word. Holds
//! the readers of the offline engine that this and dreams use.
//!
//! Reads only the messages; in doubt a note counts as the assistant's and is kept.

use base::model::Excerpt;
use base::{Day, Message, Origin, Tz, day, sentences};
use compaction::{Grounds, NoteRefusal, ProposedNote, least_trusted};
use dreaming::{
    Doubt, KnownWords, SaidText, Sources, TextReading, clauses_of, doubts, holds_quote, is_quote,
    keeps_word_order, says_nothing_else, without_reckoned_dates,
};

/// The most sentences that a quote extends over.
const SENTENCES_MAX: usize = 3;

/// Judges a note by the messages that it cites.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MessageGrounds<'a> {
    /// The time zone that dates messages.
    pub(crate) timezone: Tz,
    /// Earlier notes: a note may name the value that a new value replaces.
    pub(crate) noted: &'a [String],
}

impl Grounds for MessageGrounds<'_> {
    fn origin(
        &self,
        note: &ProposedNote,
        cited: &[&Excerpt],
        all: &[Excerpt],
    ) -> Result<Origin, NoteRefusal> {
        if !is_quote(&note.quote) {
            return Err(NoteRefusal::NoQuote);
        }
        let holds = |excerpt: &&&Excerpt| holds_quote(&shown(&excerpt.message), &note.quote);
        let carrying: Vec<&&Excerpt> = cited.iter().filter(holds).collect();
        if carrying.is_empty() {
            return Err(NoteRefusal::QuoteNotFound);
        }
        let is_foreign = |noted| has_foreign_literal(note, (cited, all), noted, self.timezone);
        // Most notes need nothing that was noted before, which is long.
        if is_foreign(&[]) && (self.noted.is_empty() || is_foreign(self.noted)) {
            return Err(NoteRefusal::NotSaid);
        }
        // The assistant's reply next to the owner's words only completes them.
        let is_owners = |excerpt: &&&Excerpt| excerpt.origin == Origin::Owner;
        let has_owners = carrying.iter().any(is_owners);
        let origins = cited.iter().map(|excerpt| excerpt.origin);
        let origins = origins.filter(|it| !has_owners || *it != Origin::Agent);
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

    fn sentence(&self, note: &ProposedNote, cited: &[&Excerpt]) -> Option<String> {
        let mut texts = cited.iter().map(|excerpt| shown(&excerpt.message));
        texts.find_map(|text| sentences_with(&text, &note.quote))
    }
}

/// The fewest sentences of a text that contain a quote.
pub(crate) fn sentences_with(text: &str, quote: &str) -> Option<String> {
    let all: Vec<&str> = text.lines().flat_map(sentences).collect();
    let runs = (1..=SENTENCES_MAX).flat_map(|n_sentences| all.windows(n_sentences));
    let mut runs = runs.map(|run| run.join(" "));
    runs.find(|run| holds_quote(run, quote))
}

/// Whether a note has a figure, date, name or address that is neither in a message that the model was shown nor in an
/// earlier note.
fn has_foreign_literal(
    note: &ProposedNote,
    (cited, all): (&[&Excerpt], &[Excerpt]),
    noted: &[String],
    timezone: Tz,
) -> bool {
    let said = cited
        .iter()
        .map(|excerpt| (shown(&excerpt.message), day(excerpt.at, timezone)));
    let said: Vec<SaidText> = said.collect();
    let texts = all.iter().map(|excerpt| shown(&excerpt.message));
    let known = KnownWords::of(texts.chain(noted.iter().cloned()), &OFFLINE_READING);
    let days = all.iter().map(|excerpt| day(excerpt.at, timezone));
    let Some(today) = days.max() else {
        return false;
    };
    let sources = Sources {
        said: &said,
        known: &known,
        today,
    };
    let found = doubts(&note.text, &note.quote, sources, &OFFLINE_READING);
    let is_literal = |doubt: &Doubt| match doubt {
        Doubt::Figure(_) | Doubt::Date(_) | Doubt::Name(_) => true,
        Doubt::Denial | Doubt::Words(_) | Doubt::Foreign(_) => false,
    };
    found.iter().any(is_literal)
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
        Message::User { name: None, .. } => base::own_words(&message.text()),
        Message::User { name: Some(_), .. } | Message::Assistant(_) | Message::ToolResult(_) => {
            String::new()
        }
    }
}

/// Whether a note repeats whole clauses of a message, with or without the days that they mean in brackets, or shortens
/// them without changing their meaning. The latter needs a language whose negations are known.
fn is_owners_word(note: &ProposedNote, said: &str, day: Day) -> bool {
    let clauses = clauses_of(said, &note.quote);
    let repeats = |text: &str| holds_quote(clauses, text) && holds_quote(text, clauses);
    if repeats(&note.text) {
        return true;
    }
    let own = [(clauses.to_owned(), day)];
    let sources = Sources {
        said: &own,
        known: &KnownWords::default(),
        today: day,
    };
    let is_kept = || {
        extract::knows_language(clauses)
            && says_nothing_else(&note.text, clauses)
            && keeps_word_order(clauses, &note.text)
    };
    (repeats(&without_reckoned_dates(&note.text)) || is_kept())
        && doubts(&note.text, clauses, sources, &OFFLINE_READING).is_empty()
}

/// The built-in readers, from the language data of the offline engine.
pub(crate) const OFFLINE_READING: TextReading = TextReading {
    in_person: base::own_words,
    paragraph_chars_max: 600,
    claimed: extract::figures_claimed,
    is_calendar_word: base::dates::is_calendar_word,
    denies: extract::denies,
    capitalises_nouns: extract::capitalises_nouns,
    common_words: extract::common_words,
    is_first_person: extract::is_first_person,
    opens: extract::opens,
};

#[cfg(test)]
#[path = "grounds_tests.rs"]
mod tests;
