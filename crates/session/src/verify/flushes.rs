//! Checks the flushes of a file: the span of each, and its epoch.
//!
//! Distinguishes a successful flush from one that only began.

use std::collections::HashSet;

use base::EntryId;

use super::FindingKind;
use crate::tree::{EntryTree, NodeIdx};
use crate::{Epoch, FlushIntent, Meta};

/// The flushes seen so far.
#[derive(Debug, Default)]
pub(super) struct Flushes {
    intent: Option<FlushIntent>,
    flushed_epochs: HashSet<Epoch>,
}

impl Flushes {
    /// Applies the state of a rewind, which covers nothing new and leaves an intent open.
    pub(super) fn take_rewind(&mut self, state: &Meta) {
        self.intent.clone_from(&state.intent);
    }

    /// Applies the next `meta` of the file and returns its findings.
    pub(super) fn take_meta(&mut self, meta: &Meta, tree: &mut EntryTree) -> Vec<FindingKind> {
        let begun = std::mem::replace(&mut self.intent, meta.intent.clone());
        let Some(through) = &meta.flushed_through else {
            return Vec::new();
        };
        // Invariant: a flush has succeeded if the `meta` that ends its intent covers the whole span.
        let succeeded = begun.filter(|intent| meta.intent.is_none() && intent.span.1 == *through);
        let mut findings = Vec::new();
        if let Some(intent) = succeeded {
            if intent.before_compaction && !self.flushed_epochs.insert(intent.epoch) {
                findings.push(FindingKind::SecondFlush(intent.epoch));
            }
            findings.extend(check_span(tree, intent.span));
        }
        if let Some(idx) = tree.find(through) {
            tree.cover_through(idx);
        }
        findings
    }
}

fn check_span(tree: &EntryTree, (from, to): (EntryId, EntryId)) -> Option<FindingKind> {
    let (Some(first), Some(last)) = (tree.find(&from), tree.find(&to)) else {
        return Some(FindingKind::FlushSpanUnknown { from, to });
    };
    let is_new = |idx: &NodeIdx| !tree.is_covered(*idx);
    // All ancestors of a covered entry are covered, so the walk can stop there.
    let mut span = tree.ancestry(last).take_while(is_new);
    if span.any(|idx| idx == first) {
        None
    } else if tree.ancestry(last).any(|idx| idx == first) {
        Some(FindingKind::FlushOverlap { from, to })
    } else {
        Some(FindingKind::FlushSpanUnknown { from, to })
    }
}
