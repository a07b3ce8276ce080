//! How large the view of a session was in its course.
//!
//! Counts nothing itself: whoever asks knows how a view is shown.

use base::{Origin, Timestamp, TokenCount};
use serde::Serialize;

use super::course::write_instant;
use crate::view::{item, view_item};
use crate::{
    Compaction, Entry, LineContent, Payload, ReadError, ResetReason, ResumeLimit, SessionName,
    SessionStore, View, ViewContent, ViewItem,
};

/// The view at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ViewMoment {
    /// When.
    #[serde(serialize_with = "write_instant")]
    pub at: Timestamp,
    /// How many messages stood in the transcript.
    #[serde(rename = "messages")]
    pub n_messages: u64,
    /// Tokens of summary and messages as they were shown.
    pub tokens: TokenCount,
}

/// The most moments that are counted: more than a chart has columns.
const N_MOMENTS_MAX: u64 = 240;

/// A view that was once shown fits into memory.
const EVERYTHING: ResumeLimit = ResumeLimit {
    tokens: TokenCount(u64::MAX),
};

/// The size of the view at evenly spaced messages of `n_messages` and around each compaction. `count` is given a
/// view, and after how many compactions it was shown.
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
        let at = entry.at;
        let is_cut = matches!(entry.payload, Payload::Compaction(_) | Payload::Reset(_));
        let mut is_moment = is_cut;
        if is_cut {
            moments.push(ViewMoment {
                at,
                n_messages: n_seen,
                tokens: count(&view, n_compactions),
            });
        }
        n_compactions += usize::from(matches!(entry.payload, Payload::Compaction(_)));
        if let Payload::Message(_) = &entry.payload {
            n_seen += 1;
            is_moment = n_seen.is_multiple_of(step);
        }
        if let Payload::Rewind(rewind) = &entry.payload {
            // What it goes back to may have left the view long ago.
            view = store.view_at(name, &rewind.target, EVERYTHING)?;
        } else {
            apply(&mut view, &entry);
        }
        if is_moment {
            moments.push(ViewMoment {
                at,
                n_messages: n_seen,
                tokens: count(&view, n_compactions),
            });
        }
    }
    Ok(moments)
}

fn apply(view: &mut View, entry: &Entry) {
    match &entry.payload {
        Payload::Compaction(compaction) => summarise(view, entry, compaction),
        // The summary in the next line stands for what was said.
        Payload::Reset(reset) if reset.reason == ResetReason::Replaced => {}
        Payload::Reset(_) => view.items.clear(),
        Payload::Message(_)
        | Payload::BranchSummary(_)
        | Payload::CustomMessage(_)
        | Payload::Rewind(_)
        | Payload::Meta(_)
        | Payload::Custom(_)
        | Payload::SessionInfo(_)
        | Payload::Other(..) => view.items.extend(item(entry)),
    }
}

/// A summary takes the place of what left the view.
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
