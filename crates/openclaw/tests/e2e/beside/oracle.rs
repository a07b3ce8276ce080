//! The conditions that every request and every file must meet, stated again without the code under test.
//!
//! Reads entries and requests, and decides only by their parents, not by the state of the program.

use std::collections::BTreeMap;

use base::model::Request;
use base::{
    Assistant, Block, Clock, EntryId, Message, Origin, StopReason, TokenCount, ToolCall, ToolCallId,
};
use session::{Compaction, Entry, Payload, SessionName, Severity, StoredMessage};

use super::talk::Talk;
use crate::in_process::tokens_of;

/// I6: no request, whatever its purpose, exceeds the window together with the room for its reply.
#[track_caller]
pub(super) fn i6_fits(request: &Request, window: TokenCount) {
    let tokens = tokens_of(request) + request.output_max;
    assert!(
        tokens <= window,
        "{:?}: {tokens} of {window}",
        request.purpose
    );
}

/// The entries from the first to this one, each the parent of the next.
fn path<'e>(by_id: &BTreeMap<&EntryId, &'e Entry>, from: Option<&EntryId>) -> Vec<&'e Entry> {
    let mut found = Vec::new();
    let mut next = from;
    while let Some(entry) = next.and_then(|id| by_id.get(id)) {
        found.push(*entry);
        next = entry.parent.as_ref();
    }
    found.reverse();
    found
}

fn compaction(entry: &Entry) -> Option<&Compaction> {
    if let Payload::Compaction(compaction) = &entry.payload {
        Some(compaction)
    } else {
        None
    }
}

fn is_message(entry: &Entry) -> bool {
    matches!(entry.payload, Payload::Message(_))
}

/// The content of a window at the end of a path: the newest summary, the entries that it kept, and the entries after
/// it.
fn shown(path: &[&Entry]) -> Vec<EntryId> {
    let newest = path.iter().rposition(|entry| compaction(entry).is_some());
    let mut shown = Vec::new();
    let mut from = 0;
    if let Some(newest) = newest {
        let made = compaction(path[newest]);
        let first_kept = made.map(|it| it.first_kept.clone());
        let kept = path
            .iter()
            .position(|entry| Some(&entry.id) == first_kept.as_ref());
        from = kept.expect("what a compaction keeps stands on its path");
        let before = made.iter().flat_map(|it| &it.details.keep_first);
        let before = before.map(|pointer| pointer.id.clone());
        let is_after = |id: &EntryId| path[from..].iter().any(|entry| entry.id == *id);
        shown.extend(before.filter(|id| !is_after(id)));
        shown.push(path[newest].id.clone());
    }
    let messages = path[from..].iter().filter(|entry| is_message(entry));
    shown.extend(messages.map(|entry| entry.id.clone()));
    shown
}

/// I5: every compaction replaces only messages of its own branch, and the window shows the newest summary with
/// everything that was said since.
#[track_caller]
pub(super) fn i5_nothing_is_lost(talk: &Talk, name: &SessionName) {
    let entries = talk.entries(name);
    let by_id: BTreeMap<&EntryId, &Entry> = entries.iter().map(|it| (&it.id, it)).collect();
    for entry in &entries {
        let Some(made) = compaction(entry) else {
            continue;
        };
        // What a fork copied stands for entries of its original.
        if made.details.copied_from.is_some() {
            continue;
        }
        let before = path(&by_id, entry.parent.as_ref());
        let place = |id: &EntryId| before.iter().position(|it| it.id == *id);
        let (first, last) = made.details.span.as_ref().expect("a span");
        // One that keeps nothing names itself.
        let kept = if made.first_kept == entry.id {
            before.len()
        } else {
            place(&made.first_kept).expect("what is kept is on the branch")
        };
        let (first, last) = (
            place(first).expect("begins here"),
            place(last).expect("ends here"),
        );
        assert!(first <= last && last < kept, "{first} {last} {kept}");
        let between = &before[last + 1..kept];
        assert!(
            !between.iter().any(|it| is_message(it)),
            "a message is left out"
        );
        let after = made.details.tokens_after.expect("counted");
        assert!(
            after < made.tokens_before,
            "{after} of {}",
            made.tokens_before
        );
    }
    let view = talk.view(name);
    let seen: Vec<EntryId> = view.items.iter().map(|item| item.entry.clone()).collect();
    let expected = shown(&path(&by_id, entries.last().map(|it| &it.id)));
    if view.is_cut {
        // Where reading back stops at the budget, the newest are shown.
        let is_summary = |id: &EntryId| by_id.get(id).is_some_and(|it| compaction(it).is_some());
        let n_before = seen.iter().position(is_summary).map_or(1, |at| at + 1);
        assert!(expected.ends_with(&seen[n_before..]), "{name}");
    } else {
        assert_eq!(seen, expected, "{name}");
    }
}

/// `session verify` does not find an impossible state.
#[track_caller]
pub(super) fn verifies(talk: &Talk, name: &SessionName) {
    let lines = talk.runtime.home.sessions.lines(name).unwrap();
    let report = session::verify(lines).unwrap();
    let errors = report.findings.iter();
    let errors: Vec<_> = errors
        .filter(|it| it.kind.severity() == Severity::Error)
        .collect();
    assert_eq!(errors, Vec::<&session::VerifyFinding>::new());
}

/// A call of a tool that does not exist.
pub(super) fn call(id: impl Into<String>) -> ToolCall {
    ToolCall {
        id: ToolCallId::new(id.into()),
        name: "lookup".into(),
        arguments: "{\"key\": \"Fähre\"}".into(),
    }
}

/// A reply that calls this many tools, none of which has answered, as another program may leave it.
pub(super) fn append_calls(talk: &Talk, name: &SessionName, n_calls: usize) {
    let calls = (0..n_calls).map(|number| Block::ToolCall(call(format!("open-{number}"))));
    let reply = Assistant {
        content: calls.collect(),
        stop: StopReason::ToolUse,
        usage: None,
    };
    append(talk, name, vec![Message::Assistant(reply)]);
}

/// Messages as another program appends them.
pub(super) fn append(talk: &Talk, name: &SessionName, messages: Vec<Message>) {
    let limit = talk.runtime.resume_limit();
    let mut turn = talk.runtime.home.sessions.begin_turn(name, limit).unwrap();
    let stored = messages.into_iter().map(|message| {
        let origin = match &message {
            Message::User { .. } => Origin::Owner,
            Message::Assistant(_) => Origin::Agent,
            Message::ToolResult(_) => Origin::Untrusted,
        };
        let stored = StoredMessage {
            message,
            origin: Some(origin),
            source: None,
            copied_from: None,
            scopes: Vec::new(),
        };
        (talk.clock.now(), stored)
    });
    turn.append_messages(stored.collect()).unwrap();
}
