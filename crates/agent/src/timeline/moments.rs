//! How large the context of a session was in its course.
//!
//! It is shown through the same pruning as a request; the prompt around the messages is not in the transcript and not
//! counted.

use base::{Origin, Timestamp, TokenCount};
use compaction::{Budget, Settings, show};
use session::{
    Compaction, Entry, LineContent, Payload, ReadError, ResetReason, ResumeLimit, SessionName,
    SessionStore, View, ViewContent, ViewItem,
};

/// The context at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextMoment {
    /// When.
    pub at: Timestamp,
    /// How many messages stood in the transcript.
    pub n_messages: u64,
    /// Tokens of summary and messages as they were shown.
    pub tokens: TokenCount,
}

/// The most moments that are shown: more than a chart has columns.
const N_MOMENTS_MAX: u64 = 240;

/// In which window a session ran, from one compaction to the next.
#[derive(Debug, Clone)]
pub struct Frames {
    /// What is set now; of it the window holds where the transcript tells none.
    pub settings: Settings,
    /// Of each compaction, where the transcript tells it.
    pub windows: Vec<Option<TokenCount>>,
}

/// A view that was once shown fits into memory.
const EVERYTHING: ResumeLimit = ResumeLimit {
    tokens: TokenCount(u64::MAX),
};

impl Frames {
    /// What holds after so many compactions: a compaction tells the window in which it became due, and
    /// the last one stands for what came after it.
    fn after(&self, n_compactions: usize) -> Settings {
        let window = self.windows.get(n_compactions).or(self.windows.last());
        let window = window.copied().flatten();
        Settings {
            context_window: window.unwrap_or(self.settings.context_window),
            ..self.settings.clone()
        }
    }
}

fn shown_tokens(view: &View, settings: &Settings) -> TokenCount {
    show(view, settings, &Budget::new(settings)).tokens
}

/// The context at evenly spaced messages and around each compaction.
pub fn context_tokens(
    store: &SessionStore,
    name: &SessionName,
    n_messages: u64,
    frames: &Frames,
) -> Result<Vec<ContextMoment>, ReadError> {
    let mut n_compactions = 0;
    let mut settings = frames.after(n_compactions);
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
            moments.push(ContextMoment {
                at,
                n_messages: n_seen,
                tokens: shown_tokens(&view, &settings),
            });
        }
        if let Payload::Compaction(_) = &entry.payload {
            n_compactions += 1;
            settings = frames.after(n_compactions);
        }
        if let Payload::Message(_) = &entry.payload {
            n_seen += 1;
            is_moment = n_seen.is_multiple_of(step);
        }
        if let Payload::Rewind(rewind) = &entry.payload {
            // What it goes back to may have left the view long ago.
            view = store.view_at(name, &rewind.target, EVERYTHING)?;
        } else {
            apply(&mut view, entry);
        }
        if is_moment {
            moments.push(ContextMoment {
                at,
                n_messages: n_seen,
                tokens: shown_tokens(&view, &settings),
            });
        }
    }
    Ok(moments)
}

fn apply(view: &mut View, entry: Entry) {
    let item = |content: ViewContent, origin| ViewItem {
        entry: entry.id,
        at: entry.at,
        origin,
        tokens: content.estimate(),
        content,
    };
    match entry.payload {
        Payload::Message(stored) => {
            let origin = stored.origin.unwrap_or(Origin::Untrusted);
            view.items
                .push(item(ViewContent::Message(stored.message), origin));
        }
        Payload::Compaction(Compaction {
            summary,
            first_kept,
            details,
            ..
        }) => {
            let kept = view.items.iter().position(|item| item.entry == first_kept);
            let pinned = |item: &ViewItem| {
                let mut pointers = details.keep_first.iter();
                pointers.any(|pointer| pointer.id == item.entry)
            };
            let leaving = view.items.drain(..kept.unwrap_or(view.items.len()));
            let pinned: Vec<ViewItem> = leaving.filter(pinned).collect();
            let summary = item(ViewContent::Summary(summary), Origin::System);
            view.items.splice(..0, pinned.into_iter().chain([summary]));
        }
        // The summary in the next line stands for what was said.
        Payload::Reset(reset) if reset.reason == ResetReason::Replaced => {}
        Payload::Reset(_) => view.items.clear(),
        Payload::Rewind(_)
        | Payload::Meta(_)
        | Payload::BranchSummary(_)
        | Payload::CustomMessage(_)
        | Payload::Custom(_)
        | Payload::SessionInfo(_)
        | Payload::Other(..) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stretch_is_shown_in_the_window_it_ran_in() {
        let settings = Settings::default();
        let told = |windows: &[Option<u64>]| -> Vec<u64> {
            let windows = windows.iter().map(|window| window.map(TokenCount));
            let frames = Frames {
                settings: settings.clone(),
                windows: windows.collect(),
            };
            let window = |n| frames.after(n).context_window.0;
            (0..4).map(window).collect()
        };
        assert_eq!(told(&[]), [200_000; 4]);
        assert_eq!(
            told(&[Some(16_000), None, Some(32_000)]),
            [16_000, 200_000, 32_000, 32_000]
        );
    }
}
