//! Gives sessions to dreams: what was said, with the entries that say it.
//!
//! Never gives what was left by a rewind, what was recalled, or what the program says itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{EntryId, Message, SessionId, TokenCount, Tz};
use dreaming::{ConversationError, Conversations, Said, SessionStat};
use memory::Workspace;
use search::SourceError;
use session::{
    Entry, LineContent, LineStart, Payload, ReadError, ResumeLimit, SessionName, SessionStore,
};

use crate::heartbeat::{Heartbeats, last_spoken};
use crate::scope::Repository;
use crate::session_source::SessionSource;

/// As much of a session is read to see when somebody last spoke in it: what lies before as many health
/// checks is not looked for.
const TAIL: ResumeLimit = ResumeLimit {
    tokens: TokenCount(20_000),
};

/// The sessions of a home as dreams read them.
#[derive(Debug)]
pub struct SessionConversations {
    sessions: SessionStore,
    source: SessionSource,
}

impl SessionConversations {
    /// The sessions of `sessions`, without what was forgotten in `workspace`.
    pub fn new(sessions: SessionStore, workspace: Arc<Workspace>) -> Self {
        // Dreams reckon days by themselves.
        let source = SessionSource::new(sessions.clone(), Tz::UTC).hiding(workspace);
        Self { sessions, source }
    }

    /// Gives what is said in a session to `sink`, each with its place in bytes.
    fn messages(
        &self,
        (name, session): (&SessionName, &SessionId),
        sink: &mut dyn FnMut(Said, u64),
    ) -> Result<(), ConversationError> {
        let path = SessionSource::path_of(name);
        let mut turns = Heartbeats::default();
        self.each_entry(name, &mut |entry| turns.take(entry))
            .map_err(|error| failed(&path, error))?;
        // Health checks that found nothing.
        let checks = turns.found();
        let read = self
            .source
            .each_line(&path, LineStart::FIRST, &mut |line, message| {
                let LineContent::Entry(entry) = &line.content else {
                    return;
                };
                if !checks.contains(&entry.id) {
                    let said = Said {
                        path: path.clone(),
                        session: session.clone(),
                        entry: entry.id.clone(),
                        line: message.place.line,
                        at: entry.at,
                        origin: message.origin,
                        is_person: is_person(entry),
                        text: message.text,
                    };
                    sink(said, line.offset);
                }
            });
        read.map_err(|SourceError { path, cause }| ConversationError { path, cause })
    }

    fn each_entry(
        &self,
        name: &SessionName,
        sink: &mut dyn FnMut(&Entry),
    ) -> Result<(), ReadError> {
        for line in self.sessions.live_lines(name, LineStart::FIRST)? {
            if let LineContent::Entry(entry) = &line?.content {
                sink(entry);
            }
        }
        Ok(())
    }

    fn names(&self) -> Result<Vec<SessionName>, ConversationError> {
        let names = self.sessions.names();
        names.map_err(|error| failed("sessions", error))
    }
}

impl Conversations for SessionConversations {
    fn sessions(&self) -> Result<Vec<SessionStat>, ConversationError> {
        // What was said in a repository stays there: nothing of it becomes a memory that others see.
        let names = self.names()?.into_iter();
        let names = names.filter(|name| Repository::of_session(name.as_str()).is_none());
        let stats = names.filter_map(|name| {
            let stat = self.sessions.stat(&name).ok()??;
            let read = self.sessions.read(&name, TAIL).ok();
            let last = read.and_then(|read| {
                let last = last_spoken(&read.view.items)?.at;
                Some((last, read.leaf?))
            });
            Some(SessionStat {
                path: SessionSource::path_of(&name),
                n_bytes: stat.len,
                last,
            })
        });
        Ok(stats.collect())
    }

    fn read(
        &self,
        path: &str,
        from: u64,
        sink: &mut dyn FnMut(Said),
    ) -> Result<(), ConversationError> {
        let name = SessionSource::name_of(path).ok_or_else(|| ConversationError {
            path: path.to_owned(),
            cause: "no session has such a path".into(),
        })?;
        // What is not there, or cannot be read, says nothing.
        let Ok(lineage) = self.sessions.lineage(&name) else {
            return Ok(());
        };
        self.messages((&name, &lineage.session), &mut |said, offset| {
            if offset >= from {
                sink(said);
            }
        })
    }

    fn find(&self, entries: &[(SessionId, EntryId)]) -> Result<Vec<Said>, ConversationError> {
        let mut found = Vec::new();
        for name in self.names()? {
            let Ok(lineage) = self.sessions.lineage(&name) else {
                continue;
            };
            let wanted = entries.iter().filter(|(own, _)| *own == lineage.session);
            let mut wanted: BTreeSet<&EntryId> = wanted.map(|(_, entry)| entry).collect();
            if !wanted.is_empty() {
                self.messages((&name, &lineage.session), &mut |said, _| {
                    if wanted.remove(&said.entry) {
                        found.push(said);
                    }
                })?;
            }
        }
        Ok(found)
    }
}

fn is_person(entry: &Entry) -> bool {
    matches!(&entry.payload, Payload::Message(stored) if matches!(stored.message, Message::User { .. }))
}

fn failed(path: &str, error: ReadError) -> ConversationError {
    ConversationError {
        path: path.to_owned(),
        cause: Box::new(error),
    }
}
