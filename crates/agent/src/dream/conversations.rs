//! Gives sessions to dreams: what was said, with the entries that say it.
//!
//! Never gives what was left by a rewind, what was recalled, or what the program says itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{EntryId, Message, SessionId, TokenCount};
use dreaming::{ConversationError, Conversations, Said, SessionStat};
use memory::{Tombstones, Workspace, load_tombstones};
use session::{
    Entry, LineContent, LineStart, Payload, ReadError, ResumeLimit, SessionName, SessionStore,
};

use crate::forgotten::is_forgotten;
use crate::heartbeat::{Heartbeats, last_spoken};
use crate::session_source::{SessionSource, said};

/// As much of a session is read to see when somebody last spoke in it: what lies before as many health
/// checks is not looked for.
const TAIL: ResumeLimit = ResumeLimit {
    tokens: TokenCount(20_000),
};

/// The sessions of a home as dreams read them.
#[derive(Debug, Clone)]
pub struct SessionConversations {
    sessions: SessionStore,
    workspace: Arc<Workspace>,
}

/// The sessions that are there, and what of them was forgotten.
struct Known {
    present: BTreeMap<SessionId, SessionName>,
    ids: BTreeSet<SessionId>,
    tombstones: Tombstones,
}

impl SessionConversations {
    /// The sessions of `sessions`, without what was forgotten in `workspace`.
    pub fn new(sessions: SessionStore, workspace: Arc<Workspace>) -> Self {
        Self {
            sessions,
            workspace,
        }
    }

    fn tombstones(&self) -> Result<Tombstones, ConversationError> {
        load_tombstones(&self.workspace).map_err(|error| ConversationError {
            path: "sessions".to_owned(),
            cause: Box::new(error),
        })
    }

    fn present(&self) -> Result<BTreeMap<SessionId, SessionName>, ReadError> {
        let names = self.sessions.names()?.into_iter();
        let known = names.filter_map(|name| {
            let lineage = self.sessions.lineage(&name).ok()?;
            Some((lineage.session, name))
        });
        Ok(known.collect())
    }

    /// What is known of all sessions before one of them is read.
    fn known(&self) -> Result<Known, ConversationError> {
        let present = self.present().map_err(|error| failed("sessions", error))?;
        Ok(Known {
            ids: present.keys().cloned().collect(),
            present,
            tombstones: self.tombstones()?,
        })
    }

    /// Gives what is said in a session, each with its place in bytes.
    fn read_one(
        &self,
        known: &Known,
        path: &str,
        sink: &mut dyn FnMut(Said, u64),
    ) -> Result<(), ConversationError> {
        let name = SessionSource::name_of(path).ok_or_else(|| ConversationError {
            path: path.to_owned(),
            cause: "no session has such a path".into(),
        })?;
        let session = known.present.iter().find(|(_, own)| **own == name);
        let Some((session, _)) = session else {
            return Ok(());
        };
        let all = (&known.ids, &known.tombstones);
        let mut give = |said: Said, offset: u64| {
            sink(said, offset);
            true
        };
        let read = self.messages((&name, session), all, &mut give);
        read.map_err(|error| failed(path, error))
    }

    /// The entries of a session that belong to health checks which found nothing.
    fn heartbeats(&self, name: &SessionName) -> Result<BTreeSet<EntryId>, ReadError> {
        let mut turns = Heartbeats::default();
        for line in self.sessions.live_lines(name, LineStart::FIRST)? {
            if let LineContent::Entry(entry) = line?.content {
                turns.take(&entry);
            }
        }
        Ok(turns.found())
    }

    /// Gives what is said in a session to `sink`, which says whether it wants more.
    fn messages(
        &self,
        (name, session): (&SessionName, &SessionId),
        (present, tombstones): (&BTreeSet<SessionId>, &Tombstones),
        sink: &mut dyn FnMut(Said, u64) -> bool,
    ) -> Result<(), ReadError> {
        let checks = self.heartbeats(name)?;
        for line in self.sessions.live_lines(name, LineStart::FIRST)? {
            let line = line?;
            let LineContent::Entry(entry) = &line.content else {
                continue;
            };
            if checks.contains(&entry.id) {
                continue;
            }
            let Some((_, text, origin)) = said(entry, present) else {
                continue;
            };
            if is_forgotten(entry, tombstones) {
                continue;
            }
            let text = crate::fence::without_fenced(&text);
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let own = Said {
                path: SessionSource::path_of(name),
                session: session.clone(),
                entry: entry.id.clone(),
                line: usize::try_from(line.number).unwrap_or(usize::MAX),
                at: entry.at,
                origin,
                is_person: is_person(entry),
                text: text.to_owned(),
            };
            if !sink(own, line.offset) {
                break;
            }
        }
        Ok(())
    }
}

impl Conversations for SessionConversations {
    fn sessions(&self) -> Result<Vec<SessionStat>, ConversationError> {
        let names = self
            .sessions
            .names()
            .map_err(|error| failed("sessions", error))?;
        let stats = names.iter().filter_map(|name| {
            let stat = self.sessions.stat(name).ok()??;
            let read = self.sessions.read(name, TAIL).ok();
            let last = read.and_then(|read| {
                let last = last_spoken(&read.view.items)?.at;
                Some((last, read.leaf?))
            });
            Some(SessionStat {
                path: SessionSource::path_of(name),
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
        self.read_one(&self.known()?, path, &mut |said, offset| {
            if offset >= from {
                sink(said);
            }
        })
    }

    fn find(&self, entries: &[(SessionId, EntryId)]) -> Result<Vec<Said>, ConversationError> {
        let Known {
            present,
            ids,
            tombstones,
        } = self.known()?;
        let mut found = Vec::new();
        for (session, name) in &present {
            let mut wanted: BTreeSet<&EntryId> = entries
                .iter()
                .filter(|(own, _)| own == session)
                .map(|(_, entry)| entry)
                .collect();
            if wanted.is_empty() {
                continue;
            }
            let read = self.messages((name, session), (&ids, &tombstones), &mut |said, _| {
                if wanted.remove(&said.entry) {
                    found.push(said);
                }
                !wanted.is_empty()
            });
            read.map_err(|error| failed(name.as_str(), error))?;
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
