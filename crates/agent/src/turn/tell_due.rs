//! Reports due reminders in a turn, or in a chat that waits: one event for each.
//!
//! Claims only for a door that shows the event.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use memory::FileError;
use memory::promises::Promise;
use search::{Nearest, SearchOptions};
use session::SessionName;

use crate::event::{Event, OnEvent};
use crate::knowledge::index::COMMON_WORDS;
use crate::knowledge::worth::IN_CHAT;
use crate::reminders::{DueReminder, claim_in_session, claim_subject_in_session, settle_told};
use crate::runtime::Runtime;
use crate::turn::recall::FOUND_MAX;

/// How likely a line must be to bear on a message that shares no word with it.
const BY_MEANING: f64 = 0.3;

/// Claims the reminders that are due in a session, and reports each: once for all doors.
pub fn tell_due(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) {
    match claim_in_session(runtime, name) {
        Ok(due) if due.is_empty() => {}
        Ok(due) => {
            for own in due {
                on_event(Event::ReminderDue(own));
            }
            settle_told(&runtime.home);
        }
        Err(error) => on_event(Event::Warning(format!("PROMISES.md was not read: {error}"))),
    }
}

/// Reports one reminder whose subject a message brings up: one whose line recall, asked about that page alone, finds
/// likely enough to bear on the message. Nothing is searched while no such reminder can be told.
pub(crate) fn tell_subject(
    runtime: &Runtime,
    name: &SessionName,
    message: &str,
    on_event: OnEvent<'_>,
) {
    let told = subject_come_up(runtime, name, message);
    match told {
        Ok(own) => own
            .into_iter()
            .for_each(|own| on_event(Event::ReminderDue(own))),
        Err(error) => on_event(Event::Warning(format!("PROMISES.md was not read: {error}"))),
    }
}

/// How likely the line of a promise must be to bear on a message with these words; `None` if the message only shares words
/// with what to say about the subject.
fn subject_bar(own: &Promise, words: &BTreeSet<String>) -> Option<f64> {
    let shares = |text: &str| !COMMON_WORDS.telling_stems(text).is_disjoint(words);
    if shares(own.occasion.subject()?) {
        Some(IN_CHAT.best)
    } else {
        (!shares(&own.text)).then_some(BY_MEANING)
    }
}

fn subject_come_up(
    runtime: &Runtime,
    name: &SessionName,
    message: &str,
) -> Result<Option<DueReminder>, FileError> {
    let (home, knowledge) = (&runtime.home, runtime.memory.knowledge.as_deref());
    let knowledge = knowledge.filter(|_| runtime.is_primary(name) && runtime.sandbox.is_none());
    let Some(knowledge) = knowledge else {
        return Ok(None);
    };
    let page = home.workspace.promises_path().to_string();
    let options = SearchOptions {
        limit: FOUND_MAX,
        notes: vec![page.clone()],
        nearest: Nearest::Always,
        ..SearchOptions::default()
    };
    let found = OnceCell::new();
    let search = || {
        let answer = knowledge.recall(message, &options);
        // Recall reports a failed search.
        answer.map_or_else(|_| Vec::new(), |it| it.results)
    };
    let words = COMMON_WORDS.telling_stems(message);
    let has_come_up = |own: &Promise| {
        let bar = subject_bar(own, &words)?;
        let mut results = found.get_or_init(search).iter();
        results.position(|it| {
            let is_of_line = (it.start_line..=it.end_line).contains(&own.line);
            it.likelihood >= bar && it.path == page && is_of_line
        })
    };
    claim_subject_in_session(runtime, name, &has_come_up)
}
