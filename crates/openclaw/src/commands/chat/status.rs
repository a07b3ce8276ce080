//! Renders `/status` and the status line.
//!
//! Gathers nothing itself.

use agent::TokenCounts;
use base::{Day, Timestamp};
use cli::output::{instant, minute, percent, wrap};
use memory::SpentDay;

use crate::commands::events::hundredths;
use crate::prelude::*;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChatStatus {
    pub(super) session: String,
    /// `None` before the first message.
    pub(super) id: Option<String>,
    pub(super) model: String,
    pub(super) epoch: u64,
    pub(super) n_messages: u64,
    pub(super) used: TokenCount,
    pub(super) window: TokenCount,
    pub(super) flushed_at: Option<Timestamp>,
    /// Messages that no flush has covered yet.
    pub(super) n_waiting: u64,
    /// Files too long for a prompt, which shows only a part of them.
    pub(super) cut_files: Vec<String>,
    /// Tokens spent in the background today; `None` if the ledger cannot be read.
    pub(super) spent: Option<SpentDay>,
    /// Daily token budget of dreams.
    pub(super) daily_tokens: TokenCount,
    /// What can be recalled, or the reason why nothing is.
    pub(super) memory: &'static str,
    /// Token counts of this chat's replies.
    pub(super) counts: TokenCounts,
    /// Name of the compaction strategy.
    pub(super) strategy: &'static str,
    /// Whether a background job is making notes or a summary.
    pub(super) is_noting: bool,
    pub(super) timezone: Tz,
}

pub(super) const INDENT: &str = "               ";

impl Report for ChatStatus {
    fn json(&self) -> Value {
        json!({
            "event": "status",
            "session": self.session,
            "id": self.id,
            "model": self.model,
            "memory": self.memory,
            "messages": self.n_messages,
            "tokens": self.used.0,
            "window": self.window.0,
            "epoch": self.epoch,
            "lastFlush": self.flushed_at.map(instant),
            "waiting": self.n_waiting,
            "cut": self.cut_files,
            "strategy": self.strategy,
            "lastReply": (self.counts.steps > 0).then(|| json!({
                "promptTokens": self.counts.last_prompt.0,
                "completionTokens": self.counts.last_completion.0,
                "tokensPerSecond": self.counts.tenths_per_second.map(|tenths| hundredths(tenths * 10)),
            })),
            "chat": {
                "steps": self.counts.steps,
                "promptTokens": self.counts.prompt.0,
                "completionTokens": self.counts.completion.0,
            },
            "spentToday": self.spent.map(|spent| json!({
                "notes": spent.notes.total().0,
                "summaries": spent.summaries.total().0,
                "dreams": spent.dreams.total().0,
                "dreamsBudget": self.daily_tokens.0,
            })),
        })
    }

    fn human(&self, stdout: Stream) -> String {
        let id = self.id.as_deref().map(printable);
        let id = id.unwrap_or_else(|| "not started".to_owned());
        let percent = percent(self.used, self.window);
        let last_flush = self.flushed_at.map(|at| minute(at, self.timezone));
        let waiting = match self.n_waiting {
            0 => "nothing".to_owned(),
            n_waiting => format!(
                "{}; notes are written at /new, on exit, when idle or at midnight",
                counted(n_waiting, "message", "messages")
            ),
        };
        let mut lines = vec![
            ("session", format!("{} ({id})", self.session)),
            ("model", printable(&self.model)),
            ("memory", self.memory.to_owned()),
            (
                "messages",
                format!("{} in the window", grouped(self.n_messages)),
            ),
            (
                "window",
                format!("{} of {} tokens ({percent}%)", self.used, self.window),
            ),
            ("strategy", self.strategy.to_owned()),
            ("epoch", grouped(self.epoch)),
            (
                "last flush",
                last_flush.unwrap_or_else(|| "never".to_owned()),
            ),
            ("waiting", waiting),
            ("spent today", spent(self)),
        ];
        if self.counts.steps > 0 {
            lines.push(("last reply", last_reply(&self.counts)));
            lines.push(("this chat", this_chat(&self.counts)));
        }
        for file in &self.cut_files {
            let file = printable(file);
            lines.push((
                "truncated",
                format!("{file} is too long for the prompt; only part of it is included"),
            ));
        }
        let line = |(label, value): (&str, String)| {
            let line = format!("  {label:<11}  {value}");
            wrap(&line, stdout.columns(), INDENT) + "\n"
        };
        lines.into_iter().map(line).collect()
    }
}

/// Tokens spent in the background, with the budget of dreams.
fn spent(status: &ChatStatus) -> String {
    let Some(spent) = status.spent else {
        return "unknown: cannot read state/ledger.json".to_owned();
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
        return "no tokens outside the conversation".to_owned();
    }
    format!("tokens: {}", parts.join(", "))
}

fn last_reply(counts: &TokenCounts) -> String {
    let speed = counts.tenths_per_second.map(|tenths| match tenths {
        0..1_000 => format!(", {}.{} tokens a second", tenths / 10, tenths % 10),
        // Tenths of a large number do not matter.
        _ => format!(", {} tokens a second", grouped(tenths / 10)),
    });
    let speed = speed.unwrap_or_default();
    let (prompt, completion) = (counts.last_prompt, counts.last_completion);
    format!("{prompt} tokens in, {completion} out{speed}")
}

fn this_chat(counts: &TokenCounts) -> String {
    let steps = counted(counts.steps, "step", "steps");
    format!(
        "{steps}, {} tokens in, {} out",
        counts.prompt, counts.completion
    )
}

/// Separator between the parts of the status line.
const APART: &str = " \u{b7} ";

/// The status line: session, model, window use of the next request, epoch, background work.
pub(super) fn line(status: &ChatStatus) -> String {
    let percent = percent(status.used, status.window);
    let mut parts = vec![
        printable(&status.session),
        printable(&status.model),
        format!("{} of {} tokens ({percent}%)", status.used, status.window),
    ];
    if status.epoch > 0 {
        parts.push(format!("epoch {}", grouped(status.epoch)));
    }
    if status.is_noting {
        parts.push("writing notes".to_owned());
    }
    parts.join(APART)
}

/// What memory holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MemoryHeld {
    pub(super) n_notes: u64,
    /// The first and the last day with a log.
    pub(super) days: Option<(Day, Day)>,
    pub(super) n_days: u64,
    /// Lines of `MEMORY.md`.
    pub(super) n_lines: u64,
    pub(super) n_candidates: u64,
    /// Messages of this session that no flush has covered yet.
    pub(super) n_waiting: u64,
}

pub(super) fn held_in_words(held: &MemoryHeld) -> String {
    let notes = counted(held.n_notes, "note", "notes");
    let notes = match held.days {
        Some((first, last)) if held.n_days > 1 => {
            let days = counted(held.n_days, "day", "days");
            format!("{notes} on {days}, {first} to {last}")
        }
        Some((day, _)) => format!("{notes} on {day}"),
        None => "no notes yet".to_owned(),
    };
    let review = match held.n_candidates {
        0 => "nothing".to_owned(),
        n_candidates => {
            let candidates = counted(n_candidates, "candidate", "candidates");
            format!("{candidates}; review them with `openclaw dream review`")
        }
    };
    let waiting = match held.n_waiting {
        0 => "nothing".to_owned(),
        n_waiting => {
            let messages = counted(n_waiting, "message", "messages");
            format!("{messages} in this session; notes are written at /new or on exit")
        }
    };
    let lines = [
        ("daily logs", notes),
        ("MEMORY.md", counted(held.n_lines, "line", "lines")),
        ("to review", review),
        ("not noted", waiting),
    ];
    let lines = lines.map(|(label, value)| format!("  {label:<11}  {value}\n"));
    lines.concat() + "\n  `/memory QUESTION` searches your notes and sessions.\n"
}

#[cfg(test)]
mod tests {
    use memory::Spent;

    use super::*;

    fn begun() -> ChatStatus {
        ChatStatus {
            session: "main".to_owned(),
            id: Some("0198f3c2".to_owned()),
            model: "offline".to_owned(),
            epoch: 2,
            n_messages: 12,
            used: TokenCount(3_456),
            window: TokenCount(200_000),
            flushed_at: Some("2026-03-02T08:49:00.123456789Z".parse().unwrap()),
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
            counts: TokenCounts {
                steps: 12,
                last_prompt: TokenCount(3_400),
                last_completion: TokenCount(56),
                prompt: TokenCount(31_000),
                completion: TokenCount(900),
                tenths_per_second: Some(432),
            },
            strategy: "handoff",
            is_noting: false,
            timezone: Tz::named("Europe/Berlin").unwrap(),
        }
    }

    #[test]
    fn chat_status_renders_as_text_and_json() {
        let begun = begun();
        let json = begun.json();
        assert_eq!(json["lastFlush"], "2026-03-02T08:49:00.123Z");
        let expected = json!({
            "promptTokens": 3_400,
            "completionTokens": 56,
            "tokensPerSecond": 43.2,
        });
        assert_eq!(json["lastReply"], expected);
        let expected = json!({ "steps": 12, "promptTokens": 31_000, "completionTokens": 900 });
        assert_eq!(json["chat"], expected);
        let expected =
            json!({ "notes": 12_345, "summaries": 0, "dreams": 4_500, "dreamsBudget": 200_000 });
        assert_eq!(json["spentToday"], expected);
        let fresh = ChatStatus {
            id: None,
            epoch: 0,
            n_messages: 0,
            flushed_at: None,
            n_waiting: 0,
            cut_files: Vec::new(),
            spent: Some(SpentDay::default()),
            counts: TokenCounts::default(),
            ..begun.clone()
        };
        assert_eq!(fresh.json()["lastReply"], Value::Null);
        let shown = [begun, fresh].map(|status| status.human(Stream::Terminal(80)));
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn status_line_shows_model_tokens_and_epoch() {
        let status = ChatStatus {
            model: "some-model".to_owned(),
            epoch: 0,
            used: TokenCount(12_345),
            window: TokenCount(64_000),
            ..begun()
        };
        assert_eq!(
            line(&status),
            "main \u{b7} some-model \u{b7} 12,345 of 64,000 tokens (19%)"
        );
        let later = ChatStatus {
            epoch: 3,
            is_noting: true,
            ..status
        };
        assert_eq!(
            line(&later),
            "main \u{b7} some-model \u{b7} 12,345 of 64,000 tokens (19%) \u{b7} epoch 3 \u{b7} writing \
             notes"
        );
    }

    #[test]
    fn memory_held_is_shown_as_notes_days_and_lines() {
        let full = MemoryHeld {
            n_notes: 34,
            days: Some(("2026-03-02".parse().unwrap(), "2026-03-06".parse().unwrap())),
            n_days: 5,
            n_lines: 12,
            n_candidates: 3,
            n_waiting: 1,
        };
        assert_eq!(
            held_in_words(&full),
            "  daily logs   34 notes on 5 days, 2026-03-02 to 2026-03-06\n  \
             MEMORY.md    12 lines\n  \
             to review    3 candidates; review them with `openclaw dream review`\n  \
             not noted    1 message in this session; notes are written at /new or on exit\n\n  \
             `/memory QUESTION` searches your notes and sessions.\n"
        );
        let empty = MemoryHeld {
            n_notes: 0,
            days: None,
            n_days: 0,
            n_lines: 0,
            n_candidates: 0,
            n_waiting: 0,
        };
        assert!(held_in_words(&empty).starts_with("  daily logs   no notes yet\n"));
    }
}
