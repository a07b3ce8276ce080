//! `openclaw memory add`: a note of the owner in the log of today.
//!
//! Changes no line that stands there.

use base::Origin;
use clap::Args;
use memory::{AddOutcome, AddReport, Note, add_note};

use super::known::Known;
use crate::app::Context;
use crate::assistant;
use crate::commands::stdin;
use crate::error::{CliError, ErrorKind};
use crate::exit_code::Exit;
use crate::output::{Added, Format, render_added};

/// The most that a note may hold.
const NOTE_BYTES_MAX: u64 = stdin::MEBIBYTE;

/// Arguments of `openclaw memory add`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The note; - reads it from standard input
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// Show what would be written and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Notes it.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    if arguments.dry_run {
        context.imagined(|context| add(arguments, context))
    } else {
        add(arguments, context)
    }
}

fn add(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let text = arguments.text.join(" ");
    let note = Note {
        text: stdin::words_or_stdin(&text, "the note", NOTE_BYTES_MAX)?,
        evidence: Vec::new(),
        origin: Origin::Owner,
    };
    let known = Known::find_or_make(context)?;
    let workspace = assistant::workspace(context.host, &known.home);
    let now = context.host.clock.now();
    let report = add_note(&workspace, &note, now, known.timezone)?;
    let AddReport {
        outcome,
        log,
        text,
        told_again,
    } = report;
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
        told_again: told_again.map(|id| id.to_string()),
        dry_run: arguments.dry_run,
    };
    match context.output.format() {
        Format::Json => context.output.object(&added)?,
        Format::Human => {
            let stdout = context.host.environment.stdout();
            context.output.lines(&render_added(&added), stdout, "  ")?;
        }
    }
    Ok(Exit::Done)
}
