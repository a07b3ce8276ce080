//! How a chat stands, as a person reads it.
//!
//! Renders what it is given; finds nothing out.

use agent::Counts;
use base::{Timestamp, TokenCount, Tz};
use memory::SpentDay;

use crate::output::{minute, percent, wrap};
use crate::prelude::*;

/// How a chat stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChatStatus {
    pub(super) session: String,
    /// Its id, where it has begun.
    pub(super) id: Option<String>,
    pub(super) model: String,
    pub(super) epoch: u64,
    pub(super) n_messages: u64,
    pub(super) used: TokenCount,
    pub(super) window: TokenCount,
    pub(super) flushed_at: Option<Timestamp>,
    /// Messages that are in no daily log yet.
    pub(super) n_waiting: u64,
    /// Files of which a prompt hides a part.
    pub(super) cut_files: Vec<String>,
    /// What was spent beside the conversation today; `None` where that cannot be read.
    pub(super) spent: Option<SpentDay>,
    /// What dreams may spend on a day.
    pub(super) daily_tokens: TokenCount,
    /// What can be recalled, or why nothing is.
    pub(super) memory: &'static str,
    /// What the replies of this chat cost.
    pub(super) counts: Counts,
    /// What a compaction does with older messages.
    pub(super) strategy: &'static str,
}

/// Where a long line goes on.
const INDENT: &str = "               ";

/// The answer to `/status`.
pub(super) struct Told<'a> {
    pub(super) status: &'a ChatStatus,
    pub(super) timezone: Tz,
}

impl Report for Told<'_> {
    fn json(&self) -> Value {
        let status = self.status;
        json!({
            "event": "status",
            "session": status.session,
            "id": status.id,
            "model": status.model,
            "memory": status.memory,
            "messages": status.n_messages,
            "tokens": status.used.0,
            "window": status.window.0,
            "epoch": status.epoch,
            "lastFlush": status.flushed_at.map(|at| at.to_rfc3339()),
            "waiting": status.n_waiting,
            "cut": status.cut_files,
        })
    }

    fn human(&self, stdout: Stream) -> String {
        render(self.status, stdout.columns(), self.timezone)
    }
}

/// The status, in lines of at most `columns`.
fn render(status: &ChatStatus, columns: usize, timezone: Tz) -> String {
    let id = status.id.as_deref().map_or_else(
        || " (not begun)".to_owned(),
        |id| format!(" ({})", printable(id)),
    );
    let percent = percent(status.used, status.window);
    let last_flush = status
        .flushed_at
        .map_or_else(|| "never".to_owned(), |at| minute(at, timezone));
    let waiting = match status.n_waiting {
        0 => "nothing".to_owned(),
        n_waiting => format!(
            "{}, noted at /new, at the end, when you pause, or at midnight",
            counted(n_waiting, "message", "messages")
        ),
    };
    let mut lines = vec![
        ("session", format!("{}{id}", status.session)),
        ("model", printable(&status.model)),
        ("memory", status.memory.to_owned()),
        (
            "messages",
            format!("{} in the window", grouped(status.n_messages)),
        ),
        (
            "window",
            format!("{} of {} tokens ({percent}%)", status.used, status.window),
        ),
        ("strategy", status.strategy.to_owned()),
        ("epoch", grouped(status.epoch)),
        ("last flush", last_flush),
        ("waiting", waiting),
        ("spent today", spent(status)),
    ];
    if status.counts.steps > 0 {
        lines.push(("last reply", last_reply(&status.counts)));
        lines.push(("this chat", this_chat(&status.counts)));
    }
    for file in &status.cut_files {
        let file = printable(file);
        lines.push((
            "cut",
            format!("{file} is too long for a prompt: only a part of it is shown"),
        ));
    }
    let line = |(label, value): (&str, String)| {
        let line = format!("  {label:<11}  {value}");
        wrap(&line, columns, INDENT) + "\n"
    };
    lines.into_iter().map(line).collect()
}

/// What was spent beside the conversation; of dreams with what they may spend.
fn spent(status: &ChatStatus) -> String {
    let Some(spent) = status.spent else {
        return "unknown; state/ledger.json cannot be read".to_owned();
    };
    let daily = status.daily_tokens;
    let parts: Vec<String> = [
        ("notes", spent.notes, String::new()),
        ("summaries", spent.summaries, String::new()),
        ("dreams", spent.dreams, format!(" of {daily}")),
    ]
    .into_iter()
    .filter(|(_, own, _)| own.n_calls > 0)
    .map(|(what, own, of)| format!("{}{of} for {what}", own.total()))
    .collect();
    if parts.is_empty() {
        return "no tokens beside the conversation".to_owned();
    }
    format!("tokens: {}", parts.join(", "))
}

fn last_reply(counts: &Counts) -> String {
    let speed = counts.tenths_per_second.map_or_else(String::new, |tenths| {
        // Tenths of a large number are nobody's concern.
        let speed = match tenths {
            0..1_000 => format!("{}.{}", tenths / 10, tenths % 10),
            _ => grouped(tenths / 10),
        };
        format!(", {speed} tokens a second")
    });
    let (prompt, completion) = (counts.last_prompt, counts.last_completion);
    format!("{prompt} tokens in, {completion} out{speed}")
}

fn this_chat(counts: &Counts) -> String {
    let steps = counted(counts.steps, "step", "steps");
    format!(
        "{steps}, {} tokens in, {} out",
        counts.prompt, counts.completion
    )
}

/// Parts of the line are set apart by this.
const APART: &str = " \u{b7} ";

/// Whether something goes on beside the chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    None,
    /// Notes or a summary are being made.
    UnderWay,
}

/// The line: session, model, what the next request takes of the window, epoch, work in the background.
pub(super) fn line(status: &ChatStatus, work: Work) -> String {
    let percent = percent(status.used, status.window);
    let mut parts = vec![
        printable(&status.session),
        printable(&status.model),
        format!("{} of {} tokens ({percent}%)", status.used, status.window),
    ];
    if status.epoch > 0 {
        parts.push(format!("epoch {}", grouped(status.epoch)));
    }
    match work {
        Work::None => {}
        Work::UnderWay => parts.push("notes in the making".to_owned()),
    }
    parts.join(APART)
}

#[cfg(test)]
mod tests {
    use memory::Spent;

    use super::*;

    #[test]
    fn a_chat_says_how_it_stands() {
        let begun = ChatStatus {
            session: "main".to_owned(),
            id: Some("0198f3c2".to_owned()),
            model: "offline".to_owned(),
            epoch: 2,
            n_messages: 12,
            used: TokenCount(3_456),
            window: TokenCount(200_000),
            flushed_at: Some("2026-03-02T08:49:00Z".parse().unwrap()),
            n_waiting: 4,
            cut_files: vec!["MEMORY.md".to_owned()],
            spent: Some(SpentDay {
                notes: Spent {
                    input: TokenCount(12_000),
                    output: TokenCount(345),
                    n_calls: 3,
                },
                dreams: Spent {
                    input: TokenCount(4_000),
                    output: TokenCount(500),
                    n_calls: 1,
                },
                ..SpentDay::default()
            }),
            daily_tokens: TokenCount(200_000),
            memory: "notes and sessions are recalled",
            counts: Counts {
                steps: 12,
                last_prompt: TokenCount(3_400),
                last_completion: TokenCount(56),
                prompt: TokenCount(31_000),
                completion: TokenCount(900),
                tenths_per_second: Some(432),
            },
            strategy: "handoff",
        };
        let fresh = ChatStatus {
            id: None,
            epoch: 0,
            n_messages: 0,
            flushed_at: None,
            n_waiting: 0,
            cut_files: Vec::new(),
            spent: Some(SpentDay::default()),
            counts: Counts::default(),
            ..begun.clone()
        };
        let shown = |status| render(status, 80, Tz::Europe__Berlin);
        insta::assert_snapshot!([shown(&begun), shown(&fresh)].join("\n"));
    }

    #[test]
    fn one_line_says_how_the_chat_stands() {
        let status = ChatStatus {
            session: "main".to_owned(),
            id: None,
            model: "some-model".to_owned(),
            epoch: 0,
            n_messages: 4,
            used: TokenCount(12_345),
            window: TokenCount(64_000),
            flushed_at: None,
            n_waiting: 2,
            cut_files: Vec::new(),
            spent: None,
            daily_tokens: TokenCount(0),
            memory: "",
            counts: Counts::default(),
            strategy: "",
        };
        assert_eq!(
            line(&status, Work::None),
            "main \u{b7} some-model \u{b7} 12,345 of 64,000 tokens (19%)"
        );
        let later = ChatStatus { epoch: 3, ..status };
        assert_eq!(
            line(&later, Work::UnderWay),
            "main \u{b7} some-model \u{b7} 12,345 of 64,000 tokens (19%) \u{b7} epoch 3 \u{b7} notes in \
             the making"
        );
    }
}
