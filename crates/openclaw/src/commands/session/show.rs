//! `openclaw session show`: the course of a session.
//!
//! Changes nothing.

use base::{Day, EntryId, SessionId, Timestamp, time_of_day};
use serde::Serialize;

use super::course::{self, Frames};
use crate::output::{change, chart, minute, size, wire, wrap};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    let store = context.sessions(&home);
    let name = &arguments.session;
    let course::Read {
        mut report,
        trouble,
        windows,
        ..
    } = course::read(&store, name, timezone)?;
    trouble.warn(name, context.output);
    leave_out_missing_logs(&mut report, &home, context)?;
    let settings = wiring::settings(&config);
    let frames = Frames { settings, windows };
    report.context_tokens = course::context_tokens(&store, name, report.messages, &frames)?;
    context.emit(&report)
}

impl PlainReport for SessionReport {
    fn shown(&self, stdout: Stream) -> String {
        render(self, stdout)
    }
}

/// A flush for which nothing was worth a note made no log: none is named.
fn leave_out_missing_logs(
    report: &mut SessionReport,
    home: &Home,
    context: &Context,
) -> Result<()> {
    let workspace = home.directory(Directory::Workspace);
    for event in report.days.iter_mut().flat_map(|day| &mut day.events) {
        if let SessionEventKind::Flush { log_file, .. } = &mut event.kind
            && let Some(name) = log_file.as_deref()
            && context.host.disk.stat(&workspace.join(name))?.is_none()
        {
            *log_file = None;
        }
    }
    Ok(())
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionReport {
    pub(super) name: String,
    pub(super) id: SessionId,
    /// The session before it in the same file, or the one that it was copied from.
    pub(super) parent: Option<SessionId>,
    /// The session whose view it began with, where it is a fork.
    pub(super) forked_from: Option<SessionId>,
    #[serde(serialize_with = "wire::some_timestamp")]
    pub(super) created_at: Option<Timestamp>,
    pub(super) messages: u64,
    pub(super) epoch: u64,
    /// How often the conversation went on from an earlier entry.
    pub(super) rewinds: u64,
    pub(super) flushes: u64,
    pub(super) compactions: u64,
    pub(super) bytes: u64,
    /// What happened, oldest day first.
    pub(super) days: Vec<DayReport>,
    /// Tokens of summary and messages as they were shown, in the course of the session.
    pub(super) context_tokens: Vec<TokenCount>,
    #[serde(skip)]
    pub(super) timezone: Tz,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DayReport {
    #[serde(serialize_with = "wire::text")]
    pub(super) day: Day,
    pub(super) messages: MessageCounts,
    /// What happened besides, in order.
    pub(super) events: Vec<SessionEvent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MessageCounts {
    pub(super) user: u64,
    pub(super) assistant: u64,
    pub(super) tool: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct SessionEvent {
    #[serde(serialize_with = "wire::timestamp")]
    pub(super) at: Timestamp,
    #[serde(flatten)]
    pub(super) kind: SessionEventKind,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(super) enum SessionEventKind {
    Flush {
        epoch: u64,
        /// The log that it was for, relative to the workspace; `None` where no message was new, or no such
        /// log is there.
        log_file: Option<String>,
    },
    FlushFailed {
        epoch: u64,
    },
    Compaction {
        epoch: Option<u64>,
        tokens_before: TokenCount,
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
    Reset {
        session: SessionId,
    },
    /// The conversation went on from an earlier entry.
    Rewind {
        target: EntryId,
    },
}

fn render(report: &SessionReport, stdout: Stream) -> String {
    let mut text = header(report);
    for day in &report.days {
        text.push('\n');
        text.push_str(&render_day(day, report.timezone));
    }
    let drawn = chart(&report.context_tokens, stdout.columns());
    if !drawn.is_empty() {
        let title = "Tokens of what the window showed of the conversation";
        add_line!(text, "\n{}", heading(title));
    }
    wrap(&text, stdout.text_columns(), INDENT) + &drawn
}

/// Where a long line goes on: below what happened, beside its time.
const INDENT: &str = "         ";

fn header(report: &SessionReport) -> String {
    let created_at = report.created_at.map(|at| minute(at, report.timezone));
    let printed = |id: Option<&SessionId>| id.map(|id| printable(id.as_str()));
    let forked_from = report.forked_from.as_ref();
    let parent = report.parent.as_ref();
    let parent = parent.filter(|parent| forked_from != Some(parent));
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
            add_line!(text, "  {label:<11}  {value}");
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
    let counts = [(user, "user"), (assistant, "assistant"), (tool, "tool")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, role)| format!("{} {role}", grouped(count)))
        .collect();
    let counts = match counts.join(", ") {
        none if none.is_empty() => "no messages".to_owned(),
        counts => counts,
    };
    let mut text = format!("{}  {counts}\n", heading(&day.day.to_string()));
    for event in &day.events {
        let time = time_of_day(event.at, timezone);
        add_line!(text, "  {time}  {}", describe(&event.kind));
    }
    text
}

/// A second line about the summary; empty where nothing is known of it.
fn summary(rung: Option<&str>, ratio: Option<u64>, retention: Option<u64>) -> String {
    let ratio = ratio.map(|ratio| format!("ratio {}.{}", ratio / 100, ratio % 100 / 10));
    let retention = retention.map(|percent| format!("holds {percent}% of what was audited"));
    let parts = [rung.map(str::to_owned), ratio, retention];
    let known: Vec<String> = parts.into_iter().flatten().collect();
    match known.join(", ") {
        known if known.is_empty() => known,
        known => format!("\n{INDENT}summary     {known}"),
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

#[cfg(test)]
#[path = "show_tests.rs"]
mod tests;
