//! Quotes for the assistant the messages that a summary of its conversation replaced.
//!
//! Fences them, so that they are not learned again, and redacts secrets.

use base::{Origin, TokenCount, counted, day, redact};
use memory::load_tombstones;
use serde::Deserialize;
use session::{EntrySelector, Epoch, SessionName};

use super::answer::{ToolReply, read};
use crate::expand::{ExpandOptions, ExpandOrder, Expansion, Piece, expand};
use crate::fence::{RecallFence, fenced};
use crate::knowledge::session_source::SessionSource;
use crate::runtime::{HomeAccess, Runtime};

/// Token limit of an answer, which also never exceeds the window divided by [`WINDOW_PART`].
const ANSWER_MAX: TokenCount = TokenCount(4_000);
const WINDOW_PART: u64 = 8;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExpandArguments {
    entry: Option<String>,
    epoch: Option<u64>,
    query: Option<String>,
    from: Option<ExpandFrom>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum ExpandFrom {
    Start,
    End,
}

pub(super) fn run(runtime: &Runtime, name: &SessionName, arguments: &str) -> ToolReply {
    let ExpandArguments {
        entry,
        epoch,
        query,
        from,
    } = read(arguments)?;
    let by = match (entry, epoch) {
        (Some(_), Some(_)) => return Err("Name an entry or an epoch, not both.".to_owned()),
        (Some(entry), None) => Some(EntrySelector::Entry(entry)),
        (None, epoch) => epoch.map(|epoch| EntrySelector::EndOf(Epoch(epoch))),
    };
    let order = match (query, from) {
        (Some(query), _) => ExpandOrder::Query(query),
        (None, Some(ExpandFrom::Start)) => ExpandOrder::Start,
        (None, Some(ExpandFrom::End)) => ExpandOrder::End,
        (None, None) => ExpandOrder::Ends,
    };
    let window_share = TokenCount(runtime.engine.settings.context_window.0 / WINDOW_PART);
    let options = ExpandOptions {
        by,
        budget: ANSWER_MAX.min(window_share),
        order,
    };
    let tombstones = load_tombstones(&runtime.home.workspace);
    let tombstones = tombstones.map_err(|error| format!("{error}."))?;
    let (sessions, limit) = (&runtime.home.sessions, runtime.resume_limit());
    let expansion = expand(sessions, &tombstones, name, &options, limit);
    let expansion = expansion.map_err(|error| format!("{error}."))?;
    Ok(rendered(&runtime.home, &expansion))
}

fn rendered(home: &HomeAccess, expansion: &Expansion) -> String {
    let path = SessionSource::path_of(&expansion.session);
    let parts: Vec<String> = expansion
        .pieces
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
                fenced(fence, &format!("{speaker}: {}", redact(text)))
            }
        })
        .collect();
    let shown = |piece: &&Piece| matches!(piece, Piece::Said { .. });
    let n_shown = expansion.pieces.iter().filter(shown).count();
    let count = format!(
        "{n_shown} of {}, {} tokens, shown.",
        counted(expansion.n_messages as u64, "message", "messages"),
        expansion.tokens
    );
    format!("{}\n{count}", parts.join("\n"))
}

#[cfg(test)]
#[path = "session_expand_tests.rs"]
mod tests;
