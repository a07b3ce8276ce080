//! Taking forgotten words out of summaries and messages.

use base::{Origin, ToolCall, ToolCallId};
use serde_json::json;

use super::*;

/// What is left of a message of the entry; `None` if it loses nothing.
fn left_of(words: &ForgottenWords, entry: EntryId, message: &Message) -> Option<Message> {
    let content = ViewContent::Message(message.clone());
    let item = ViewItem::new(entry, Timestamp::default(), Origin::Agent, content);
    words.message_without(&item, message)
}

fn gone(said: &str) -> Vec<(String, Timestamp)> {
    let at = "2026-04-20T12:00:00Z".parse().unwrap();
    let gone = long_sentences(said, &|_| true).into_iter();
    gone.map(|sentence| (sentence, at)).collect()
}

#[test]
fn forgotten_sentences_are_removed_with_lines_that_repeat_them() {
    let words = ForgottenWords {
        tombstones: Tombstones::default(),
        sentences: gone("The vault opens with the blue heron. Thanks!"),
        messages: Mutex::default(),
    };
    for (summary, expected) in [
        (
            "## Facts\n- The vault opens with the blue heron.\n- Tea at four.",
            "## Facts\n- Tea at four.",
        ),
        ("> user: \"the vault  opens with the Blue Heron\"", ""),
        (
            "Tea at four. The vault opens with the blue heron.",
            "Tea at four.",
        ),
        ("- opens with the blue heron", ""),
        ("Thanks! Tea at four.", "Thanks! Tea at four."),
        ("The vault is locked.", "The vault is locked."),
    ] {
        assert_eq!(words.without(summary), expected, "{summary}");
    }
}

#[test]
fn message_loses_forgotten_sentence_unless_sent_after_forget() {
    let words = ForgottenWords {
        tombstones: Tombstones::default(),
        sentences: gone("The vault opens with the blue heron."),
        messages: Mutex::default(),
    };
    let said = Message::user("Tea at four. The vault opens with the blue heron.");
    for (at, expected) in [
        ("2026-04-20T11:00:00Z", Some("Tea at four.")),
        ("2026-04-20T12:00:00Z", Some("Tea at four.")),
        ("2026-04-20T13:00:00Z", None),
    ] {
        let left = left_of(&words, EntryId::generate(at.parse().unwrap()), &said);
        assert_eq!(left.map(|left| left.text()).as_deref(), expected, "{at}");
    }
    let foreign = left_of(&words, EntryId::new("e1"), &said);
    assert_eq!(foreign.unwrap().text(), "Tea at four.");
}

#[test]
fn every_part_of_reply_loses_forgotten_sentence_and_call_stays_valid() {
    let words = ForgottenWords {
        tombstones: Tombstones::default(),
        sentences: gone("The vault opens with the blue heron."),
        messages: Mutex::default(),
    };
    let call = |arguments: String| {
        Block::ToolCall(ToolCall {
            id: ToolCallId::new("c1"),
            name: "remember".to_owned(),
            arguments,
        })
    };
    let mut reply = Message::assistant("Noted.");
    let said = "Tea at four. The vault opens with the blue heron.";
    let arguments = json!({ "notes": [{ "text": said, "n": 4 }], "day": "2026-04-20" });
    reply.content_mut().extend([
        Block::Thinking(said.to_owned()),
        call(arguments.to_string()),
        call(format!("{{\"text\": {said:?}, ")),
    ]);
    let entry = EntryId::generate("2026-04-20T11:00:00Z".parse().unwrap());
    let left = left_of(&words, entry, &reply).unwrap();
    let [text, thinking, whole, broken] = left.content() else {
        panic!("{left:?}");
    };
    assert_eq!(*text, Block::Text("Noted.".to_owned()));
    assert_eq!(*thinking, Block::Thinking("Tea at four.".to_owned()));
    let whole = &whole.tool_call().unwrap().arguments;
    let expected = json!({ "notes": [{ "text": "Tea at four.", "n": 4 }], "day": "2026-04-20" });
    assert_eq!(serde_json::from_str::<Value>(whole).unwrap(), expected);
    let broken = &broken.tool_call().unwrap().arguments;
    assert!(!broken.contains("heron"), "{broken}");
}
