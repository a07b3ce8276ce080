//! `openclaw session fork`: begins another session with what the window shows of this one.
//!
//! Changes nothing of the first but that what it holds is written down.

use std::sync::Arc;

use clap::Args;
use session::{SessionName, Spot};

use super::{explained, tell};
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::executor::wait_for;
use crate::exit_code::Exit;
use crate::output::{ForkReport, Format, render_fork};

/// Arguments of `openclaw session fork`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The session to copy from
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
    /// The session to begin
    #[arg(value_name = "NEW")]
    pub(crate) new: SessionName,
    /// Copy what the window showed at this entry: its id, or the beginning of it
    #[arg(long, value_name = "ENTRY")]
    pub(crate) at: Option<String>,
}

/// Begins it.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    context.refuse_in_sandbox("a fork")?;
    let home = context.home()?;
    let clock = Arc::clone(&context.host.clock);
    let store = assistant::sessions(context.host, &home, Arc::clone(&clock));
    let (name, new) = (&arguments.session, &arguments.new);
    store
        .lineage(name)
        .map_err(|error| explained(&store, error))?;
    let runtime = assistant::runtime(context, &home, clock)?;
    let at = arguments.at.clone().map(Spot::Entry);
    let mut on_event = |event| tell(&event, context.output);
    let forked = wait_for(agent::fork(&runtime, name, at.as_ref(), new, &mut on_event))??;
    let report = ForkReport::new(name, new, &forked);
    let stdout = context.host.environment.stdout();
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context.output.text(&render_fork(&report, stdout))?,
    }
    Ok(Exit::Done)
}
