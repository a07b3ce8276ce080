//! Reads sessions for dreams: messages with their entries.
//!
//! Skips branches that a rewind abandoned, recalled text, health checks, and the program's own messages.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{
    EntryId, Message, Origin, SessionId, SourceError, Timestamp, TokenCount, Tz, only_asks, redact,
};
use dreaming::{Conversations, FoundMessage, SessionStat, SpokenMessage, hear};
use memory::Workspace;
use session::{Entry, LineContent, Payload, ReadError, ResumeLimit, SessionName, SessionStore};

use crate::heartbeat::{Heartbeats, last_spoken};
use crate::knowledge::scope::Repository;
use crate::knowledge::session_source::SessionSource;

/// How much of a session's end is read to find its last message; a message before that many health checks is not
/// found.
const TAIL: ResumeLimit = ResumeLimit {
    tokens: TokenCount(20_000),
};

/// How much of a session's end is read to find the owner's questions.
const ENTRIES_MAX: usize = 2_000;

/// The sessions of a home, for dreams.
#[derive(Debug)]
pub struct SessionConversations {
    sessions: SessionStore,
    source: SessionSource,
}

impl SessionConversations {
    /// Reads `sessions`, without entries forgotten in `workspace`.
    pub fn new(sessions: SessionStore, workspace: Arc<Workspace>) -> Self {
        // The zone does not matter: dreams compute days themselves.
        let source = SessionSource::new(sessions.clone(), Tz::UTC).hiding(workspace);
        Self { sessions, source }
    }

    /// Passes the newest messages of a session to `sink`, in order. Starts at the newest entry that `ends` accepts, but
    /// at most this many entries back.
    pub(crate) fn newest(
        &self,
        name: &SessionName,
        (n_entries_max, ends): (usize, &mut dyn FnMut(&Entry) -> bool),
        sink: &mut dyn FnMut(SpokenMessage),
    ) -> Result<(), SourceError> {
        let path = SessionSource::path_of(name);
        // A missing or unreadable session yields no messages, as in `read`.
        let from = self.sessions.look_back(name, n_entries_max, ends);
        self.read(&path, from.unwrap_or_default(), sink)
    }

    /// Passes each message of a session to `sink`, from the turn on that holds the byte `from`.
    fn messages(
        &self,
        name: &SessionName,
        (session, from): (&SessionId, u64),
        sink: &mut dyn FnMut(SpokenMessage),
    ) -> Result<(), SourceError> {
        let path = SessionSource::path_of(name);
        let failed = |error: ReadError| SourceError::new(&path, error);
        let mut turns = Heartbeats::default();
        for line in self.sessions.turns_from(name, from).map_err(failed)? {
            let line = line.map_err(|error| SourceError::new(&path, error))?;
            if let LineContent::Entry(entry) = &line.content {
                turns.take(entry);
            }
        }
        let checks = turns.found();
        let lines = self.sessions.turns_from(name, from).map_err(failed)?;
        self.source.each_of(&path, lines, &mut |line, message| {
            let LineContent::Entry(entry) = &line.content else {
                return;
            };
            if !checks.contains(&entry.id) {
                let said = SpokenMessage {
                    path: path.clone(),
                    session: session.clone(),
                    entry: entry.id.clone(),
                    line: message.place.line,
                    offset: line.offset,
                    at: entry.at,
                    origin: message.origin,
                    is_person: is_person(entry),
                    // Here, because no cut or quotation of it may split a secret.
                    text: redact(&message.text).into_owned(),
                };
                sink(said);
            }
        })
    }

    /// The sessions that dreams read. Those of a repository are private to it: nothing from them may become a memory
    /// that others see.
    fn names(&self) -> Result<impl Iterator<Item = SessionName>, SourceError> {
        let names = self.source.names()?.into_iter();
        Ok(names.filter(|name| Repository::holding(&self.sessions, name).is_none()))
    }

    /// The newest messages since then in which the owner only asks, at most this many, the newest first.
    pub(super) fn questions(
        &self,
        since: Timestamp,
        n_max: usize,
    ) -> Result<Vec<String>, SourceError> {
        let mut asked: Vec<(Timestamp, String)> = Vec::new();
        for name in self.names()? {
            let mut is_older = |entry: &Entry| entry.at < since;
            let read = self.newest(&name, (ENTRIES_MAX, &mut is_older), &mut |said| {
                let is_owners = said.is_person && said.origin == Origin::Owner;
                if is_owners && said.at >= since && only_asks(&said.text) {
                    asked.push((said.at, said.text));
                }
            });
            // The flush before the dream reports why it cannot be read.
            drop(read);
        }
        asked.sort_by(|left, right| right.cmp(left));
        let asked = asked.into_iter().take(n_max);
        Ok(asked.map(|(_, text)| text).collect())
    }
}

impl Conversations for SessionConversations {
    fn sessions(&self) -> Result<Vec<SessionStat>, SourceError> {
        let stats = self.names()?.filter_map(|name| {
            let n_bytes = match self.sessions.stat(&name) {
                Ok(stat) => stat?.len,
                // List it anyway: the flush before the dream reports why it cannot be read.
                Err(_) => 0,
            };
            let read = self.sessions.read(&name, TAIL).ok();
            let is_flushed = read.as_ref().is_some_and(|read| {
                let newest = read.view.items.last().map(|item| &item.entry);
                newest.is_some() && newest == read.state.flushed_through.as_ref()
            });
            let last = read.and_then(|read| {
                let last = last_spoken(&read.view.items)?.at;
                Some((last, read.leaf?))
            });
            Some(SessionStat {
                path: SessionSource::path_of(&name),
                n_bytes,
                last,
                is_flushed,
            })
        });
        Ok(stats.collect())
    }

    fn read(
        &self,
        path: &str,
        from: u64,
        sink: &mut dyn FnMut(SpokenMessage),
    ) -> Result<(), SourceError> {
        let missing = || SourceError::new(path, "there is no session at this path");
        let name = SessionSource::name_of(path).ok_or_else(missing)?;
        // A missing or unreadable session yields no messages.
        let Ok(lineage) = self.sessions.lineage(&name) else {
            return Ok(());
        };
        self.messages(&name, (&lineage.session, from), &mut |said| {
            if said.offset >= from {
                sink(said);
            }
        })
    }

    fn find(
        &self,
        entries: &[(Option<SessionId>, EntryId)],
    ) -> Result<Vec<FoundMessage>, SourceError> {
        let mut found: Vec<FoundMessage> = Vec::new();
        for name in self.source.names()? {
            let Ok(lineage) = self.sessions.lineage(&name) else {
                continue;
            };
            let is_there =
                |own: &Option<SessionId>| own.as_ref().is_none_or(|own| *own == lineage.session);
            let wanted = entries.iter().filter(|(own, _)| is_there(own));
            let mut wanted: BTreeSet<&EntryId> = wanted.map(|(_, entry)| entry).collect();
            if !wanted.is_empty() {
                let mut is_answering = false;
                self.messages(&name, (&lineage.session, 0), &mut |said| {
                    if wanted.remove(&said.entry) {
                        is_answering = true;
                        found.push(FoundMessage {
                            said,
                            heard: Vec::new(),
                        });
                    } else if said.is_person {
                        is_answering = false;
                    } else if is_answering
                        && said.origin == Origin::Untrusted
                        && let Some(newest) = found.last_mut()
                    {
                        hear(&mut newest.heard, said.text);
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
