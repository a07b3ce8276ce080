//! The backlog of a session: entries that no flush has covered, and the part of them that one block covers.
//!
//! Reads the transcript once for all parts of a flush and holds a bounded number of entries.

use std::collections::BTreeSet;

use base::disk::DiskError;
use base::{EntryId, Message, Tz, day};
use compaction::FlushMode;
use session::{Entry, FlushIntent, Meta, Payload, Turn, Unflushed};

use crate::writers::evidence::ends;
use crate::writers::summarise::Engines;

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

/// What to flush, and which engines write the notes.
#[derive(Debug, Clone)]
pub(crate) struct FlushOrder {
    pub(crate) mode: FlushMode,
    pub(crate) engines: Engines,
    pub(crate) extent: FlushExtent,
    /// Flushes only up to this entry and leaves the notes of the last part to the caller.
    pub(crate) through: Option<EntryId>,
}

impl FlushOrder {
    /// Session notes, without a compaction after them.
    pub(crate) fn notes(engines: Engines, extent: FlushExtent) -> Self {
        Self {
            mode: FlushMode::SessionNotes,
            engines,
            extent,
            through: None,
        }
    }
}

/// The unflushed entries of a session, oldest first.
#[derive(Debug)]
pub(crate) struct Backlog {
    unflushed: Unflushed,
    read: Vec<Entry>,
}

/// The entries that one block covers.
pub(crate) struct FlushPart {
    pub(crate) entries: Vec<Entry>,
    pub(crate) mode: FlushMode,
    pub(crate) is_last: bool,
    /// An unfinished flush of exactly these entries.
    pub(crate) begun: Option<FlushIntent>,
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

    /// The next entries, up to [`ENTRIES_MAX`] and one more, which shows that the backlog continues.
    pub(crate) fn next_entries(&mut self) -> Result<&[Entry], DiskError> {
        let n_wanted = (ENTRIES_MAX + 1).saturating_sub(self.read.len());
        for entry in self.unflushed.by_ref().take(n_wanted) {
            self.read.push(entry?);
        }
        Ok(&self.read)
    }

    /// Takes the entries of the next block: those of an unfinished flush, else those of one day as far as the order
    /// reaches.
    pub(crate) fn take_part(
        &mut self,
        state: &Meta,
        order: &FlushOrder,
        timezone: Tz,
    ) -> Result<FlushPart, DiskError> {
        let entries = self.next_entries()?;
        let n_wanted = n_up_to(entries, order.through.as_ref());
        let begun = state.intent.clone();
        let begun = begun.and_then(|intent| Some((begun_len(entries, &intent)?, intent)));
        let n_entries = if let Some((n_entries, _)) = &begun {
            *n_entries
        } else {
            let wanted = entries.get(..n_wanted).unwrap_or_default();
            let n_of_day = first_day_len(wanted, timezone).min(ENTRIES_MAX);
            n_with_room(wanted.get(..n_of_day).unwrap_or_default()).min(n_of_day)
        };
        let is_rest = n_entries >= n_wanted;
        let epoch = state.compaction_count;
        // Invariant: an epoch has at most one flush before its compaction.
        let is_flushed = state.memory_flush_compaction_count >= Some(epoch);
        let mode = match &begun {
            Some((_, intent)) if intent.before_compaction && intent.epoch == epoch => {
                FlushMode::BeforeCompaction
            }
            None if is_rest && !is_flushed => order.mode,
            Some(_) | None => FlushMode::SessionNotes,
        };
        let is_mode_met = is_flushed || order.mode == FlushMode::SessionNotes || mode == order.mode;
        Ok(FlushPart {
            entries: self.read.drain(..n_entries.min(self.read.len())).collect(),
            mode,
            is_last: is_rest && is_mode_met,
            begun: begun.map(|(_, intent)| intent),
        })
    }

    /// The number of entries left.
    pub(crate) fn n_entries(&self) -> usize {
        self.unflushed.n_entries() + self.read.len()
    }
}

/// How many of the entries an unfinished flush covers; `None` if it started elsewhere or ends on another branch.
fn begun_len(entries: &[Entry], intent: &FlushIntent) -> Option<usize> {
    let (first, last) = &intent.span;
    let begins_here = entries.first().is_some_and(|entry| entry.id == *first);
    let end = entries.iter().position(|entry| entry.id == *last)?;
    begins_here.then_some(end + 1)
}

/// How many of the unflushed entries to flush: all, or those up to `through`; none if `through` is already flushed.
fn n_up_to(entries: &[Entry], through: Option<&EntryId>) -> usize {
    let Some(through) = through else {
        return entries.len();
    };
    let position = entries.iter().position(|entry| entry.id == *through);
    let is_beyond = entries.len() > ENTRIES_MAX;
    match position {
        Some(position) => position + 1,
        None if is_beyond => entries.len(),
        None => 0,
    }
}

fn first_day_len(entries: &[Entry], timezone: Tz) -> usize {
    let mut days = entries.chunk_by(|a, b| day(a.at, timezone) == day(b.at, timezone));
    days.next().map_or(0, <[Entry]>::len)
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
