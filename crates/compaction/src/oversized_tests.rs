//! Messages of every kind that are too large for the window.

use base::test_kit::Words;
use base::{Assistant, Image, Origin, ToolCall, ToolCallId};
use proptest::prelude::*;

use super::*;
use crate::fixture::{any_conversation, entry, script, tool_result, view};
use crate::pairing;

const MAX: TokenCount = TokenCount(60);

fn shortened(content: ViewContent) -> ViewItem {
    let mut items = vec![entry(1, Origin::Owner, content)];
    shorten(&mut items, MAX);
    items.remove(0)
}

#[test]
fn oversized_message_shows_ends_entry_and_hidden_tokens() {
    let text = format!("begin {} end", "x".repeat(1_000));
    let item = shortened(ViewContent::Message(Message::user(text)));
    assert_eq!(
        script(&[item]),
        format!(
            "user: begin {}\n[... 211 tokens of entry m1 are not shown here ...]\n{} end",
            "x".repeat(78),
            "x".repeat(80)
        )
    );
}

#[test]
fn message_within_limit_is_unchanged() {
    let content = ViewContent::Message(Message::user("x".repeat(224)));
    assert_eq!(sent_tokens(&content), MAX);
    assert_eq!(shortened(content.clone()).content, content);
}

#[test]
fn i3_large_arguments_become_text_and_call_stays() {
    let call = ToolCall {
        id: ToolCallId::new("a"),
        name: "write".to_owned(),
        arguments: format!("{{\"text\":\"{}\"}}", "日".repeat(500)),
    };
    let content = vec![
        Block::Thinking("long ".repeat(500)),
        Block::ToolCall(call.clone()),
    ];
    let reply = Message::Assistant(Assistant {
        content,
        ..Assistant::default()
    });
    let item = shortened(ViewContent::Message(reply));
    let ViewContent::Message(message) = &item.content else {
        panic!("{item:?}")
    };
    let told = message.text();
    told.begins("[arguments of the call to write: {\"text\":\"日");
    told.holds("tokens of entry m1 are not shown here");
    let calls: Vec<ToolCall> = message.tool_calls().cloned().collect();
    assert_eq!(
        calls,
        [ToolCall {
            arguments: "{}".to_owned(),
            ..call
        }]
    );
    assert!(item.tokens <= MAX);
}

#[test]
fn images_of_oversized_message_become_names() {
    let image = Block::Image(Image {
        mime_type: "image/png".to_owned(),
        reference: "a.png".to_owned(),
    });
    let message = Message::User {
        content: vec![Block::Text("see".to_owned()), image],
        name: None,
    };
    let item = shortened(ViewContent::Message(message));
    assert_eq!(script(&[item]), "user: see\n[image image/png: a.png]");
}

#[test]
fn call_and_results_together_stay_within_limit() {
    let mut items = view("assistant: call(a)call(b)call(c)").items;
    for (id, size) in [("a", 200), ("b", 40), ("c", 200)] {
        let result = ViewContent::Message(tool_result(id, &"x".repeat(size)));
        items.push(entry(2, Origin::Untrusted, result));
    }
    let before = items.clone();
    shorten(&mut items, TokenCount(100));
    let is_same = |at: usize| items[at] == before[at];
    assert_eq!([0, 1, 2, 3].map(is_same), [true, false, true, false]);
    let tokens: TokenCount = items.iter().map(|item| item.tokens).sum();
    assert!(tokens <= TokenCount(100), "{tokens}");
}

#[test]
fn oversized_summary_is_shortened() {
    let item = shortened(ViewContent::Summary("x".repeat(1_000)));
    assert!(matches!(&item.content, ViewContent::Summary(text) if text.contains("of entry m1")));
    assert!(item.tokens <= MAX);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn i6_groups_of_call_and_results_stay_within_limit(view in any_conversation(8_000), max in 200_u64..3_000) {
        let max = TokenCount(max);
        let mut items = pairing::pair(&view.items);
        shorten(&mut items, max);
        for group in items.chunk_by(|_, after| is_result(after)) {
            let tokens: TokenCount = group.iter().map(|item| item.tokens).sum();
            prop_assert!(tokens <= max, "{} in {}", tokens, script(group));
        }
        prop_assert_eq!(pairing::pair(&items), items.clone());
        let mut again = items.clone();
        shorten(&mut again, max);
        prop_assert_eq!(again, items);
    }
}
