//! `openclaw dream log`: shows what dreams and decisions changed.
//!
//! Changes nothing by itself.

use agent::Viewer;
use agent::ops::{DreamLog, DreamLogDetail, DreamLogEntry, DreamLogReply};
use clap::value_parser;
use cli::output::minute;
use memory::candidates::Outcome;

use super::desk::carry_out;
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
    let request = DreamLog {
        limit: usize::try_from(arguments.limit).ok(),
        all: arguments.all,
    };
    let reply = carry_out(request, &Viewer::Owner, context)?;
    let home = context.existing_home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    context.emit_lines(&reply, "  ", |reply| human(reply, timezone))
}

fn human(reply: &DreamLogReply, timezone: Tz) -> String {
    if reply.lines.is_empty() {
        return "no dream has changed anything yet\n".to_owned();
    }
    let line = |line: &DreamLogEntry| {
        let details = line.details.iter().flatten();
        let details: String = details.map(in_words).collect();
        let (at, text) = (minute(line.at, timezone), printable(&line.text));
        format!("{at}  {text}\n{details}")
    };
    reply.lines.iter().map(line).collect()
}

fn in_words(own: &DreamLogDetail) -> String {
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
