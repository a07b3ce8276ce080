//! Pairs tool calls with their results on each branch.
//!
//! Ignores a call that is still unanswered at the end of its branch.

use std::collections::HashMap;

use base::{Message, StopReason, ToolCallId};

use super::FindingKind;
use crate::tree::{Added, NodeIdx};

/// The open calls after each entry of a file.
#[derive(Debug, Default)]
pub(super) struct OpenCalls {
    /// The changes that each entry makes to the open calls. An entry without a step has no open calls after it.
    steps: HashMap<NodeIdx, CallStep>,
    /// The open calls after the newest entry. This is a cache: most entries follow the newest, so `steps` are rarely
    /// replayed.
    newest: Option<(NodeIdx, WaitingCalls)>,
}

/// The changes that an entry makes to the open calls, and the entry's parent.
#[derive(Debug)]
struct CallStep {
    parent: Option<NodeIdx>,
    act: Act,
}

#[derive(Debug)]
enum Act {
    Call(Vec<ToolCallId>),
    Answer(ToolCallId),
    Pass,
}

#[derive(Debug, Default)]
struct WaitingCalls {
    /// All calls of the reply, in order.
    calls: Vec<ToolCallId>,
    /// The number of open calls per id. Ids without open calls are left out.
    waiting: HashMap<ToolCallId, usize>,
}

impl OpenCalls {
    /// Adds the next entry of the file, with its message if it has one; returns the findings.
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
                open = WaitingCalls::of(&calls);
                (Act::Call(calls), unanswered)
            }
        };
        // An entry without a step has no open calls.
        if !open.waiting.is_empty() {
            let parent = added.parent;
            self.steps.insert(added.idx, CallStep { parent, act });
        }
        self.newest = Some((added.idx, open));
        findings
    }

    /// The open calls before an entry, that is after its parent.
    fn before(&mut self, parent: Option<NodeIdx>) -> WaitingCalls {
        let Some(parent) = parent else {
            return WaitingCalls::default();
        };
        if let Some((_, open)) = self.newest.take_if(|(idx, _)| *idx == parent) {
            return open;
        }
        let mut answers = Vec::new();
        let mut next = Some(parent);
        while let Some(step) = next.and_then(|idx| self.steps.get(&idx)) {
            match &step.act {
                Act::Call(calls) => {
                    let mut open = WaitingCalls::of(calls);
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
        WaitingCalls::default()
    }
}

impl WaitingCalls {
    fn of(calls: &[ToolCallId]) -> Self {
        let mut waiting = HashMap::new();
        for call in calls {
            *waiting.entry(call.clone()).or_default() += 1;
        }
        Self {
            calls: calls.to_vec(),
            waiting,
        }
    }

    /// Closes a call; returns `false` if it was not open.
    fn answer(&mut self, call: &ToolCallId) -> bool {
        let Some(count) = self.waiting.get_mut(call) else {
            return false;
        };
        *count -= 1;
        if *count == 0 {
            self.waiting.remove(call);
        }
        true
    }

    /// The open calls, in order. If several calls have the same id, the last ones are open.
    fn left(mut self) -> Vec<ToolCallId> {
        let calls = std::mem::take(&mut self.calls).into_iter().rev();
        let mut left: Vec<_> = calls.filter(|call| self.answer(call)).collect();
        left.reverse();
        left
    }
}

/// The calls in a message. Calls in an interrupted reply are ignored, because they were never executed.
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
