//! The course of a session: what was said, flushed and compacted, day by day.
//!
//! Renders what it is given; opens no transcript.

use std::fmt::Write;

use base::{Day, EntryId, SessionId, Timestamp, TokenCount, Tz, time_of_day};
use serde::Serialize;

use super::chart::chart;
use super::human::{heading, printable};
use super::session_list::{grouped, minute, size};
use super::wire;
use super::wrap::wrap;
use crate::environment::Stream;

/// The course of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionReport {
    /// The name of its file.
    pub(crate) name: String,
    /// Its id.
    #[serde(serialize_with = "wire::text")]
    pub(crate) id: SessionId,
    /// The session before it in the same file, or the one that it was copied from.
    #[serde(serialize_with = "wire::some_text")]
    pub(crate) parent: Option<SessionId>,
    /// The session whose view it began with, where it is a fork.
    #[serde(serialize_with = "wire::some_text")]
    pub(crate) forked_from: Option<SessionId>,
    /// When it began.
    #[serde(serialize_with = "wire::some_timestamp")]
    pub(crate) created_at: Option<Timestamp>,
    /// Messages of all roles.
    pub(crate) messages: u64,
    /// Compactions that the file counts.
    pub(crate) epoch: u64,
    /// How often the conversation went on from an earlier entry.
    pub(crate) rewinds: u64,
    /// Flushes that took effect.
    pub(crate) flushes: u64,
    /// Compactions.
    pub(crate) compactions: u64,
    /// Length of the file in bytes.
    pub(crate) bytes: u64,
    /// What happened, oldest day first.
    pub(crate) days: Vec<DayReport>,
    /// Tokens of summary and messages as they were shown, in the course of the session.
    #[serde(serialize_with = "wire::token_list")]
    pub(crate) context_tokens: Vec<TokenCount>,
}

/// A day of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DayReport {
    /// The day.
    #[serde(serialize_with = "wire::text")]
    pub(crate) day: Day,
    /// Messages by role.
    pub(crate) messages: MessageCounts,
    /// What happened besides, in order.
    pub(crate) events: Vec<SessionEvent>,
}

/// Messages by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessageCounts {
    /// Of the owner.
    pub(crate) user: u64,
    /// Of the model.
    pub(crate) assistant: u64,
    /// Results of tools.
    pub(crate) tool: u64,
}

/// Something that happened to a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct SessionEvent {
    /// When.
    #[serde(serialize_with = "wire::timestamp")]
    pub(crate) at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub(crate) kind: SessionEventKind,
}

/// What happened to a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum SessionEventKind {
    /// A flush took effect.
    Flush {
        /// The epoch in which it happened.
        epoch: u64,
        /// The log that it was for, relative to the workspace; `None` where no message was new, or no such
        /// log is there.
        log_file: Option<String>,
    },
    /// Flushes failed.
    FlushFailed {
        /// The epoch in which it happened.
        epoch: u64,
    },
    /// Older messages left the view.
    Compaction {
        /// The epoch that it ended.
        epoch: Option<u64>,
        /// Tokens of the request before.
        #[serde(serialize_with = "wire::tokens")]
        tokens_before: TokenCount,
        /// Tokens of the request after.
        #[serde(serialize_with = "wire::some_tokens")]
        tokens_after: Option<TokenCount>,
        /// Tokens of what was replaced over tokens of the summary, in hundredths.
        #[serde(rename = "ratio", serialize_with = "wire::some_percent")]
        ratio_percent: Option<u64>,
        /// The part of what the audit looked for that the summary holds, in hundredths.
        #[serde(rename = "retention", serialize_with = "wire::some_percent")]
        retention_percent: Option<u64>,
        /// The rung of the ladder that made it.
        rung: Option<String>,
    },
    /// The view began anew.
    Reset {
        /// The session that began.
        #[serde(serialize_with = "wire::text")]
        session: SessionId,
    },
    /// The conversation went on from an earlier entry.
    Rewind {
        /// That entry.
        #[serde(serialize_with = "wire::text")]
        target: EntryId,
    },
}

/// The course of a session for people.
pub(crate) fn render(report: &SessionReport, timezone: Tz, stdout: Stream) -> String {
    let mut text = header(report, timezone);
    // Writing to a String cannot fail, here and below.
    for day in &report.days {
        text.push('\n');
        text.push_str(&render_day(day, timezone));
    }
    let drawn = chart(&report.context_tokens, stdout.columns());
    if !drawn.is_empty() {
        let title = "Tokens of what the window showed of the conversation";
        writeln!(text, "\n{}", heading(title)).unwrap_or_default();
    }
    wrap(&text, stdout.text_columns(), INDENT) + &drawn
}

/// Where a long line goes on: below what happened, beside its time.
const INDENT: &str = "         ";

fn header(report: &SessionReport, timezone: Tz) -> String {
    let created_at = report.created_at.map(|at| minute(at, timezone));
    let printed = |id: Option<&SessionId>| id.map(|id| printable(id.as_str()));
    let forked_from = report.forked_from.as_ref();
    let parent = report
        .parent
        .as_ref()
        .filter(|parent| forked_from != Some(parent));
    let rewinds = (report.rewinds > 0).then(|| grouped(report.rewinds));
    let mut text = format!("{}\n", heading(&report.name));
    for (label, value) in [
        ("session", Some(printable(report.id.as_str()))),
        ("after", printed(parent)),
        ("fork of", printed(forked_from)),
        ("created", created_at),
        ("messages", Some(grouped(report.messages))),
        ("epoch", Some(grouped(report.epoch))),
        ("rewinds", rewinds),
        ("flushes", Some(grouped(report.flushes))),
        ("compactions", Some(grouped(report.compactions))),
        ("size", Some(size(report.bytes))),
    ] {
        if let Some(value) = value {
            writeln!(text, "  {label:<11}  {value}").unwrap_or_default();
        }
    }
    text
}

fn render_day(day: &DayReport, timezone: Tz) -> String {
    let MessageCounts {
        user,
        assistant,
        tool,
    } = day.messages;
    let counts: Vec<String> = [(user, "user"), (assistant, "assistant"), (tool, "tool")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, role)| format!("{} {role}", grouped(count)))
        .collect();
    let counts = if counts.is_empty() {
        "no messages".to_owned()
    } else {
        counts.join(", ")
    };
    let mut text = format!("{}  {counts}\n", heading(&day.day.to_string()));
    for event in &day.events {
        let time = time_of_day(event.at, timezone);
        writeln!(text, "  {time}  {}", describe(&event.kind)).unwrap_or_default();
    }
    text
}

/// A second line about the summary; empty where nothing is known of it.
fn summary(rung: Option<&str>, ratio: Option<u64>, retention: Option<u64>) -> String {
    let ratio = ratio.map(|ratio| format!("ratio {}.{}", ratio / 100, ratio % 100 / 10));
    let retention = retention.map(|percent| format!("holds {percent}% of what was audited"));
    let parts = [rung.map(str::to_owned), ratio, retention];
    let known: Vec<String> = parts.into_iter().flatten().collect();
    if known.is_empty() {
        String::new()
    } else {
        format!("\n{INDENT}summary     {}", known.join(", "))
    }
}

fn describe(event: &SessionEventKind) -> String {
    match event {
        SessionEventKind::Flush { epoch, log_file } => match log_file {
            Some(log_file) => format!("flush       epoch {epoch}, for {}", printable(log_file)),
            None => format!("flush       epoch {epoch}, no notes"),
        },
        SessionEventKind::FlushFailed { epoch } => {
            format!("flush       epoch {epoch}, failed; the next one takes its place")
        }
        SessionEventKind::Compaction {
            epoch,
            tokens_before,
            tokens_after,
            ratio_percent,
            retention_percent,
            rung,
        } => {
            let epoch = epoch
                .map(|epoch| format!("epoch {epoch}, "))
                .unwrap_or_default();
            let tokens = match tokens_after {
                Some(after) => {
                    let change = change(*tokens_before, *after);
                    format!("{tokens_before} \u{2192} {after} tokens{change}")
                }
                None => format!("{tokens_before} tokens"),
            };
            let rung = rung.as_deref().map(printable);
            let summary = summary(rung.as_deref(), *ratio_percent, *retention_percent);
            format!("compaction  {epoch}{tokens}{summary}")
        }
        SessionEventKind::Reset { session } => {
            format!("reset       session {} began", printable(session.as_str()))
        }
        SessionEventKind::Rewind { target } => {
            format!("rewind      to {}", printable(target.as_str()))
        }
    }
}

/// The change in percent of what was there before, in parentheses.
pub(super) fn change(before: TokenCount, after: TokenCount) -> String {
    let (sign, difference) = if after > before {
        ('+', after.saturating_sub(before))
    } else {
        ('-', before.saturating_sub(after))
    };
    let percent = u128::from(difference.0) * 100 / u128::from(before.0.max(1));
    format!(" ({sign}{percent}%)")
}

#[cfg(test)]
#[path = "session_show_tests.rs"]
mod tests;
