//! `openclaw session compact`: lets older messages leave the window now.
//!
//! Takes no line away, and writes down first what was said.

use std::sync::Arc;

use clap::Args;
use session::SessionName;

use super::{explained, tell};
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::executor::wait_for;
use crate::exit_code::Exit;
use crate::output::{CompactReport, Format, render_compact};

/// Arguments of `openclaw session compact`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
    /// What the summary should look at; 800 characters reach the model
    #[arg(long, value_name = "TEXT")]
    pub(crate) instructions: Option<String>,
    /// Show what would leave and what would stay, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Compacts.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    if !arguments.dry_run {
        context.refuse_in_sandbox("a compaction")?;
    }
    let home = context.home()?;
    let name = &arguments.session;
    let clock = Arc::clone(&context.host.clock);
    let store = assistant::sessions(context.host, &home, Arc::clone(&clock));
    // Before anything is made: a session that is not there is told as such.
    store
        .lineage(name)
        .map_err(|error| explained(&store, error))?;
    store.check_writable(name)?;
    let report = if arguments.dry_run {
        let runtime = assistant::runtime_as_it_is(context, &home, clock)?;
        let plan = agent::plan_compaction(&runtime, name)?;
        CompactReport::planned(name, &plan)
    } else {
        let runtime = assistant::runtime(context, &home, clock)?;
        let mut on_event = |event| tell(&event, context.output);
        let wishes = arguments.instructions.clone();
        let wishes = wishes.filter(|wishes| !wishes.trim().is_empty());
        let compacted = wait_for(agent::compact_now(&runtime, name, wishes, &mut on_event))??;
        CompactReport::done(name, &compacted)
    };
    let stdout = context.host.environment.stdout();
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context.output.text(&render_compact(&report, stdout))?,
    }
    Ok(Exit::Done)
}
