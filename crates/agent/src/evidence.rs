//! What a flush reads: the messages of a span, without what memory put into them.
//!
//! Never gives what was recalled, or what the program says itself, so that neither is learned again.

use base::model::Excerpt;
use base::{Message, Origin, ToolOutcome, ToolResult};
use session::{Entry, Payload};

use crate::fence::message_without_fenced;
use crate::tools::is_own;

/// Stands for a reply that the program made of memory: that there was one, but not what it said.
const QUOTED: &str = "[an answer quoted from memory]";

/// The messages of a span as evidence, labelled `e1`, `e2` and so on.
pub(crate) fn excerpts<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Vec<Excerpt> {
    let messages = entries
        .into_iter()
        .filter_map(|entry| match &entry.payload {
            Payload::Message(stored) => {
                let origin = stored.origin();
                let message = match (&stored.message, origin) {
                    (Message::Assistant(_), Origin::System) => Message::assistant(QUOTED),
                    (Message::ToolResult(result), _) if is_refusal_of_ours(result) => return None,
                    (message, _) => message_without_fenced(message)?,
                };
                Some((entry, origin, message))
            }
            Payload::CustomMessage(custom) => {
                let content = custom.content.clone();
                let message = Message::User {
                    content,
                    name: None,
                };
                Some((entry, Origin::Untrusted, message_without_fenced(&message)?))
            }
            Payload::Compaction(_)
            | Payload::Meta(_)
            | Payload::Reset(_)
            | Payload::Rewind(_)
            | Payload::BranchSummary(_)
            | Payload::Custom(_)
            | Payload::Other { .. } => None,
        });
    messages
        .zip(1_u64..)
        .map(|((entry, origin, message), number)| Excerpt {
            label: format!("e{number}"),
            entry: Some(entry.id.clone()),
            at: entry.at,
            origin,
            message: message.redacted(),
            recalled: None,
        })
        .collect()
}

/// That a tool of the program did not take its arguments is no news of the owner's world.
fn is_refusal_of_ours(result: &ToolResult) -> bool {
    result.outcome == ToolOutcome::Failure && is_own(&result.tool_name)
}

#[cfg(test)]
#[path = "evidence_tests.rs"]
mod tests;
