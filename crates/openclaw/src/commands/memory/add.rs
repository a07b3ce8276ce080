//! `openclaw memory add`: a note of the owner in the log of today.
//!
//! Changes no line that stands there.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, read_all};
use base::{Disk, Origin, day};
use clap::Args;
use memory::daily_log::LOG_BYTES_MAX;
use memory::{AddOutcome, AddReport, LogError, Note, Workspace, add_note};

use super::known::Known;
use crate::app::Context;
use crate::assistant;
use crate::error::{CliError, ErrorKind};
use crate::exit_code::Exit;
use crate::output::{Added, Format, render_added};

/// Arguments of `openclaw memory add`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// What is to be noted
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Notes it.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let known = Known::find(context)?;
    let note = Note {
        text: arguments.text.join(" "),
        evidence: Vec::new(),
        origin: Origin::Owner,
    };
    let workspace = assistant::workspace(context.host, &known.home);
    let workspace = if arguments.dry_run {
        rehearsal(&workspace, &known, context)?
    } else {
        workspace
    };
    let now = context.host.clock.now();
    let AddReport { outcome, log, text } = add_note(&workspace, &note, now, known.timezone)?;
    let line = match outcome {
        AddOutcome::Added { line } => Some(line),
        AddOutcome::AlreadyThere => None,
        AddOutcome::Forgotten { id } => {
            return Err(CliError::new(
                ErrorKind::Input,
                "this was forgotten, and would not be found",
            )
            .hint(format!(
                "`openclaw memory forget --undo {id}` takes that back"
            )));
        }
        AddOutcome::Empty => {
            return Err(CliError::new(ErrorKind::Input, "there is nothing to note")
                .hint("type what is to be noted, as in `openclaw memory add The tax form is due in May`"));
        }
    };
    let added = Added {
        path: log.to_string(),
        line,
        text,
        dry_run: arguments.dry_run,
    };
    match context.output.format() {
        Format::Json => context.output.object(&added)?,
        Format::Human => context.output.text(&render_added(&added))?,
    }
    Ok(Exit::Done)
}

/// A workspace in memory whose log of today says what the real one says.
fn rehearsal(
    workspace: &Workspace,
    known: &Known,
    context: &Context<'_, '_>,
) -> Result<Workspace, CliError> {
    let real = context.host.disk.as_ref();
    let disk = MemoryDisk::new();
    let log = workspace.log_path(day(context.host.clock.now(), known.timezone));
    let path = log.under(workspace.root());
    if real.stat(&path)?.is_some() {
        let bytes = read_all(real, &path, LOG_BYTES_MAX).map_err(LogError::from)?;
        disk.create_dir(path.parent().unwrap_or(Path::new("/")))?;
        disk.append(&path, &bytes)?;
    }
    let root = known.home.root();
    Ok(Workspace::new(
        Arc::new(disk),
        workspace.root().to_owned(),
        root.join("locks"),
        root.join("quarantine"),
    ))
}
