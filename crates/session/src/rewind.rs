//! Plans a rewind: which messages would leave the live branch and which would return to it.
//!
//! Plans only; `Turn::append_rewind` carries it out.

use std::cmp::Ordering;

use base::EntryId;
use base::disk::DiskError;

use crate::path::{Path, PathLine};
use crate::reader::TranscriptFile;
use crate::view::read_view_at;
use crate::{Entry, EntryPointer, Payload, ResumeLimit, View};

/// The effect that a rewind would have.
#[derive(Debug, Clone, PartialEq)]
pub struct RewindPlan {
    /// The entry to continue from.
    pub target: EntryPointer,
    /// Whether the conversation already continues from the target.
    pub is_there: bool,
    /// The messages that would move to a dead branch; `None` if there are none.
    pub left: Option<MessageRange>,
    /// The messages of a dead branch that would be live again; `None` if there are none.
    pub back: Option<MessageRange>,
    /// The view after the rewind.
    pub view: View,
}

/// A range of messages on one branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageRange {
    /// The entry of the first message.
    pub first: EntryId,
    /// The entry of the last message.
    pub last: EntryId,
    /// The number of messages in the range.
    pub n_messages: usize,
}

/// Plans a rewind to `target`.
pub(crate) fn plan(
    file: &TranscriptFile,
    target: EntryPointer,
    limit: ResumeLimit,
) -> Result<RewindPlan, DiskError> {
    let mut live = BranchSide::new(Path::from_leaf(file))?;
    let is_there = live.offset() == Some(target.offset) || live.is_rewind_to(&target);
    let mut other = BranchSide::new(Path::from_entry(file, target.offset))?;
    // Paths only move backwards, so the entry with the higher offset cannot be on the rest of the other path.
    while let (Some(a), Some(b)) = (live.offset(), other.offset()) {
        match a.cmp(&b) {
            Ordering::Greater => live.step()?,
            Ordering::Less => other.step()?,
            Ordering::Equal => break,
        }
    }
    if live.offset().is_none() || other.offset().is_none() {
        live.go_to_the_root()?;
        other.go_to_the_root()?;
    }
    Ok(RewindPlan {
        view: read_view_at(file, target.offset, limit)?.view,
        target,
        is_there,
        left: live.passed,
        back: other.passed,
    })
}

/// One of two paths to their common ancestor, and the messages passed so far.
struct BranchSide<'a> {
    path: Path<'a>,
    here: Option<PathLine>,
    passed: Option<MessageRange>,
}

impl<'a> BranchSide<'a> {
    fn new(mut path: Path<'a>) -> Result<Self, DiskError> {
        Ok(Self {
            here: path.next()?,
            path,
            passed: None,
        })
    }

    fn offset(&self) -> Option<u64> {
        self.here.as_ref().map(|line| line.offset)
    }

    fn is_rewind_to(&self, target: &EntryPointer) -> bool {
        let payload = self.here.as_ref().and_then(PathLine::payload);
        matches!(payload, Some(Payload::Rewind(rewind)) if rewind.target == *target)
    }

    fn step(&mut self) -> Result<(), DiskError> {
        if let Some(line) = self.here.take()
            && line.entry.as_ref().is_some_and(Entry::says_something)
        {
            let id = line.place.id;
            let passed = self.passed.take();
            self.passed = Some(MessageRange {
                first: id.clone(),
                n_messages: passed.as_ref().map_or(0, |range| range.n_messages) + 1,
                last: passed.map_or(id, |range| range.last),
            });
        }
        self.here = self.path.next()?;
        Ok(())
    }

    fn go_to_the_root(&mut self) -> Result<(), DiskError> {
        while self.here.is_some() {
            self.step()?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "rewind_tests.rs"]
mod tests;
