//! Pairs tool calls with their results, on each branch for itself.
//!
//! Says nothing about a call that is unanswered where its branch ends.

use std::collections::HashMap;
use std::rc::Rc;

use base::{Message, StopReason, ToolCallId};

use super::FindingKind;
use crate::tree::{Added, NodeIdx};

/// The calls that are open after each entry; entries after which none is are left out.
#[derive(Debug, Default)]
pub(super) struct OpenCalls {
    by_node: HashMap<NodeIdx, Rc<Vec<ToolCallId>>>,
}

impl OpenCalls {
    /// Takes the next entry of the file and, where it is one, its message.
    pub(super) fn take(&mut self, added: Added, message: Option<&Message>) -> Vec<FindingKind> {
        let before = added.parent.and_then(|parent| self.by_node.get(&parent));
        let before = before.cloned().unwrap_or_default();
        let (after, findings) = match message {
            None => (before, Vec::new()),
            Some(Message::ToolResult(result)) => answer(before, &result.call_id),
            Some(message @ (Message::User { .. } | Message::Assistant(_))) => {
                let unanswered = before
                    .iter()
                    .map(|call| FindingKind::UnansweredCall { call: call.clone() });
                (Rc::new(calls(message)), unanswered.collect())
            }
        };
        if !after.is_empty() {
            self.by_node.insert(added.idx, after);
        }
        findings
    }
}

fn answer(
    mut open: Rc<Vec<ToolCallId>>,
    call: &ToolCallId,
) -> (Rc<Vec<ToolCallId>>, Vec<FindingKind>) {
    if let Some(position) = open.iter().position(|waiting| waiting == call) {
        Rc::make_mut(&mut open).remove(position);
        (open, Vec::new())
    } else {
        let finding = FindingKind::ResultWithoutCall { call: call.clone() };
        (open, vec![finding])
    }
}

/// A reply that was broken off may end in calls that were never made.
fn calls(message: &Message) -> Vec<ToolCallId> {
    let is_broken_off = matches!(
        message,
        Message::Assistant(assistant)
            if matches!(assistant.stop, StopReason::Error | StopReason::Aborted)
    );
    if is_broken_off {
        return Vec::new();
    }
    message.tool_calls().map(|call| call.id.clone()).collect()
}
