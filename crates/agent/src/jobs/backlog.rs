//! The backlog of a session: entries that no flush has covered.
//!
//! Reads the transcript once for all parts of a flush and holds a bounded number of entries.

use std::collections::BTreeSet;

use base::Message;
use base::disk::DiskError;
use session::{Entry, Payload, Turn, Unflushed};

use crate::writers::evidence::ends;

/// Limit of entries that a flush holds at once, and of those flushed while the owner waits.
pub(crate) const ENTRIES_MAX: usize = 2_000;

/// Limit of distinct user sentences per block: each may become a note, and a block holds only so many notes.
const SENTENCES_MAX: usize = base::FLUSH_NOTES_MAX;

/// How much of the backlog to flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlushExtent {
    Whole,
    /// The oldest entries, until [`ENTRIES_MAX`] are covered; the next flush continues there.
    Portion,
    /// All of it if it holds at most [`ENTRIES_MAX`] entries, else nothing: the owner waits for a reply.
    BeforeReply,
}

/// The unflushed entries of a session, oldest first.
#[derive(Debug)]
pub(crate) struct Backlog {
    unflushed: Unflushed,
    read: Vec<Entry>,
}

impl Backlog {
    /// Opens the backlog; `None` if it exceeds this extent.
    pub(crate) fn open(turn: &Turn, extent: FlushExtent) -> Result<Option<Self>, DiskError> {
        let unflushed = match extent {
            FlushExtent::Whole | FlushExtent::Portion => Some(turn.unflushed()?),
            FlushExtent::BeforeReply => turn.unflushed_up_to(ENTRIES_MAX)?,
        };
        Ok(unflushed.map(|unflushed| Self {
            unflushed,
            read: Vec::new(),
        }))
    }

    /// The next entries, up to [`ENTRIES_MAX`] and one more, which shows that the backlog goes on.
    pub(crate) fn next_entries(&mut self) -> Result<&[Entry], DiskError> {
        let n_wanted = (ENTRIES_MAX + 1).saturating_sub(self.read.len());
        for entry in self.unflushed.by_ref().take(n_wanted) {
            self.read.push(entry?);
        }
        Ok(&self.read)
    }

    pub(crate) fn take(&mut self, n_entries: usize) -> Vec<Entry> {
        self.read.drain(..n_entries.min(self.read.len())).collect()
    }

    /// The number of entries left.
    pub(crate) fn n_entries(&self) -> usize {
        self.unflushed.n_entries() + self.read.len()
    }
}

/// How many of these entries, from the first, fit into one block; at least one unless there are none.
pub(crate) fn n_with_room(entries: &[Entry]) -> usize {
    let mut said = BTreeSet::new();
    let n_fitting = entries.iter().take_while(|entry| {
        if let Payload::Message(stored) = &entry.payload
            && matches!(stored.message, Message::User { .. })
        {
            let text = ends(&stored.message.text()).into_owned();
            said.extend(base::sentences(&text).into_iter().map(str::to_owned));
        }
        said.len() <= SENTENCES_MAX
    });
    n_fitting.count().max(1).min(entries.len())
}

#[cfg(test)]
#[path = "backlog_tests.rs"]
mod tests;
