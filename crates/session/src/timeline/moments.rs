//! The size of a session's view over time.
//!
//! The caller supplies the token count, which depends on how the view is shown. Keeps no more of a transcript in
//! memory than a turn does.

use base::{Origin, Timestamp, TokenCount};
use serde::Serialize;

use super::course::write_instant;
use crate::view::{item, view_item};
use crate::{
    Compaction, Entry, LineContent, Payload, ReadError, ResetReason, ResumeLimit, SessionName,
    SessionStore, View, ViewContent, ViewItem,
};

/// The size of the view at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ViewMoment {
    /// The time.
    #[serde(serialize_with = "write_instant")]
    pub at: Timestamp,
    /// Messages in the transcript so far.
    #[serde(rename = "messages")]
    pub n_messages: u64,
    /// Tokens of the view.
    pub tokens: TokenCount,
}

/// Upper bound on the evenly spaced samples; more than a chart has columns.
const N_MOMENTS_MAX: u64 = 240;

/// Samples the size of the view at evenly spaced messages, at the last of the `n_messages` messages, and before and
/// after each compaction and reset. `count` gets a view and the number of compactions before it, and returns tokens.
///
/// When a view exceeds twice the limit, its oldest messages are dropped, because no turn reads back farther than the
/// limit.
pub fn view_moments(
    store: &SessionStore,
    name: &SessionName,
    (n_messages, limit): (u64, ResumeLimit),
    count: &dyn Fn(&View, usize) -> TokenCount,
) -> Result<Vec<ViewMoment>, ReadError> {
    let mut n_compactions = 0;
    let step = n_messages.div_ceil(N_MOMENTS_MAX).max(1);
    let mut running = RunningView::default();
    let mut moments = Vec::new();
    let mut n_seen = 0_u64;
    for line in store.lines(name)? {
        let LineContent::Entry(entry) = line?.content else {
            continue;
        };
        let moment = |view: &View, n_messages: u64, n_compactions: usize| ViewMoment {
            at: entry.at,
            n_messages,
            tokens: count(view, n_compactions),
        };
        let mut is_moment = matches!(entry.payload, Payload::Compaction(_) | Payload::Reset(_));
        if is_moment {
            moments.push(moment(&running.view, n_seen, n_compactions));
        }
        n_compactions += usize::from(matches!(entry.payload, Payload::Compaction(_)));
        if let Payload::Message(_) = &entry.payload {
            n_seen += 1;
            is_moment = n_seen.is_multiple_of(step) || n_seen == n_messages;
        }
        if let Payload::Rewind(rewind) = &entry.payload {
            // The target may have left the view long ago, so the view is read again.
            running = RunningView::of(store.view_at(name, &rewind.target, limit)?);
        } else {
            running.apply(&entry);
        }
        running.keep_within(limit);
        if is_moment {
            moments.push(moment(&running.view, n_seen, n_compactions));
        }
    }
    Ok(moments)
}

/// A view and its size.
#[derive(Debug, Default)]
struct RunningView {
    view: View,
    tokens: TokenCount,
}

impl RunningView {
    fn of(view: View) -> Self {
        let tokens = view.items.iter().map(|item| item.tokens).sum();
        Self { view, tokens }
    }

    fn apply(&mut self, entry: &Entry) {
        if let Payload::Compaction(compaction) = &entry.payload {
            summarise(&mut self.view, entry, compaction);
            *self = Self::of(std::mem::take(&mut self.view));
        } else if let Payload::Reset(reset) = &entry.payload {
            // A replacing reset needs nothing here: the compaction on the next line replaces the view.
            if reset.reason == ResetReason::Asked {
                *self = Self::default();
            }
        } else if let Some(item) = item(entry) {
            self.tokens += item.tokens;
            self.view.items.push(item);
        }
    }

    /// Drops the oldest items once a view is twice as large as the limit. Waiting until then moves each item only
    /// once.
    fn keep_within(&mut self, limit: ResumeLimit) {
        if self.tokens <= limit.tokens + limit.tokens {
            return;
        }
        let mut left = self.tokens;
        let dropped = self.view.items.iter().take_while(|item| {
            let is_dropped = left.saturating_sub(item.tokens) >= limit.tokens;
            left = left.saturating_sub(item.tokens);
            is_dropped
        });
        let n_dropped = dropped.count();
        self.view.items.drain(..n_dropped);
        self.view.is_cut |= n_dropped > 0;
        *self = Self::of(std::mem::take(&mut self.view));
    }
}

/// Replaces the items before the first kept entry with the summary. In a cut view, that entry may be among the
/// dropped ones; all remaining items were then kept.
fn summarise(view: &mut View, entry: &Entry, compaction: &Compaction) {
    let kept = view
        .items
        .iter()
        .position(|item| item.entry == compaction.first_kept);
    let pinned = |item: &ViewItem| {
        let mut pointers = compaction.details.keep_first.iter();
        pointers.any(|pointer| pointer.id == item.entry)
    };
    let n_leaving = kept.unwrap_or(if view.is_cut { 0 } else { view.items.len() });
    let leaving = view.items.drain(..n_leaving);
    let pinned: Vec<ViewItem> = leaving.filter(pinned).collect();
    let summary = view_item(
        entry,
        ViewContent::Summary(compaction.summary.clone()),
        Origin::System,
    );
    view.items.splice(..0, pinned.into_iter().chain([summary]));
    view.is_cut = false;
}

#[cfg(test)]
#[path = "moments_tests.rs"]
mod tests;
