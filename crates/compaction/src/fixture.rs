//! Conversations as text, for tests: one message per line, as in `user: hi` or `tool(c1): a.txt`.
//!
//! Never used outside tests.

use base::model::Request;
use base::{
    Assistant, Block, EntryId, Message, Origin, Timestamp, TokenCount, ToolCall, ToolCallId,
    ToolOutcome, ToolResult, Tz, head, tail,
};
use proptest::prelude::*;
use session::{View, ViewContent, ViewItem};
use std::time::Duration;

use crate::settings::WindowSettings;
use crate::shown::sent_tokens;
use crate::strategy::{Middle, Permille, Replace, Strategy as Compacting, Tiered};
use crate::summarise::{SummaryBrief, SummaryPlan};
use crate::transcript::AsOf;

/// The time of the first message in every fixture.
const START: &str = "2026-04-20T14:00:00Z";

/// The view that a text describes.
///
/// `summary: text`, `user: text`, `assistant: text call(ID)`, `tool(ID): text`; a number after
/// the role, as in `user 40: hi`, is the number of tokens. Entries are `m1`, `m2` and so on.
pub(crate) fn view(text: &str) -> View {
    View {
        items: text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .zip(1..)
            .map(|(line, number)| item(line, number))
            .collect(),
        is_cut: false,
    }
}

/// The inverse of `view`, without token counts.
pub(crate) fn script(items: &[ViewItem]) -> String {
    let lines: Vec<String> = items.iter().map(script_line).collect();
    lines.join("\n")
}

/// Like `script`, but for snapshots: a long line is shown as its ends and its length.
pub(crate) fn glance(items: &[ViewItem]) -> String {
    let lines: Vec<String> = script(items)
        .lines()
        .map(|line| match line.chars().count() {
            0..=160 => line.to_owned(),
            n_chars => {
                let (head, tail) = (head(line, 60), tail(line, 40));
                format!("{head} <{n_chars} characters> {tail}")
            }
        })
        .collect();
    lines.join("\n")
}

/// The brief for a `handoff` summary of these items, which take `stored` tokens.
pub(crate) fn brief(items: Vec<ViewItem>, stored: u64, output_max: u64) -> SummaryBrief {
    let stored = TokenCount(stored);
    SummaryBrief {
        plan: SummaryPlan {
            span: items,
            first_kept: Some(EntryId::new("next")),
            stored,
            replaced: stored,
            tokens_before: stored + stored,
            output_max: TokenCount(output_max),
            ..SummaryPlan::default()
        },
        as_of: as_of(22),
        instructions: None,
    }
}

/// The text of a request as the model reads it.
pub(crate) fn as_read(request: &Request) -> String {
    let shown: Vec<String> = request.messages.iter().map(Message::text).collect();
    format!(
        "{}\n\n=== message ===\n\n{}",
        request.system,
        shown.join("\n\n")
    )
}

/// Settings with this window and otherwise default values.
pub(crate) fn window(tokens: u64) -> WindowSettings {
    WindowSettings {
        context_window: TokenCount(tokens),
        ..WindowSettings::default()
    }
}

/// This many minutes after the fixture's start, in the time zone of Berlin.
pub(crate) fn as_of(minutes: u64) -> AsOf {
    AsOf {
        at: minutes_after_start(minutes),
        timezone: Tz::named("Europe/Berlin").unwrap(),
    }
}

pub(crate) fn entry(number: u64, origin: Origin, content: ViewContent) -> ViewItem {
    ViewItem {
        entry: EntryId::new(format!("m{number}")),
        at: at(number),
        origin,
        tokens: sent_tokens(&content),
        content,
        copied_from: None,
    }
}

pub(crate) fn tool_result(id: &str, text: &str) -> Message {
    Message::ToolResult(ToolResult {
        call_id: ToolCallId::new(id),
        tool_name: "read".to_owned(),
        content: vec![Block::Text(text.to_owned())],
        outcome: ToolOutcome::Success,
    })
}

pub(crate) fn calls(text: &str, ids: &[&str]) -> Message {
    let text = (!text.is_empty()).then(|| Block::Text(text.to_owned()));
    let calls = ids.iter().map(|id| {
        Block::ToolCall(ToolCall {
            id: ToolCallId::new(*id),
            name: "read".to_owned(),
            arguments: "{}".to_owned(),
        })
    });
    Message::Assistant(Assistant {
        content: text.into_iter().chain(calls).collect(),
        ..Assistant::default()
    })
}

/// A list of this many bullets, numbered from 0.
pub(crate) fn bullets(text: &str, n_bullets: usize) -> String {
    let bullets: Vec<String> = (0..n_bullets)
        .map(|number| format!("- {text} {number}\n"))
        .collect();
    bullets.concat()
}

/// Any sequence of messages, valid or not. There are few call ids, so that duplicates occur.
pub(crate) fn any_items() -> impl Strategy<Value = Vec<ViewItem>> {
    let id = || prop::sample::select(vec!["", "a", "b", "c"]);
    let content = prop_oneof![
        2 => ".{0,6}".prop_map(|text| ViewContent::Message(Message::user(text))),
        3 => prop::collection::vec(id(), 0..4).prop_map(|ids| ViewContent::Message(calls("", &ids))),
        4 => id().prop_map(|id| ViewContent::Message(tool_result(id, "done"))),
        1 => Just(ViewContent::Summary("earlier".to_owned())),
    ];
    prop::collection::vec(content, 0..24).prop_map(|contents| {
        let numbered = contents.into_iter().zip(1..);
        numbered
            .map(|(content, number)| entry(number, Origin::Agent, content))
            .collect()
    })
}

/// A valid conversation: every call has a result, and sizes vary widely.
pub(crate) fn any_conversation(chars_max: usize) -> impl Strategy<Value = View> {
    let size = move || prop_oneof![8 => 0..chars_max / 20, 1 => 0..chars_max];
    let turn = prop_oneof![
        3 => (size(), size()).prop_map(|(asked, answered)| vec![
            Message::user("q".repeat(asked)),
            Message::assistant("r".repeat(answered)),
        ]),
        1 => (size(), prop::collection::vec(size(), 1..5)).prop_map(|(asked, results)| {
            let ids: Vec<String> = (0..results.len()).map(|number| format!("call{number}")).collect();
            let names: Vec<&str> = ids.iter().map(String::as_str).collect();
            let answers = ids.iter().zip(&results).map(|(id, size)| tool_result(id, &"t".repeat(*size)));
            [Message::user("q".repeat(asked)), calls("", &names)].into_iter().chain(answers).collect()
        }),
    ];
    prop::collection::vec(turn, 1..40).prop_map(|turns| {
        let numbered = turns.into_iter().flatten().zip(1..);
        let item = |(message, number)| entry(number, Origin::Owner, ViewContent::Message(message));
        View {
            items: numbered.map(item).collect(),
            is_cut: false,
        }
    })
}

/// Any strategy with arbitrary thresholds.
pub(crate) fn any_strategy() -> impl Strategy<Value = Compacting> {
    let share = || (0_u64..1_200).prop_map(Permille);
    prop_oneof![
        Just(Compacting::Handoff),
        Just(Compacting::Off),
        prop::option::of(1_u64..300_000).prop_map(|threshold| {
            let threshold = threshold.map(TokenCount);
            Compacting::Replace(Replace { threshold })
        }),
        (share(), share(), share()).prop_map(|(background, aggressive, emergency)| {
            Compacting::Tiered(Tiered {
                background,
                aggressive,
                emergency,
            })
        }),
        (0_u64..300_000, 0_usize..12, 1_usize..60).prop_map(|(threshold, tail, messages_max)| {
            Compacting::Middle(Middle {
                threshold: TokenCount(threshold),
                protected_tail: tail,
                messages_max,
                ..Middle::default()
            })
        }),
    ]
}

fn at(number: u64) -> Timestamp {
    minutes_after_start(number - 1)
}

fn minutes_after_start(minutes: u64) -> Timestamp {
    START.parse::<Timestamp>().unwrap() + Duration::from_secs(60 * minutes)
}

fn item(line: &str, number: u64) -> ViewItem {
    let (head, text) = line.split_once(':').unwrap();
    let (role, tokens) = match head.split_once(' ') {
        Some((role, tokens)) => (role, Some(TokenCount(tokens.parse().unwrap()))),
        None => (head, None),
    };
    let (text, ids) = split_calls(text.trim());
    let (origin, content) = match role {
        "summary" => (Origin::System, ViewContent::Summary(text)),
        "user" => (Origin::Owner, ViewContent::Message(Message::user(text))),
        "assistant" => (Origin::Agent, ViewContent::Message(calls(&text, &ids))),
        tool => {
            let id = tool
                .strip_prefix("tool(")
                .unwrap()
                .strip_suffix(')')
                .unwrap();
            let result = tool_result(id, &text);
            (Origin::Untrusted, ViewContent::Message(result))
        }
    };
    let mut item = entry(number, origin, content);
    item.tokens = tokens.unwrap_or(item.tokens);
    item
}

fn split_calls(text: &str) -> (String, Vec<&str>) {
    let mut parts = text.split("call(");
    let said = parts.next().unwrap().trim().to_owned();
    let ids = parts.map(|part| part.trim().strip_suffix(')').unwrap());
    (said, ids.collect())
}

fn script_line(item: &ViewItem) -> String {
    let message = match &item.content {
        ViewContent::Summary(summary) => return format!("summary: {summary}"),
        ViewContent::Message(message) => message,
    };
    let role = match message {
        Message::ToolResult(result) => format!("tool({})", result.call_id),
        Message::User { .. } | Message::Assistant(_) => message.role().to_owned(),
    };
    let text = Some(message.text()).filter(|text| !text.is_empty());
    let calls = message
        .tool_calls()
        .map(|call| format!("call({})", call.id));
    let said: Vec<String> = text.into_iter().chain(calls).collect();
    format!("{role}: {}", said.join(" "))
}
