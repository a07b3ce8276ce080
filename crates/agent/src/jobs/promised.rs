//! Writes down what the assistant promised in its own reply: lines of `PROMISES.md` that become reminders once the owner
//! agrees.
//!
//! Never computes a time: the one reader of dates reads the assistant's own sentence, which is the text of the line.

use base::dates::time_ahead_in;
use base::model::Excerpt;
use base::{Message, Origin};
use compaction::{FlushNote, FlushNotes, FlushSection};
use dreaming::holds_quote;
use memory::promises::{NewPromise, Promise, PromiseError, PromiseKind, add_promise};
use session::Turn;

use crate::event::{Event, OnEvent};
use crate::knowledge::scope::Repository;
use crate::reminders::proposed;
use crate::runtime::HomeAccess;
use crate::writers::grounds::sentences_with;
use crate::writers::notes::NotesBrief;

/// Takes the promises out of the notes and proposes them to the owner; one without a certain time stays as a note on work
/// to do.
pub(crate) fn propose_promised(
    home: &HomeAccess,
    turn: &Turn,
    (brief, mut notes): (&NotesBrief, FlushNotes),
    on_event: OnEvent<'_>,
) -> FlushNotes {
    let mut kept = Vec::new();
    for note in notes.notes {
        if note.section != FlushSection::Promised {
            kept.push(note);
            continue;
        }
        // Others talk in an isolated session.
        let new = promise_of(home, brief, &note).filter(|_| !turn.state().is_isolated);
        let made = new.map(|new| propose(home, turn, new));
        match made {
            Some(Ok(Some(own))) => on_event(Event::Notice(proposed(home, &own))),
            Some(Ok(None)) => {}
            Some(Err(error)) => {
                on_event(Event::Warning(format!(
                    "PROMISES.md was not changed: {error}"
                )));
            }
            None => kept.push(FlushNote {
                section: FlushSection::TaskProgress,
                ..note
            }),
        }
    }
    kept.sort_by_key(|note| note.section);
    notes.notes = kept;
    notes
}

/// The promise in the sentence of the assistant that a note quotes, if its time is certain and ahead.
fn promise_of(home: &HomeAccess, brief: &NotesBrief, note: &FlushNote) -> Option<NewPromise> {
    let is_promising = |it: &&Excerpt| {
        let is_cited = it
            .entry
            .as_ref()
            .is_some_and(|own| note.evidence.contains(own));
        let is_own = matches!(it.message, Message::Assistant(_)) && it.origin == Origin::Agent;
        is_cited && is_own && holds_quote(&it.message.text(), &note.quote)
    };
    let excerpt = brief.excerpts.iter().find(is_promising)?;
    let sentence = sentences_with(&excerpt.message.text(), &note.quote)?;
    let read = time_ahead_in(&sentence, excerpt.at.with_timezone(&home.timezone));
    let when = read.when.ok().flatten()?;
    let new = NewPromise {
        kind: PromiseKind::Promised,
        origin: Origin::Agent,
        evidence: excerpt.entry.iter().cloned().collect(),
        ..NewPromise::reminder(when, sentence)
    };
    let now = home.clock.now().with_timezone(&home.timezone).naive_local();
    let due = new.occasion.when()?;
    (due.local() > now).then_some(new)
}

/// Writes a promise down; `None` if it stood in the page before, dropped or not.
fn propose(
    home: &HomeAccess,
    turn: &Turn,
    new: NewPromise,
) -> Result<Option<Promise>, PromiseError> {
    let repository = Repository::holding(&home.sessions, turn.name());
    let new = NewPromise {
        session: repository.map(|own| own.notes()),
        ..new
    };
    let added = add_promise(&home.workspace, new, home.clock.now(), home.timezone)?;
    Ok(added.is_new.then_some(added.promise))
}

#[cfg(test)]
#[path = "promised_tests.rs"]
mod tests;
