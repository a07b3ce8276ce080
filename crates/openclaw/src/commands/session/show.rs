//! `openclaw session show`: the course of a session.
//!
//! Changes nothing.

use agent::timeline::{
    Frames, MessageCounts, Timeline, TimelineDay, TimelineEvent, TimelineEventKind, TimelineRead,
    context_tokens, timeline,
};
use base::{SessionId, time_of_day};

use super::telling::warn_of_trouble;
use crate::output::{change, chart, instant, minute, size, wrap};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session show main")]
pub(crate) struct Arguments {
    /// Session to show
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    let store = context.sessions(&home);
    let name = &arguments.session;
    let TimelineRead {
        mut timeline,
        trouble,
        windows,
        ..
    } = timeline(&store, name, timezone)?;
    warn_of_trouble(trouble, name, context.output);
    leave_out_missing_logs(&mut timeline, &home, context)?;
    let settings = wiring::settings(&config);
    let frames = Frames { settings, windows };
    let moments = context_tokens(&store, name, timeline.messages, &frames)?;
    context.emit(&SessionReport {
        timeline,
        context_tokens: moments.into_iter().map(|moment| moment.tokens).collect(),
        timezone,
    })
}

/// The course of a session, with tokens of summary and messages as they were shown.
#[derive(Debug, Clone)]
pub(super) struct SessionReport {
    pub(super) timeline: Timeline,
    pub(super) context_tokens: Vec<TokenCount>,
    pub(super) timezone: Tz,
}

impl Report for SessionReport {
    fn json(&self) -> Value {
        let own = &self.timeline;
        let tokens = self.context_tokens.iter().map(|tokens| tokens.0);
        json!({
            "name": own.name,
            "id": own.id.as_str(),
            "parent": own.parent.as_ref().map(SessionId::as_str),
            "forkedFrom": own.forked_from.as_ref().map(SessionId::as_str),
            "createdAt": own.created_at.map(instant),
            "messages": own.messages,
            "epoch": own.epoch,
            "rewinds": own.rewinds,
            "flushes": own.flushes,
            "compactions": own.compactions,
            "bytes": own.bytes,
            "days": own.days.iter().map(day_json).collect::<Vec<_>>(),
            "contextTokens": tokens.collect::<Vec<_>>(),
        })
    }

    fn human(&self, stdout: Stream) -> String {
        render(self, stdout)
    }
}

/// A flush for which nothing was worth a note made no log: none is named.
fn leave_out_missing_logs(timeline: &mut Timeline, home: &Home, context: &Context) -> Result<()> {
    let workspace = home.workspace();
    for event in timeline.days.iter_mut().flat_map(|day| &mut day.events) {
        if let TimelineEventKind::Flush { log_file, .. } = &mut event.kind
            && let Some(name) = log_file.as_deref()
            && context.host.disk.stat(&workspace.join(name))?.is_none()
        {
            *log_file = None;
        }
    }
    Ok(())
}

fn day_json(own: &TimelineDay) -> Value {
    let MessageCounts {
        user,
        assistant,
        tool,
    } = own.messages;
    json!({
        "day": own.day.to_string(),
        "messages": { "user": user, "assistant": assistant, "tool": tool },
        "events": own.events.iter().map(event_json).collect::<Vec<_>>(),
    })
}

fn event_json(own: &TimelineEvent) -> Value {
    let at = instant(own.at);
    match &own.kind {
        TimelineEventKind::Flush { epoch, log_file } => {
            json!({ "at": at, "event": "flush", "epoch": epoch, "logFile": log_file })
        }
        TimelineEventKind::FlushFailed { epoch } => {
            json!({ "at": at, "event": "flushFailed", "epoch": epoch })
        }
        TimelineEventKind::Compaction {
            entry: _,
            epoch,
            tokens_before,
            tokens_after,
            ratio_percent,
            retention_percent,
            rung,
        } => json!({
            "at": at,
            "event": "compaction",
            "epoch": epoch,
            "tokensBefore": tokens_before.0,
            "tokensAfter": tokens_after.map(|tokens| tokens.0),
            "ratio": ratio_percent.map(hundredths),
            "retention": retention_percent.map(hundredths),
            "rung": rung,
        }),
        TimelineEventKind::Reset { session } => {
            json!({ "at": at, "event": "reset", "session": session.as_str() })
        }
        TimelineEventKind::Rewind { target } => {
            json!({ "at": at, "event": "rewind", "target": target.as_str() })
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a ratio that large has no use for its last digits"
)]
fn hundredths(percent: u64) -> f64 {
    percent as f64 / 100.0
}

fn render(report: &SessionReport, stdout: Stream) -> String {
    let mut text = header(&report.timeline, report.timezone);
    for day in &report.timeline.days {
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

fn describe(event: &TimelineEventKind) -> String {
    match event {
        TimelineEventKind::Flush { epoch, log_file } => match log_file {
            Some(log_file) => format!("flush       epoch {epoch}, for {}", printable(log_file)),
            None => format!("flush       epoch {epoch}, no notes"),
        },
        TimelineEventKind::FlushFailed { epoch } => {
            format!("flush       epoch {epoch}, failed; the next one takes its place")
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
