//! `openclaw session repair`: sets aside what cannot be read in a transcript.
//!
//! Changes no line that can be read, and loses no byte.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use session::{Repair, SessionName, SessionStore, Severity, Unreadable, verify};

use super::explained;
use super::traces::shown;
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::home::Home;
use crate::output::{Format, RepairReport, counted, render_repair};

/// Arguments of `openclaw session repair`.
#[derive(Debug, Args)]
#[command(
    after_help = "What is set aside is kept in `state/quarantine/`, byte for byte, in files that are named after the session and the byte at which they stood. What can be read is shown as before."
)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "NAME")]
    session: SessionName,
    /// Show what would be set aside, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// Shows or does it.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.home()?;
    let name = &arguments.session;
    let store = assistant::sessions(context.host, &home, Arc::clone(&context.host.clock));
    store.check_writable(name)?;
    let found = store.unreadable(name);
    let found = found.map_err(|error| explained(&store, error))?;
    let is_whole = found == Unreadable::default();
    let report = if arguments.dry_run {
        RepairReport::planned(name, &found)
    } else if is_whole {
        RepairReport::done(name, &found, Vec::new())
    } else {
        context.refuse_in_sandbox("repairing")?;
        let (found, kept) = carry_out(context, &home, &store, name)?;
        RepairReport::done(name, &found, kept)
    };
    let stdout = context.host.environment.stdout();
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context.output.text(&render_repair(&report, stdout))?,
    }
    if !arguments.dry_run {
        warn_of_what_is_left(context, &store, name)?;
    }
    Ok(Exit::Done)
}

fn carry_out(
    context: &mut Context<'_, '_>,
    home: &Home,
    store: &SessionStore,
    name: &SessionName,
) -> Result<(Unreadable, Vec<String>), CliError> {
    let config = context.config(home)?;
    let _background = store.lock_background(name)?;
    let before = store.unreadable(name)?;
    // Beginning a turn cuts a torn end.
    let turn = store.begin_turn(name, assistant::resume_limit(&config))?;
    let found = Unreadable {
        torn_tail: before.torn_tail,
        ..store.unreadable(name)?
    };
    let cut = turn.repairs().iter().find_map(Repair::quarantine);
    let cut = cut.map(Path::to_owned);
    let kept: Vec<PathBuf> = turn.set_aside()?.into_iter().chain(cut).collect();
    Ok((found, kept.iter().map(|path| shown(home, path)).collect()))
}

/// Says what is wrong beside lines that cannot be read.
fn warn_of_what_is_left(
    context: &mut Context<'_, '_>,
    store: &SessionStore,
    name: &SessionName,
) -> Result<(), CliError> {
    let report = verify(store.lines(name)?)?;
    let errors = report.findings.iter();
    let n_errors = errors
        .filter(|finding| finding.severity() == Severity::Error)
        .count() as u64;
    if n_errors > 0 {
        let errors = counted(n_errors, "error", "errors");
        context.output.warn(&format!(
            "session {name}: {errors} of another kind stay; see `openclaw session verify {name}`"
        ));
    }
    Ok(())
}
