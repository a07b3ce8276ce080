//! `openclaw dream log`: shows what dreams and decisions changed.
//!
//! Changes nothing by itself.

use clap::value_parser;
use cli::output::{instant, minute, without_empty};
use memory::candidates::{DreamDetail, DreamLogLine, Outcome};

use super::desk::DreamContext;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw dream log --limit 5 --all")]
pub(super) struct Arguments {
    /// Show at most N lines, newest first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    limit: u32,
    /// Show the outcome of each note and proposal, with reasons
    #[arg(long)]
    all: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = DreamContext::find(context)?;
    let desk = known.desk(context)?;
    let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
    let lines = desk.state().log.iter().rev().take(limit).cloned();
    let in_words = |line: DreamLogLine| DreamLogLine {
        text: desk.state().in_words(&line.text),
        ..line
    };
    context.emit(&DreamLog {
        lines: lines.map(in_words).collect(),
        is_detailed: arguments.all,
        timezone: known.timezone,
    })
}

pub(super) struct DreamLog {
    pub(super) lines: Vec<DreamLogLine>,
    /// Whether to show the outcome of each note and proposal, too.
    pub(super) is_detailed: bool,
    pub(super) timezone: Tz,
}

impl Report for DreamLog {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        let detail = |own: &DreamDetail| {
            let outcome = own.outcome.as_str();
            let object = json!({ "outcome": outcome, "text": own.text, "because": own.because });
            without_empty(object, ["because"])
        };
        let lines = self.lines.iter().map(|line| {
            let (at, text) = (instant(line.at), &line.text);
            if self.is_detailed {
                let details: Vec<Value> = line.details.iter().map(detail).collect();
                json!({ "at": at, "text": text, "details": details })
            } else {
                json!({ "at": at, "text": text })
            }
        });
        json!({ "lines": lines.collect::<Vec<_>>() })
    }

    fn human(&self, _: Stream) -> String {
        if self.lines.is_empty() {
            return "no dream has changed anything yet\n".to_owned();
        }
        let line = |line: &DreamLogLine| {
            let details = line.details.iter().filter(|_| self.is_detailed);
            let details: String = details.map(in_words).collect();
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
