//! `openclaw dream log`: what dreams and decisions did.
//!
//! Changes nothing by itself.

use clap::value_parser;

use super::desk::Known;
use crate::output::{DreamLog, LogDepth, render_dream_log};
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
    let depth = if arguments.all {
        LogDepth::Details
    } else {
        LogDepth::Lines
    };
    let log = DreamLog::new(&desk.state().log, limit, depth);
    match context.output.format() {
        Format::Json => context.output.object(&log)?,
        Format::Human => {
            let text = render_dream_log(&log, known.timezone);
            let stdout = context.host.environment.stdout();
            context.output.lines(&text, stdout, "  ")?;
        }
    }
    Ok(Exit::Done)
}
