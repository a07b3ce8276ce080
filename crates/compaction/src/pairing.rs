//! Pairs every tool call with exactly one result right after it, and drops results without a call. Makes a history
//! for a summary end with a reply.
//!
//! Leaves a well-formed sequence unchanged.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use base::{Block, Message, Origin, ToolCallId};
use session::{ViewContent, ViewItem};

use crate::shown::{is_result, sent_tokens};

/// The result that is shown for a call without one.
const NO_RESPONSE: &str = "Tool no response";

/// Pairs calls and results.
///
/// A result belongs to the newest call with its id before it. A late result moves up to its call; a second result for
/// the same call is dropped. A call gets a new id if it has none, or if its message uses the id twice.
pub(crate) fn pair(items: &[ViewItem]) -> Vec<ViewItem> {
    let mut unclaimed = Unclaimed::of(items);
    let mut paired = Vec::with_capacity(items.len());
    for (position, item) in items.iter().enumerate() {
        match &item.content {
            ViewContent::Message(Message::ToolResult(_)) => {}
            ViewContent::Message(Message::Assistant(_)) => {
                paired.extend(answer(items, position, &mut unclaimed));
            }
            ViewContent::Message(Message::User { .. }) | ViewContent::Summary(_) => {
                paired.push(item.clone());
            }
        }
    }
    paired
}

/// By call id: the positions of the results that are still unclaimed, and of the calls.
struct Unclaimed<'a> {
    results: BTreeMap<&'a str, VecDeque<usize>>,
    calls: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Unclaimed<'a> {
    fn of(items: &'a [ViewItem]) -> Self {
        let mut results: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
        let mut calls: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (position, item) in items.iter().enumerate() {
            let ViewContent::Message(message) = &item.content else {
                continue;
            };
            if let Message::ToolResult(result) = message {
                let id = result.call_id.as_str();
                results.entry(id).or_default().push_back(position);
            }
            for call in message.tool_calls() {
                calls.entry(call.id.as_str()).or_default().push(position);
            }
        }
        Self { results, calls }
    }

    /// Claims the first result that follows the call of `id` at `position` and precedes the next call with that id.
    fn claim(&mut self, id: &str, position: usize) -> Option<usize> {
        let calls = self.calls.get(id).map_or(&[][..], Vec::as_slice);
        let next_call = calls
            .get(calls.partition_point(|call| *call <= position))
            .copied();
        let results = self.results.get_mut(id)?;
        while results.front().is_some_and(|result| *result < position) {
            results.pop_front();
        }
        let found = results
            .front()
            .copied()
            .filter(|result| next_call.is_none_or(|next| *result < next))?;
        results.pop_front();
        Some(found)
    }
}

/// The reply at `position`, followed by the results of its calls: existing results in their order, then placeholders
/// for missing ones.
fn answer(items: &[ViewItem], position: usize, unclaimed: &mut Unclaimed<'_>) -> Vec<ViewItem> {
    let Some(mut reply) = items.get(position).cloned() else {
        return Vec::new();
    };
    let entry = reply.entry.clone();
    let mut came: Vec<(usize, ViewItem)> = Vec::new();
    let mut missing = Vec::new();
    let mut ids_used = BTreeSet::new();
    let mut is_renamed = false;
    if let ViewContent::Message(message) = &mut reply.content {
        for (number, block) in message.content_mut().iter_mut().enumerate() {
            let Block::ToolCall(call) = block else {
                continue;
            };
            let found = unclaimed.claim(call.id.as_str(), position);
            if call.id.as_str().is_empty() || !ids_used.insert(call.id.clone()) {
                call.id = ToolCallId::new(format!("{entry}-{number}"));
                ids_used.insert(call.id.clone());
                is_renamed = true;
            }
            match found.and_then(|found| Some((found, items.get(found)?))) {
                Some((found, result)) => came.push((found, addressed(result, &call.id))),
                None => missing.push(call.answered(Err(NO_RESPONSE.to_owned()))),
            }
        }
    }
    if is_renamed {
        reply.tokens = sent_tokens(&reply.content);
    }
    came.sort_by_key(|(found, _)| *found);
    let missing = missing.into_iter().map(Message::ToolResult);
    let filled: Vec<ViewItem> = missing.map(|result| added(&reply, result)).collect();
    let came = came.into_iter().map(|(_, result)| result);
    std::iter::once(reply).chain(came).chain(filled).collect()
}

/// The result with the id under which its call is shown.
fn addressed(item: &ViewItem, call: &ToolCallId) -> ViewItem {
    let mut item = item.clone();
    if let ViewContent::Message(Message::ToolResult(result)) = &mut item.content
        && result.call_id != *call
    {
        result.call_id = call.clone();
        item.tokens = sent_tokens(&item.content);
    }
    item
}

/// Makes an item of an added message. It has no entry of its own, so it uses the entry of the previous item.
fn added(before: &ViewItem, message: Message) -> ViewItem {
    let content = ViewContent::Message(message);
    ViewItem {
        entry: before.entry.clone(),
        at: before.at,
        origin: Origin::System,
        tokens: sent_tokens(&content),
        content,
        copied_from: None,
    }
}

/// The assistant's reply that is added if the history ends with a tool result.
const UNDERSTOOD: &str = "Understood.";

/// Pairs the items, and adds a reply if they end with a result.
pub(crate) fn clean(items: &[ViewItem]) -> Vec<ViewItem> {
    let mut items = pair(items);
    if let Some(last) = items.last().filter(|item| is_result(item)) {
        let reply = Message::assistant(UNDERSTOOD);
        items.push(added(last, reply));
    }
    items
}

#[cfg(test)]
#[path = "pairing_tests.rs"]
mod tests;
