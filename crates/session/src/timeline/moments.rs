//! The size of a session's view over time.
//!
//! The caller supplies the token count, which depends on how it shows a view.

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

/// Upper bound on evenly spaced samples: more than a chart has columns.
const N_MOMENTS_MAX: u64 = 240;

/// No limit: a view that was once shown fits into memory.
const EVERYTHING: ResumeLimit = ResumeLimit {
    tokens: TokenCount(u64::MAX),
};

/// Samples the size of the view at evenly spaced messages of `n_messages`, and before and after each compaction
/// and reset. `count` takes a view and the number of compactions before it.
pub fn view_moments(
    store: &SessionStore,
    name: &SessionName,
    n_messages: u64,
    count: &dyn Fn(&View, usize) -> TokenCount,
) -> Result<Vec<ViewMoment>, ReadError> {
    let mut n_compactions = 0;
    let step = n_messages.div_ceil(N_MOMENTS_MAX).max(1);
    let mut view = View::default();
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
            moments.push(moment(&view, n_seen, n_compactions));
        }
        n_compactions += usize::from(matches!(entry.payload, Payload::Compaction(_)));
        if let Payload::Message(_) = &entry.payload {
            n_seen += 1;
            is_moment = n_seen.is_multiple_of(step);
        }
        if let Payload::Rewind(rewind) = &entry.payload {
            // The target may have left the view long ago.
            view = store.view_at(name, &rewind.target, EVERYTHING)?;
        } else {
            apply(&mut view, &entry);
        }
        if is_moment {
            moments.push(moment(&view, n_seen, n_compactions));
        }
    }
    Ok(moments)
}

fn apply(view: &mut View, entry: &Entry) {
    if let Payload::Compaction(compaction) = &entry.payload {
        summarise(view, entry, compaction);
    } else if let Payload::Reset(reset) = &entry.payload {
        // Where it replaces the view, the compaction in the next line does so.
        if reset.reason == ResetReason::Asked {
            view.items.clear();
        }
    } else {
        view.items.extend(item(entry));
    }
}

/// Replaces the items before the first kept entry by the summary.
fn summarise(view: &mut View, entry: &Entry, compaction: &Compaction) {
    let kept = view
        .items
        .iter()
        .position(|item| item.entry == compaction.first_kept);
    let pinned = |item: &ViewItem| {
        let mut pointers = compaction.details.keep_first.iter();
        pointers.any(|pointer| pointer.id == item.entry)
    };
    let leaving = view.items.drain(..kept.unwrap_or(view.items.len()));
    let pinned: Vec<ViewItem> = leaving.filter(pinned).collect();
    let summary = view_item(
        entry,
        ViewContent::Summary(compaction.summary.clone()),
        Origin::System,
    );
    view.items.splice(..0, pinned.into_iter().chain([summary]));
}
