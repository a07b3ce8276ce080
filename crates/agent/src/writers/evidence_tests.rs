//! The texts that a flush reads.

use base::{EntryId, ToolCallId, ToolOutcome, ToolResult};
use session::StoredMessage;

use super::*;
use crate::fence::{RecallFence, fenced};

fn entry(message: Message, origin: Origin) -> Entry {
    Entry {
        id: EntryId::new("e"),
        parent: None,
        at: "2026-04-20T10:00:00Z".parse().unwrap(),
        payload: Payload::Message(StoredMessage::new(message, origin)),
    }
}

fn result(tool: &str, text: &str, outcome: ToolOutcome) -> Entry {
    let result = ToolResult {
        call_id: ToolCallId::new("c"),
        tool_name: tool.into(),
        content: vec![Block::Text(text.to_owned())],
        outcome,
    };
    entry(Message::ToolResult(result), Origin::Untrusted)
}

/// The texts that are read from the entries, with their labels.
fn read(entries: &[Entry]) -> Vec<String> {
    let excerpts = excerpts(entries).into_iter();
    let shown = excerpts.map(|it| format!("{}: {}", it.label, it.message.text()));
    shown.collect()
}

#[test]
fn i8_evidence_omits_recalled_text_and_quoted_answers() {
    let recalled = fenced(RecallFence::of("MEMORY.md:3"), "the hall costs 300 euros");
    let noted = format!("As noted:\n{recalled}\n300.");
    let quoted = "- the hall costs 300 euros (MEMORY.md:3)";
    let entries = [
        entry(Message::user("What does the hall cost?"), Origin::Owner),
        result("memory_search", &recalled, ToolOutcome::Success),
        entry(Message::assistant(noted), Origin::Agent),
        entry(Message::assistant(quoted), Origin::System),
    ];
    let expected = [
        "e1: What does the hall cost?",
        "e2: As noted:\n\n300.",
        "e3: [an answer quoted from memory]",
    ];
    assert_eq!(read(&entries), expected);
}

#[test]
fn evidence_says_only_that_calls_of_own_tools_failed() {
    let entries = ["read_file", "shell", "memory_get"]
        .map(|tool| result(tool, &format!("no {tool}"), ToolOutcome::Failure));
    let failed = "[the call failed and changed nothing]";
    let expected = [
        format!("e1: {failed}"),
        "e2: no shell".to_owned(),
        format!("e3: {failed}"),
    ];
    assert_eq!(read(&entries), expected);
}

#[test]
fn long_message_is_read_only_at_both_ends() {
    let text = format!("BEGIN {}END", "lorem ipsum ".repeat(100_000));
    let short = ends(&text);
    assert!(short.len() <= MESSAGE_BYTES_MAX + LEFT_OUT.len());
    assert!(short.starts_with("BEGIN lorem") && short.ends_with("ipsum END"));
    assert!(short.contains(LEFT_OUT));
    assert_eq!(ends("as it is"), "as it is");
    let Message::User { content, .. } = bounded(Message::user(text.clone())) else {
        panic!("another speaker");
    };
    assert_eq!(content, [Block::Text(short.into_owned())]);
}
