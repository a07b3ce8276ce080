//! How large the context was in the course of a session, as far as the transcript tells it.
//!
//! Shows each moment through the same pruning as a request; the prompt around the messages is not in
//! the transcript and not counted.

use base::{Origin, TokenCount};
use compaction::{Budget, Settings, show};
use session::{
    Compaction, Entry, LineContent, Payload, SessionName, SessionStore, View, ViewContent, ViewItem,
};

use crate::error::CliError;

/// The most moments that are shown: more than a chart has columns.
const N_MOMENTS_MAX: u64 = 240;

/// Tokens of what is shown, at evenly spaced messages and around each compaction.
///
/// # Errors
///
/// Where the transcript cannot be read.
pub(super) fn read(
    store: &SessionStore,
    name: &SessionName,
    n_messages: u64,
    settings: &Settings,
) -> Result<Vec<TokenCount>, CliError> {
    let budget = Budget::new(settings);
    let step = n_messages.div_ceil(N_MOMENTS_MAX).max(1);
    let mut view = View::default();
    let mut tokens = Vec::new();
    let mut n_seen = 0_u64;
    for line in store.lines(name)? {
        let LineContent::Entry(entry) = line?.content else {
            continue;
        };
        let is_moment = match &entry.payload {
            Payload::Message(_) => {
                n_seen += 1;
                n_seen.is_multiple_of(step)
            }
            Payload::Compaction(_) | Payload::Reset(_) => {
                tokens.push(show(&view, settings, &budget).tokens);
                true
            }
            Payload::Meta(_)
            | Payload::Rewind(_)
            | Payload::BranchSummary(_)
            | Payload::CustomMessage(_)
            | Payload::Custom(_)
            | Payload::Other { .. } => false,
        };
        take(&mut view, entry);
        if is_moment {
            tokens.push(show(&view, settings, &budget).tokens);
        }
    }
    Ok(tokens)
}

fn take(view: &mut View, entry: Entry) {
    match entry.payload {
        Payload::Message(stored) => {
            let content = ViewContent::Message(stored.message);
            let origin = stored.origin.unwrap_or(Origin::Untrusted);
            let tokens = content.estimate();
            view.items.push(ViewItem {
                entry: entry.id,
                at: entry.at,
                origin,
                content,
                tokens,
            });
        }
        Payload::Compaction(Compaction {
            summary,
            first_kept,
            ..
        }) => {
            let kept = view.items.iter().position(|item| item.entry == first_kept);
            view.items.drain(..kept.unwrap_or(view.items.len()));
            let content = ViewContent::Summary(summary);
            let tokens = content.estimate();
            let origin = Origin::System;
            view.items.insert(
                0,
                ViewItem {
                    entry: entry.id,
                    at: entry.at,
                    origin,
                    content,
                    tokens,
                },
            );
        }
        Payload::Reset(_) => view.items.clear(),
        Payload::Rewind(rewind) => {
            let kept = view
                .items
                .iter()
                .position(|item| item.entry == rewind.target.id);
            view.items.truncate(kept.map_or(0, |position| position + 1));
        }
        Payload::Meta(_)
        | Payload::BranchSummary(_)
        | Payload::CustomMessage(_)
        | Payload::Custom(_)
        | Payload::Other { .. } => {}
    }
}
