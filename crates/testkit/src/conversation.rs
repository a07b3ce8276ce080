//! Synthetic conversations with several days, tools, scripts and long messages.
//!
//! Deterministic, so that failures can be reproduced.

use std::time::Duration;

use base::{
    Assistant, Block, Message, StopReason, Timestamp, ToolCall, ToolCallId, ToolOutcome, ToolResult,
};
use serde_json::{Value, json};

/// A message with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedMessage {
    /// The time of the message.
    pub at: Timestamp,
    /// The message.
    pub message: Message,
}

/// Messages of the owner that contain facts, in several scripts.
const OWNER: [&str; 10] = [
    "Please look at the log of the importer, it stopped at 03:15 again.",
    "I decided to keep the data in SQLite because a single file is easy to back up.",
    "From now on show me amounts in euros, never in dollars.",
    "The deadline for the tax form is 2026-05-31, remind yourself of it.",
    "\u{30b5}\u{30fc}\u{30d0}\u{30fc}\u{306e}\u{8a2d}\u{5b9a}\u{3092}\u{78ba}\u{8a8d}\u{3057}\u{3066}\u{304f}\u{3060}\u{3055}\u{3044}\u{3002}",
    "\u{41f}\u{440}\u{43e}\u{432}\u{435}\u{440}\u{44c} /srv/backup/nightly.sh \u{438} \u{441}\u{43a}\u{430}\u{436}\u{438}, \u{447}\u{442}\u{43e} \u{43d}\u{435} \u{442}\u{430}\u{43a}.",
    "Grandma's flat has the number 14b, not 14a as I told you. \u{1f642}",
    "Why does `cargo build` fail with error E0502 in src/queue.rs line 88?",
    "The invoice 2026-0417 over 1,284.50 EUR is still open.",
    "Thanks. What is left to do?",
];

/// Replies of the assistant.
const ASSISTANT: [&str; 6] = [
    "Done. The change is in src/queue.rs, and the tests pass.",
    "I found the cause: the cron job runs before the disk is mounted.",
    "Noted. I will keep that in mind for every later answer.",
    "Two things are left: the retry on timeout, and the page about the format.",
    "The file has 1,204 lines; the error stands in line 88.",
    "\u{4e86}\u{89e3}\u{3057}\u{307e}\u{3057}\u{305f}\u{3002}\u{8a2d}\u{5b9a}\u{306f} /etc/app/config.toml \u{306b}\u{3042}\u{308a}\u{307e}\u{3059}\u{3002}",
];

/// Tools that the assistant calls, with their arguments.
const TOOLS: [(&str, &str); 3] = [
    ("read_file", r#"{"path":"/srv/app/src/queue.rs"}"#),
    ("run", r#"{"command":"cargo test --workspace"}"#),
    ("list", r#"{"path":"/srv/backup","recursive":true}"#),
];

/// Maximum number of extra lines in a long tool result or message.
const LONG_LINES: u64 = 160;

/// Pseudorandom numbers (Knuth's MMIX generator).
struct FixedNumbers(u64);

impl FixedNumbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let length = u64::try_from(from.len()).expect("a short list");
        let index = usize::try_from(self.below(length)).expect("below its length");
        from.get(index).expect("below its length")
    }
}

/// A conversation of exactly `n_messages` messages; each `variant` gives a different one.
///
/// Every tool call has its result, unless the conversation ends before it.
pub fn conversation(variant: u64, n_messages: usize) -> Vec<TimedMessage> {
    let mut numbers = FixedNumbers(variant);
    let mut at: Timestamp = "2026-04-20T07:30:00Z".parse().unwrap();
    let mut said = Vec::with_capacity(n_messages + 3);
    while said.len() < n_messages {
        for message in turn(&mut numbers, said.len()) {
            at += Duration::from_secs(30 + numbers.below(5_400));
            said.push(TimedMessage { at, message });
        }
    }
    said.truncate(n_messages);
    said
}

/// One question, in some turns a tool call with its result, and the answer.
fn turn(numbers: &mut FixedNumbers, position: usize) -> Vec<Message> {
    let mut question = format!("({position}) {}", numbers.pick(&OWNER));
    if numbers.below(12) == 0 {
        question.push_str(&long_text(numbers));
    }
    let mut messages = vec![Message::user(question)];
    if numbers.below(3) == 0 {
        messages.extend(tool_use(numbers, position));
    }
    messages.push(Message::assistant(*numbers.pick(&ASSISTANT)));
    messages
}

fn tool_use(numbers: &mut FixedNumbers, position: usize) -> [Message; 2] {
    let id = ToolCallId::new(format!("call_{position}"));
    let (name, arguments) = *numbers.pick(&TOOLS);
    let call = ToolCall {
        id: id.clone(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let call = Message::Assistant(Assistant {
        content: vec![Block::Text("Let me look.".into()), Block::ToolCall(call)],
        usage: None,
        stop: StopReason::ToolUse,
    });
    let (content, outcome) = if numbers.below(5) == 0 {
        (
            "error: permission denied (os error 13)".into(),
            ToolOutcome::Failure,
        )
    } else {
        (long_text(numbers), ToolOutcome::Success)
    };
    let result = Message::ToolResult(ToolResult {
        call_id: id,
        tool_name: name.to_owned(),
        content: vec![Block::Text(content)],
        outcome,
    });
    [call, result]
}

fn long_text(numbers: &mut FixedNumbers) -> String {
    let n_lines = 10 + numbers.below(LONG_LINES);
    let line = |number: u64| {
        let value = numbers.below(100_000);
        format!(
            "\n{number:>4}  /srv/app/part-{:02}.rs  {value} bytes",
            value % 60
        )
    };
    (1..=n_lines).map(line).collect()
}

/// The conversation in the input format of `replay`: one JSON object per line.
pub fn to_jsonl(said: &[TimedMessage]) -> String {
    let lines: Vec<String> = said.iter().map(|said| to_json(said).to_string()).collect();
    lines.join("\n") + "\n"
}

fn to_json(said: &TimedMessage) -> Value {
    let mut line = json!({
        "role": if said.message.role() == "toolResult" { "tool" } else { said.message.role() },
        "content": said.message.text(),
        "timestamp": said.at.to_rfc3339(),
    });
    let calls: Vec<Value> = said.message.tool_calls().map(call_to_json).collect();
    let mut set = |key: &str, value: Value| {
        line.as_object_mut().unwrap().insert(key.to_owned(), value);
    };
    if !calls.is_empty() {
        set("toolCalls", Value::Array(calls));
    }
    if let Message::ToolResult(result) = &said.message {
        set("toolCallId", json!(result.call_id.as_str()));
        set("name", json!(result.tool_name));
        set("isError", json!(result.outcome == ToolOutcome::Failure));
    }
    line
}

fn call_to_json(call: &ToolCall) -> Value {
    json!({
        "id": call.id.as_str(),
        "name": call.name,
        "arguments": serde_json::from_str::<Value>(&call.arguments).unwrap(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn conversation_is_deterministic_for_its_arguments() {
        assert_eq!(
            to_jsonl(&conversation(7, 60)),
            to_jsonl(&conversation(7, 60))
        );
        assert_ne!(
            to_jsonl(&conversation(7, 60)),
            to_jsonl(&conversation(8, 60))
        );
        assert!(to_jsonl(&conversation(7, 60)).starts_with(&to_jsonl(&conversation(7, 21))));
    }

    #[test]
    fn conversation_has_days_calls_failures_and_unicode() {
        let said = conversation(1, 200);
        let days: HashSet<_> = said.iter().map(|said| said.at.date_naive()).collect();
        let n_calls: usize = said
            .iter()
            .map(|said| said.message.tool_calls().count())
            .sum();
        let n_results = said
            .iter()
            .filter(|said| said.message.role() == "toolResult")
            .count();
        let text = to_jsonl(&said);
        assert_eq!((said.len(), text.lines().count()), (200, 200));
        assert!(days.len() > 3, "{days:?}");
        assert!(
            n_calls > 10 && n_calls == n_results,
            "{n_calls} {n_results}"
        );
        assert!(!text.is_ascii() && text.contains("\"isError\":true"));
    }
}
