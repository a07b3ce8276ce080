//! `openclaw dream log`: what dreams and decisions did.
//!
//! Changes nothing by itself.

use base::Tz;
use clap::value_parser;
use memory::candidates::{DreamDetail, DreamLogLine, Outcome};

use super::desk::Known;
use crate::output::{instant, minute, put};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The most lines, the newest first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    limit: u32,
    /// Show what became of each note and proposal, with the reason
    #[arg(long)]
    all: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = Known::find(context)?;
    let desk = known.desk(context)?;
    let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
    context.emit(&DreamLog {
        lines: desk.state().log.iter().rev().take(limit).collect(),
        depth: if arguments.all {
            LogDepth::Details
        } else {
            LogDepth::Lines
        },
        timezone: known.timezone,
    })
}

/// Lines of the dream log, the newest first.
pub(super) struct DreamLog<'a> {
    pub(super) lines: Vec<&'a DreamLogLine>,
    pub(super) depth: LogDepth,
    pub(super) timezone: Tz,
}

/// How much of the dream log is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogDepth {
    /// A line a dream.
    Lines,
    /// What became of each note and proposal besides.
    Details,
}

impl DreamLog<'_> {
    fn details<'l>(&self, line: &'l DreamLogLine) -> Option<&'l [DreamDetail]> {
        (self.depth == LogDepth::Details).then_some(line.details.as_slice())
    }
}

impl Report for DreamLog<'_> {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        let detail = |own: &DreamDetail| {
            let mut object = json!({ "outcome": own.outcome.as_str(), "text": own.text });
            put(&mut object, "because", own.because.as_deref());
            object
        };
        let lines = self.lines.iter().map(|line| {
            let mut object = json!({ "at": instant(line.at), "text": line.text });
            let details = self.details(line);
            let details = details.map(|all| all.iter().map(detail).collect::<Vec<_>>());
            put(&mut object, "details", details);
            object
        });
        json!({ "lines": lines.collect::<Vec<_>>() })
    }

    fn human(&self, _: Stream) -> String {
        if self.lines.is_empty() {
            return "no dream has changed anything yet\n".to_owned();
        }
        let line = |line: &&DreamLogLine| {
            let details = self.details(line).unwrap_or_default();
            let details: String = details.iter().map(in_words).collect();
            let (at, text) = (minute(line.at, self.timezone), printable(&line.text));
            format!("{at}  {text}\n{details}")
        };
        self.lines.iter().map(line).collect()
    }
}

fn in_words(own: &DreamDetail) -> String {
    let because = own.because.as_ref();
    let because = because.map(|because| format!(" ({})", printable(because)));
    let outcome = if own.outcome == Outcome::NotProposed {
        "not proposed"
    } else {
        own.outcome.as_str()
    };
    let (text, because) = (printable(&own.text), because.unwrap_or_default());
    format!("    {outcome}: {text}{because}\n")
}
