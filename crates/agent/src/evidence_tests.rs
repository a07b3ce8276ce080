//! What a flush reads.

use base::{EntryId, ToolCallId, ToolOutcome, ToolResult};
use session::StoredMessage;

use super::*;
use crate::fence::{RecallFence, fenced};

fn entry(message: Message, origin: Origin) -> Entry {
    Entry {
        id: EntryId::new("e"),
        parent: None,
        at: "2026-04-20T10:00:00Z".parse().unwrap(),
        payload: Payload::Message(StoredMessage {
            message,
            origin: Some(origin),
            source: None,
            copied_from: None,
        }),
    }
}

#[test]
fn i8_recalled_text_and_the_programs_own_words_are_not_read() {
    let fence = RecallFence {
        source: "MEMORY.md:3",
        day: None,
        origin: None,
        planned_for: None,
    };
    let recalled = fenced(fence, "the hall costs 300 euros");
    let result = Message::ToolResult(ToolResult {
        call_id: ToolCallId::new("c"),
        tool_name: "memory_search".into(),
        content: vec![base::Block::Text(recalled.clone())],
        outcome: ToolOutcome::Success,
    });
    let entries = [
        entry(Message::user("What does the hall cost?"), Origin::Owner),
        entry(result, Origin::Untrusted),
        entry(
            Message::assistant(format!("As noted:\n{recalled}\n300.")),
            Origin::Agent,
        ),
        entry(
            Message::assistant("- the hall costs 300 euros (MEMORY.md:3)"),
            Origin::System,
        ),
    ];
    let read: Vec<(String, String)> = excerpts(&entries)
        .into_iter()
        .map(|excerpt| (excerpt.label, excerpt.message.text()))
        .collect();
    let expected = [
        ("e1", "What does the hall cost?"),
        ("e2", "As noted:\n\n300."),
        ("e3", "[an answer quoted from memory]"),
    ];
    assert_eq!(
        read,
        expected.map(|(label, text)| (label.to_owned(), text.to_owned()))
    );
}

#[test]
fn refusals_of_our_own_tools_are_no_evidence() {
    let failed = |tool: &str| {
        let result = ToolResult {
            call_id: ToolCallId::new("c"),
            tool_name: tool.into(),
            content: vec![base::Block::Text(format!("{tool}: no such file"))],
            outcome: ToolOutcome::Failure,
        };
        entry(Message::ToolResult(result), Origin::Untrusted)
    };
    let entries = [failed("read_file"), failed("shell"), failed("memory_get")];
    let read: Vec<String> = excerpts(&entries)
        .into_iter()
        .map(|excerpt| excerpt.message.text())
        .collect();
    assert_eq!(read, ["shell: no such file"]);
}

#[test]
fn long_message_is_read_by_its_ends() {
    let text = format!("BEGIN {}END", "lorem ipsum ".repeat(100_000));
    let short = ends(&text);
    assert!(
        short.len() <= MESSAGE_BYTES_MAX + LEFT_OUT.len(),
        "{}",
        short.len()
    );
    assert!(short.starts_with("BEGIN lorem") && short.ends_with("ipsum END"));
    assert!(short.contains(LEFT_OUT));
    assert_eq!(ends("as it is"), "as it is");
    let Message::User { content, .. } = bounded(Message::user(text.clone())) else {
        panic!("another speaker");
    };
    assert_eq!(content, [Block::Text(short.into_owned())]);
}
