//! What waits for its notes: the entries that no flush has covered.
//!
//! Reads the transcript once for all parts of a flush, and holds a bounded number of entries.

use std::collections::BTreeSet;

use base::Message;
use base::disk::DiskError;
use session::{Entry, Payload, Turn, Unflushed};

use crate::evidence::ends;

/// The most entries that a flush holds at once, and the most that are noted while somebody waits.
pub(crate) const ENTRIES_MAX: usize = 2_000;

/// So many different sentences of persons may one block cover: each may become a note, and a block holds only so many.
const SENTENCES_MAX: usize = base::FLUSH_NOTES_MAX;

/// How much of the backlog a flush takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlushExtent {
    /// All of it.
    Whole,
    /// The oldest part, until [`ENTRIES_MAX`] entries are covered; the next flush goes on from there.
    Portion,
    /// All of it where it holds at most [`ENTRIES_MAX`] entries, else nothing: the owner waits for a reply.
    BeforeReply,
}

/// The unflushed entries of a session, the oldest first.
#[derive(Debug)]
pub(crate) struct Backlog {
    unflushed: Unflushed,
    read: Vec<Entry>,
}

impl Backlog {
    /// Finds what no flush has covered; `None` where that is more than this extent takes.
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

    /// The next entries: one more than [`ENTRIES_MAX`] where there are so many, which shows that more wait.
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

    /// How many entries still wait.
    pub(crate) fn n_entries(&self) -> usize {
        self.unflushed.n_entries() + self.read.len()
    }
}

/// How many of these entries, from the first on, one block has room for; at least one.
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
