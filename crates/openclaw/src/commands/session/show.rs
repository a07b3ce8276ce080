//! `openclaw session show`: shows the timeline of a session.
//!
//! Changes nothing.

use agent::Viewer;
use agent::ops::{Operation, SessionTimeline, TimelineReply};
use base::{SessionId, time_of_day};
use cli::output::{change, minute, size, wrap};
use session::timeline::{MessageCounts, Timeline, TimelineDay, TimelineEventKind};

use super::found;
use super::telling::warn_of_trouble;
use crate::commands::past::tell_past;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session show main
  openclaw session show main --as-of 2026-04-20")]
pub(crate) struct Arguments {
    /// Session to show
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
    /// Show the session as it was at this time, as in 2026-04-20,
    /// "2026-04-20 14:30" or yesterday
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let request = SessionTimeline {
        name: arguments.session.to_string(),
        as_of: arguments.as_of.clone(),
    };
    let operations = context.operations(&home)?;
    let reply = request.run(&operations.context(&Viewer::Owner));
    let reply = found(&operations.home.sessions, reply)?;
    warn_of_trouble(reply.trouble, &arguments.session, context.output);
    let timezone = operations.home.timezone;
    tell_past(reply.as_of.as_ref(), timezone, context.output);
    context.emit_reply(&reply, |reply, stdout| human(reply, timezone, stdout))
}

fn human(reply: &TimelineReply, timezone: Tz, stdout: Stream) -> String {
    let mut text = header(&reply.timeline, timezone);
    for day in &reply.timeline.days {
        text.push('\n');
        text.push_str(&render_day(day, timezone));
    }
    wrap(&text, stdout.text_columns(), INDENT)
}

/// Indent of a wrapped line: aligned with the event, after its time.
const INDENT: &str = "         ";

fn header(report: &Timeline, timezone: Tz) -> String {
    let created_at = report.created_at.map(|at| minute(at, timezone));
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

fn render_day(day: &TimelineDay, timezone: Tz) -> String {
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

/// A second line about the summary; empty if nothing is known about it.
fn summary(rung: Option<&str>, ratio: Option<u64>, retention: Option<u64>) -> String {
    let ratio = ratio.map(|ratio| format!("ratio {}.{}", ratio / 100, ratio % 100 / 10));
    let retention = retention.map(|percent| format!("keeps {percent}% of names and figures"));
    let parts = [rung.map(str::to_owned), ratio, retention];
    let known: Vec<String> = parts.into_iter().flatten().collect();
    match known.join(", ") {
        known if known.is_empty() => known,
        known => format!("\n{INDENT}summary     {known}"),
    }
}

fn describe(event: &TimelineEventKind) -> String {
    match event {
        TimelineEventKind::Flush { epoch: _, log_file } => match log_file {
            Some(log_file) => format!("notes       written to {}", printable(log_file)),
            None => "notes       none".to_owned(),
        },
        TimelineEventKind::FlushFailed { epoch: _ } => {
            "notes       failed; the next ones cover these messages too".to_owned()
        }
        TimelineEventKind::Compaction {
            entry: _,
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
        TimelineEventKind::Reset { session } => {
            format!("reset       session {} began", printable(session.as_str()))
        }
        TimelineEventKind::Rewind { target } => {
            format!("rewind      to {}", printable(target.as_str()))
        }
    }
}

#[cfg(test)]
#[path = "show_tests.rs"]
mod tests;
