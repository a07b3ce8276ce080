//! `openclaw session rewind`: goes on from an earlier entry.
//!
//! Takes no line away: what is left stays in the file.

use std::sync::Arc;

use clap::Args;
use session::{Epoch, SessionName, Spot};

use super::{explained, tell};
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::executor::wait_for;
use crate::exit_code::Exit;
use crate::output::{Format, RewindReport, render_rewind};

/// Arguments of `openclaw session rewind`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
    #[command(flatten)]
    pub(crate) to: Target,
    /// Show what would be left, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Where to go back to.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Target {
    /// Go back to before the compaction that ended epoch N
    #[arg(long, value_name = "N")]
    pub(crate) epoch: Option<u64>,
    /// Go back to this entry: its id, or the beginning of it
    #[arg(long, value_name = "ENTRY")]
    pub(crate) to: Option<String>,
}

impl Target {
    fn spot(&self) -> Spot {
        match (&self.to, self.epoch) {
            (Some(entry), _) => Spot::Entry(entry.clone()),
            (None, epoch) => Spot::EndOf(Epoch(epoch.unwrap_or_default())),
        }
    }
}

/// Goes back.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.home()?;
    let name = &arguments.session;
    let spot = arguments.to.spot();
    let clock = Arc::clone(&context.host.clock);
    let store = assistant::sessions(context.host, &home, Arc::clone(&clock));
    let report = if arguments.dry_run {
        let config = context.config(&home)?;
        let limit = assistant::resume_limit(&config);
        let plan = store.plan_rewind(name, &spot, limit);
        let plan = plan.map_err(|error| explained(&store, error))?;
        store.check_writable(name)?;
        RewindReport::planned(name, &plan)
    } else {
        context.refuse_in_sandbox("going back")?;
        // Before anything is made: a session that is not there is told as such.
        store
            .lineage(name)
            .map_err(|error| explained(&store, error))?;
        let runtime = assistant::runtime(context, &home, clock)?;
        let mut on_event = |event| tell(&event, context.output);
        let rewound = wait_for(agent::rewind(&runtime, name, &spot, &mut on_event))??;
        RewindReport::done(name, &rewound)
    };
    let stdout = context.host.environment.stdout();
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context.output.text(&render_rewind(&report, stdout))?,
    }
    Ok(Exit::Done)
}
