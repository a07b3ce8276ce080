//! Follows the flushes of a file: what each covered, and in which epoch.
//!
//! Tells a flush that took effect from one that was only begun.

use std::collections::HashSet;

use base::EntryId;

use super::FindingKind;
use crate::tree::{NodeIdx, Tree};
use crate::{Epoch, FlushIntent, Meta};

/// The flushes so far.
#[derive(Debug, Default)]
pub(super) struct Flushes {
    intent: Option<FlushIntent>,
    flushed_epochs: HashSet<Epoch>,
}

impl Flushes {
    /// Takes the state after a rewind: it covers nothing new, and an intent stays open.
    pub(super) fn take_rewind(&mut self, state: &Meta) {
        self.intent.clone_from(&state.intent);
    }

    /// Takes the next `meta` of the file.
    pub(super) fn take_meta(&mut self, meta: &Meta, tree: &mut Tree) -> Vec<FindingKind> {
        let begun = std::mem::replace(&mut self.intent, meta.intent.clone());
        let Some(through) = &meta.flushed_through else {
            return Vec::new();
        };
        // Invariant: success is the one `meta` that ends an intent and reaches to the end of its span.
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

fn check_span(tree: &Tree, (from, to): (EntryId, EntryId)) -> Option<FindingKind> {
    let (Some(first), Some(last)) = (tree.find(&from), tree.find(&to)) else {
        return Some(FindingKind::FlushSpanUnknown { from, to });
    };
    let is_new = |idx: &NodeIdx| !tree.is_covered(*idx);
    // All before a covered entry is covered, so that the walk may end there.
    let mut span = tree.ancestry(last).take_while(is_new);
    if span.any(|idx| idx == first) {
        None
    } else if tree
        .ancestry(last)
        .take_while(|idx| *idx >= first)
        .any(|idx| idx == first)
    {
        Some(FindingKind::FlushOverlap { from, to })
    } else {
        Some(FindingKind::FlushSpanUnknown { from, to })
    }
}
