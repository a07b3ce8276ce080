//! Pairs tool calls with their results, on each branch for itself.
//!
//! Says nothing about a call that is unanswered where its branch ends.

use std::collections::HashMap;

use base::{Message, StopReason, ToolCallId};

use super::FindingKind;
use crate::tree::{Added, NodeIdx};

/// The calls that are open after each entry.
#[derive(Debug, Default)]
pub(super) struct OpenCalls {
    /// What each entry did after which calls may be open.
    steps: HashMap<NodeIdx, Step>,
    /// The newest entry with its open calls: most entries follow the newest, so that they are handed on and
    /// seldom gathered anew.
    newest: Option<(NodeIdx, Open)>,
}

/// What an entry did, and the entry before it.
#[derive(Debug)]
struct Step {
    parent: Option<NodeIdx>,
    act: Act,
}

#[derive(Debug)]
enum Act {
    Call(Vec<ToolCallId>),
    Answer(ToolCallId),
    Pass,
}

/// Calls that wait for their results.
#[derive(Debug, Default)]
struct Open {
    /// All calls of the reply, in its order.
    calls: Vec<ToolCallId>,
    /// How often each of them waits.
    waiting: HashMap<ToolCallId, usize>,
    n_waiting: usize,
}

impl OpenCalls {
    /// Takes the next entry of the file and, where it is one, its message.
    pub(super) fn take(&mut self, added: Added, message: Option<&Message>) -> Vec<FindingKind> {
        let mut open = self.before(added.parent);
        let (act, findings) = match message {
            None => (Act::Pass, Vec::new()),
            Some(Message::ToolResult(result)) => {
                let call = result.call_id.clone();
                let findings = if open.answer(&call) {
                    Vec::new()
                } else {
                    vec![FindingKind::ResultWithoutCall(call.clone())]
                };
                (Act::Answer(call), findings)
            }
            Some(message @ (Message::User { .. } | Message::Assistant(_))) => {
                let unanswered = open.left().into_iter();
                let unanswered = unanswered.map(FindingKind::UnansweredCall);
                let unanswered = unanswered.collect();
                let calls = calls(message);
                open = Open::of(&calls);
                (Act::Call(calls), unanswered)
            }
        };
        // After an entry that is not kept no call is open.
        if open.n_waiting > 0 {
            let parent = added.parent;
            self.steps.insert(added.idx, Step { parent, act });
        }
        self.newest = Some((added.idx, open));
        findings
    }

    /// The calls that are open after an entry.
    fn before(&mut self, parent: Option<NodeIdx>) -> Open {
        let Some(parent) = parent else {
            return Open::default();
        };
        if let Some((_, open)) = self.newest.take_if(|(idx, _)| *idx == parent) {
            return open;
        }
        let mut answers = Vec::new();
        let mut next = Some(parent);
        while let Some(step) = next.and_then(|idx| self.steps.get(&idx)) {
            match &step.act {
                Act::Call(calls) => {
                    let mut open = Open::of(calls);
                    for call in answers {
                        open.answer(call);
                    }
                    return open;
                }
                Act::Answer(call) => answers.push(call),
                Act::Pass => {}
            }
            next = step.parent;
        }
        Open::default()
    }
}

impl Open {
    fn of(calls: &[ToolCallId]) -> Self {
        let mut waiting = HashMap::new();
        for call in calls {
            *waiting.entry(call.clone()).or_default() += 1;
        }
        Self {
            calls: calls.to_vec(),
            waiting,
            n_waiting: calls.len(),
        }
    }

    /// Takes the result of a call; whether that was open.
    fn answer(&mut self, call: &ToolCallId) -> bool {
        let waiting = self.waiting.get_mut(call).filter(|count| **count > 0);
        let Some(count) = waiting else {
            return false;
        };
        *count -= 1;
        self.n_waiting -= 1;
        true
    }

    /// The calls without a result, in their order; of those of one id the last.
    fn left(mut self) -> Vec<ToolCallId> {
        if self.n_waiting == 0 {
            return Vec::new();
        }
        let mut left = Vec::new();
        while let Some(call) = self.calls.pop() {
            if self.answer(&call) {
                left.push(call);
            }
        }
        left.reverse();
        left
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
