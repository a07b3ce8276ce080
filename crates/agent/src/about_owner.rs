//! What memory holds of the owner as a whole: their files, the last notes, what they said in the session.
//!
//! Searches nothing: who asks what is known about them names no word of it.

use std::collections::VecDeque;

use base::{Origin, redact};
use memory::{AboutOwner, PassageKind, SearchResult, Source};
use models::told_about_owner;
use session::SessionName;

use crate::{Runtime, SessionSource};

/// A longer transcript is not read for this.
const TRANSCRIPT_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// So many of the last messages of the owner are given.
const MESSAGES_MAX: usize = 20;

/// What is known about the owner, what always holds first; what cannot be read is told and left out.
pub(crate) fn about_owner(
    runtime: &Runtime,
    name: &SessionName,
    warn: &mut dyn FnMut(String),
) -> AboutOwner {
    let mut about = runtime.workspace.about_owner().unwrap_or_else(|error| {
        warn(format!("not all that is known was read: {error}"));
        AboutOwner::default()
    });
    about.found.extend(said(runtime, name, warn));
    about
}

/// What the owner said last in the session, newest first.
fn said(
    runtime: &Runtime,
    name: &SessionName,
    warn: &mut dyn FnMut(String),
) -> VecDeque<SearchResult> {
    let mut found = VecDeque::new();
    let stat = runtime.sessions.stat(name).ok().flatten();
    let is_short = stat.is_some_and(|stat| stat.len <= TRANSCRIPT_BYTES_MAX);
    let Some(knowledge) = runtime.knowledge.as_ref().filter(|_| is_short) else {
        return found;
    };
    let path = SessionSource::path_of(name);
    let read = knowledge.sessions().each_entry(&path, &mut |_, message| {
        let told = told_about_owner(&redact(&message.text));
        if message.origin == Origin::Owner && message.speaker == "user" && !told.is_empty() {
            found.push_front(SearchResult {
                source: Source::Session,
                path: path.clone(),
                start_line: message.place.line,
                end_line: message.place.line,
                text: told,
                score: 0.0,
                kind: PassageKind::Message,
                speaker: Some(message.speaker),
                origin: message.origin,
                day: message.day,
                renews: None,
                also: Vec::new(),
                explanation: None,
            });
            found.truncate(MESSAGES_MAX);
        }
    });
    if let Err(error) = read {
        warn(format!("not all that was said was read: {error}"));
    }
    found
}
