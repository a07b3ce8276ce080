//! Tool results that are shortened for their size or age, and those that never are.

use base::{Image, Origin, TokenCount};

use super::*;
use crate::Strategy;
use crate::fixture::{self, entry, tool_result};
use crate::settings::PrunedTools;

/// A user message, a tool result, and this many replies.
fn talk(result: Message, n_replies: u64) -> Vec<ViewItem> {
    let said = |number, message| entry(number, Origin::Agent, ViewContent::Message(message));
    let mut items = vec![said(1, Message::user("go")), said(2, result)];
    items.extend((0..n_replies).map(|number| said(3 + number, Message::assistant("ok"))));
    items
}

fn settings(tools: PrunedTools) -> WindowSettings {
    WindowSettings {
        prune_after_rounds: 2,
        pruned_tools: tools,
        ..WindowSettings::default()
    }
}

fn content(items: &[ViewItem]) -> Vec<Block> {
    items[1].message().unwrap().content().to_vec()
}

fn pruned(text: &str, n_replies: u64) -> String {
    let mut items = talk(tool_result("a", text), n_replies);
    prune(&mut items, &settings(PrunedTools::default()));
    assert_eq!(
        items[1].tokens,
        sent_tokens(&items[1].content),
        "counted as it is sent"
    );
    Block::text_of(&content(&items))
}

fn pruned_failure(text: &str, n_replies: u64) -> Vec<Block> {
    let mut failed = tool_result("a", text);
    let Message::ToolResult(result) = &mut failed else {
        unreachable!("a tool result");
    };
    result.outcome = ToolOutcome::Failure;
    let mut items = talk(failed, n_replies);
    prune(&mut items, &settings(PrunedTools::default()));
    content(&items)
}

#[test]
fn failed_result_is_pruned_with_longer_end() {
    let text = format!("{}\nNo such file: /etc/shed.conf", "x".repeat(6_000));
    let hidden = text.chars().count() - 3_000;
    let short = |n_head, n_tail| {
        format!(
            "{}\n[... {hidden} characters cleared ...]\n{}",
            "x".repeat(n_head),
            tail(&text, n_tail)
        )
    };
    assert_eq!(pruned(&text, 3), short(1_500, 1_500));
    assert_eq!(pruned_failure(&text, 3), [Block::Text(short(750, 2_250))]);
}

#[test]
fn old_failed_result_keeps_its_end() {
    let text = format!("{}\nNo such file: /etc/shed.conf", "x".repeat(6_000));
    let expected = format!("{PLACEHOLDER} ... {}", tail(&text, 300));
    assert_eq!(pruned_failure(&text, 5), [Block::Text(expected)]);
    assert_eq!(pruned(&text, 5), PLACEHOLDER);
    let short = "error: short".to_owned();
    assert_eq!(pruned_failure(&short, 5), [Block::Text(short)]);
}

#[test]
fn pruned_tools_follow_allow_and_deny_lists() {
    let text = "x".repeat(6_000);
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    // The fixture's tool is named `read`.
    let cases: [(&[&str], &[&str], bool); 6] = [
        (&[], &[], true),
        (&["re*"], &[], true),
        (&["write*"], &[], false),
        (&[], &["READ"], false),
        (&["*"], &["*ea*"], false),
        (&["read"], &["reader"], true),
    ];
    for (allow, deny, expected) in cases {
        let tools = PrunedTools {
            allow: names(allow),
            deny: names(deny),
        };
        let mut items = talk(tool_result("a", &text), 3);
        let before = items.clone();
        prune(&mut items, &settings(tools));
        assert_eq!(items != before, expected, "{allow:?} {deny:?}");
    }
}

#[test]
fn old_image_is_replaced_with_line_that_names_it() {
    let image = Block::Image(Image {
        mime_type: "image/png".to_owned(),
        reference: "shot.png".to_owned(),
    });
    let with_image = |text: &str| {
        let mut result = tool_result("a", text);
        result.content_mut().push(image.clone());
        result
    };
    let shown = |n_replies| {
        let mut items = talk(with_image("a page"), n_replies);
        prune(&mut items, &settings(PrunedTools::default()));
        (content(&items), items[1].tokens)
    };
    let text = |text: &str| Block::Text(text.to_owned());
    assert_eq!(shown(2).0, [text("a page"), image.clone()]);
    assert_eq!(
        shown(3).0,
        [text("a page"), text("[image image/png cleared]")]
    );
    assert_eq!(shown(5).0, [text(PLACEHOLDER)]);
    assert!(shown(3).1 + TokenCount(100) < shown(2).1, "an image counts");
}

#[test]
fn recent_result_is_capped_and_names_its_entry() {
    let cap_of = |window: u64| {
        let budget = Budget::new(&fixture::window(window));
        let mut items = talk(tool_result("a", &"\u{65e5}".repeat(100_000)), 0);
        cap(&mut items, &budget);
        Block::text_of(&content(&items))
    };
    let marker = |n_hidden: usize| {
        format!("\n[... {n_hidden} characters of entry m2 are not shown here ...]\n")
    };
    for (window, max) in [(200_000, 40_000), (16_000, 19_200), (1_000, 2_000)] {
        let text = cap_of(window);
        let n_marker = marker(100_000 - max).chars().count();
        assert!(text.contains(&marker(100_000 - max)), "{window}");
        assert_eq!(text.chars().count(), max + n_marker, "{window}");
    }
}

#[test]
fn middle_caps_result_at_configured_characters() {
    let shown = |result_chars_max| {
        let settings = WindowSettings {
            strategy: Strategy::Middle(crate::Middle {
                result_chars_max,
                ..crate::Middle::default()
            }),
            ..WindowSettings::default()
        };
        let mut items = talk(tool_result("a", &"x".repeat(100_000)), 0);
        cap(&mut items, &Budget::new(&settings));
        let text = Block::text_of(&content(&items));
        text.chars().filter(|character| *character == 'x').count()
    };
    assert_eq!(
        [shown(40_000), shown(5_000), shown(90_000)],
        [40_000, 5_000, 90_000]
    );
}

#[test]
fn items_before_first_user_message_are_neither_capped_nor_pruned() {
    let mut items = talk(tool_result("a", &"x".repeat(100_000)), 9);
    items.remove(0);
    let before = items.clone();
    let settings = settings(PrunedTools::default());
    cap(&mut items, &Budget::new(&settings));
    prune(&mut items, &settings);
    assert_eq!(items, before);
}
