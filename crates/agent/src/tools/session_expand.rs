//! Quotes for the assistant the messages that a summary of its conversation replaced.
//!
//! Fences them, so that they are not learned again, and redacts secrets.

use base::{Origin, TokenCount, counted, day};

use super::answer::ToolReply;
use crate::expand::Piece;
use crate::fence::{RecallFence, fenced};
use crate::knowledge::session_source::SessionSource;
use crate::ops::{ExpandReply, ExpandSession, OpContext, Operation};
use crate::runtime::HomeAccess;

/// Token limit of an answer, which also never exceeds the window divided by [`WINDOW_PART`].
const ANSWER_MAX: TokenCount = TokenCount(4_000);
const WINDOW_PART: u64 = 8;

pub(super) fn expand_session(request: ExpandSession, at: &OpContext<'_>) -> ToolReply {
    let window_share = TokenCount(at.window.context_window.0 / WINDOW_PART);
    let request = ExpandSession {
        budget: Some(ANSWER_MAX.min(window_share).0),
        ..request
    };
    let reply = request.run(at).map_err(|error| format!("{error}."))?;
    Ok(rendered(at.home, &reply))
}

fn rendered(home: &HomeAccess, expansion: &ExpandReply) -> String {
    let path = SessionSource::path_of(&expansion.session);
    let parts: Vec<String> = expansion
        .items
        .iter()
        .map(|piece| match piece {
            Piece::Gap {
                first,
                last,
                n_messages,
                tokens,
            } => format!(
                "[{}, {tokens} tokens, not shown: entries {first}..{last}]",
                counted(*n_messages as u64, "message", "messages")
            ),
            Piece::Said {
                entry,
                at,
                speaker,
                origin,
                text,
                ..
            } => {
                let source = format!("{path}#{entry}");
                let fence = RecallFence {
                    day: Some(day(*at, home.timezone)),
                    origin: Some(*origin).filter(|origin| *origin != Origin::System),
                    ..RecallFence::of(&source)
                };
                fenced(fence, &format!("{speaker}: {text}"))
            }
        })
        .collect();
    let shown = |piece: &&Piece| matches!(piece, Piece::Said { .. });
    let n_shown = expansion.items.iter().filter(shown).count();
    let count = format!(
        "{n_shown} of {}, {} tokens, shown.",
        counted(expansion.messages as u64, "message", "messages"),
        expansion.tokens
    );
    format!("{}\n{count}", parts.join("\n"))
}

#[cfg(test)]
#[path = "session_expand_tests.rs"]
mod tests;
