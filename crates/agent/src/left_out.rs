//! Leaves older messages out of one request, with a line in their place.
//!
//! Writes nothing: they stay in the conversation.

use compaction::Truncation;
use session::{View, ViewContent, ViewItem};

/// The view with a line in the place of what the truncation takes.
pub(crate) fn without(view: &View, cut: Truncation) -> Option<View> {
    let oldest = cut.plan.span.first()?;
    let marker = ViewContent::Summary(cut.summary.text);
    let line = ViewItem {
        tokens: marker.estimate(),
        content: marker,
        ..oldest.clone()
    };
    let leaves = |item: &&ViewItem| !cut.plan.span.iter().any(|left| left.entry == item.entry);
    let mut shorter = view.clone();
    shorter.items = view.items.iter().filter(leaves).cloned().collect();
    shorter.items.insert(0, line);
    Some(shorter)
}
