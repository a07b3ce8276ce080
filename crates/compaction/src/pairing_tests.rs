//! Conversations with lost, duplicated or mixed-up tool results.

use base::ToolResult;
use proptest::prelude::*;

use super::*;
use crate::fixture::{any_conversation, any_items, script, view};

#[track_caller]
fn check(before: &str, after: &str) {
    let items = pair(&view(before).items);
    let lines: Vec<&str> = after.lines().map(str::trim).collect();
    assert_eq!(script(&items), lines.join("\n"));
}

#[test]
fn i3_missing_result_is_filled_right_after_its_call() {
    check(
        "user: read\nassistant: call(a)call(b)\ntool(b): text\nuser: and?",
        "user: read\nassistant: call(a) call(b)\ntool(b): text\ntool(a): Tool no response\nuser: and?",
    );
}

#[test]
fn i3_orphaned_and_repeated_results_are_dropped() {
    check(
        "tool(x): lost\nuser: read\nassistant: call(a)\ntool(a): one\ntool(a): two\ntool(b): three",
        "user: read\nassistant: call(a)\ntool(a): one",
    );
}

#[test]
fn i3_late_result_is_moved_to_its_call() {
    check(
        "assistant: call(a)\nuser: still there?\ntool(a): yes\nassistant: it says yes",
        "assistant: call(a)\ntool(a): yes\nuser: still there?\nassistant: it says yes",
    );
}

#[test]
fn result_with_reused_id_belongs_to_newest_call() {
    check(
        "assistant: call(a)\nassistant: call(a)\ntool(a): second",
        "assistant: call(a)\ntool(a): Tool no response\nassistant: call(a)\ntool(a): second",
    );
}

#[test]
fn calls_with_missing_or_repeated_id_get_their_own() {
    check(
        "assistant: call()call()\ntool(): one\ntool(): two",
        "assistant: call(m1-0) call(m1-1)\ntool(m1-0): one\ntool(m1-1): two",
    );
    check(
        "assistant: call(a)call(a)\ntool(a): one\ntool(a): two",
        "assistant: call(a) call(m1-1)\ntool(a): one\ntool(m1-1): two",
    );
}

#[test]
fn filled_result_has_entry_of_call_and_system_origin() {
    let items = pair(&view("assistant: call(a)").items);
    let filled = items.last().unwrap();
    assert_eq!(
        (filled.entry.as_str(), filled.origin, filled.tokens),
        ("m1", Origin::System, sent_tokens(&filled.content))
    );
}

/// Whether each call has exactly one result before the next message of another kind, and each result has a call.
fn is_paired(items: &[ViewItem]) -> bool {
    let mut open: Vec<&ToolCallId> = Vec::new();
    for item in items {
        match &item.content {
            ViewContent::Message(Message::ToolResult(result)) => {
                let Some(position) = open.iter().position(|id| **id == result.call_id) else {
                    return false;
                };
                open.remove(position);
            }
            ViewContent::Message(message) => {
                if !open.is_empty() {
                    return false;
                }
                open = message.tool_calls().map(|call| &call.id).collect();
                let distinct: BTreeSet<_> = open.iter().collect();
                if distinct.len() != open.len() || open.iter().any(|id| id.as_str().is_empty()) {
                    return false;
                }
            }
            ViewContent::Summary(_) if !open.is_empty() => return false,
            ViewContent::Summary(_) => {}
        }
    }
    open.is_empty()
}

fn others(items: &[ViewItem]) -> Vec<&base::EntryId> {
    items
        .iter()
        .filter(|item| !matches!(item.content, ViewContent::Message(Message::ToolResult(_))))
        .map(|item| &item.entry)
        .collect()
}

/// The tool results, each with its entry.
fn results(items: &[ViewItem]) -> Vec<(&base::EntryId, &ToolResult)> {
    let results = items.iter().filter_map(|item| match &item.content {
        ViewContent::Message(Message::ToolResult(result)) => Some((&item.entry, result)),
        ViewContent::Message(_) | ViewContent::Summary(_) => None,
    });
    results.collect()
}

/// The results that answer a call: for each call, the first unused result before the next call with the same id.
fn answers(items: &[ViewItem]) -> Vec<(&base::EntryId, &ToolResult)> {
    let mut open: Vec<&ToolCallId> = Vec::new();
    let mut answers = Vec::new();
    for item in items {
        match &item.content {
            ViewContent::Message(Message::ToolResult(result)) => {
                if let Some(at) = open.iter().position(|id| **id == result.call_id) {
                    open.remove(at);
                    answers.push((&item.entry, result));
                }
            }
            ViewContent::Message(message) => {
                let calls: Vec<_> = message.tool_calls().map(|call| &call.id).collect();
                open.retain(|id| !calls.contains(id));
                open.extend(calls);
            }
            ViewContent::Summary(_) => {}
        }
    }
    answers
}

/// The content of results by entry, without the order and the call ids, which pairing may change.
fn said<'a>(results: &[(&'a base::EntryId, &'a ToolResult)]) -> Vec<(&'a str, &'a [base::Block])> {
    let mut said: Vec<_> = results
        .iter()
        .map(|(entry, result)| (entry.as_str(), &*result.content))
        .collect();
    said.sort_by_key(|(entry, _)| *entry);
    said
}

proptest! {
    #[test]
    fn i3_pairing_of_any_sequence_is_complete_and_idempotent(items in any_items()) {
        let paired = pair(&items);
        prop_assert!(is_paired(&paired), "{}", script(&paired));
        let given = results(&items);
        let mut kept = results(&paired);
        // A placeholder for a missing result has the entry of the call.
        kept.retain(|(entry, _)| given.iter().any(|(own, _)| own == entry));
        prop_assert_eq!(said(&kept), said(&answers(&items)), "{}", script(&paired));
        prop_assert_eq!(others(&paired), others(&items));
        prop_assert_eq!(pair(&paired), paired);
    }

    #[test]
    fn i3_valid_sequence_stays_unchanged(view in any_conversation(40)) {
        prop_assert_eq!(pair(&view.items), view.items);
    }
}

#[track_caller]
fn check_clean(conversation: &str, expected: &str) {
    assert_eq!(script(&clean(&view(conversation).items)), expected);
}

#[test]
fn clean_history_answers_trailing_result_and_open_calls() {
    check_clean(
        "user: go\nassistant: call(a) call(b)\ntool(b): done",
        "user: go\nassistant: call(a) call(b)\ntool(b): done\ntool(a): Tool no response\n\
         assistant: Understood.",
    );
    check_clean("user: go\nassistant: gone", "user: go\nassistant: gone");
    check_clean("user: go", "user: go");
    check_clean("", "");
}
