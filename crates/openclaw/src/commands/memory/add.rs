//! `openclaw memory add`: adds a note of the owner to today's log.
//!
//! Never changes an existing line.

use agent::AskedLine;
use base::{Origin, SessionId};
use cli::output::without_empty;
use dreaming::ChangeReason;
use memory::{AddOutcome, AddReport, AddedUnder, Note, add_note};

use super::correct::{AskedReport, remember};
use super::known::MemoryContext;
use crate::commands::stdin;
use crate::prelude::*;
use crate::repository;

const NOTE_BYTES_MAX: u64 = stdin::MEBIBYTE;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory add The tax form is due in May
  openclaw memory add --lasting Ann is allergic to penicillin")]
pub(crate) struct Arguments {
    /// The note; - reads it from stdin
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// Show the note only to programs in this repository
    #[arg(long, value_name = "PATH|REMOTE|none", value_parser = repository::scope_of_note)]
    pub(crate) scope: Option<String>,
    /// Add it to MEMORY.md too, at once; `openclaw dream undo` reverts that
    #[arg(long, conflicts_with = "scope")]
    pub(crate) lasting: bool,
    /// Show what would be written; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("adding a note")?;
    if arguments.dry_run {
        context.on_overlay(|context| add(arguments, context))
    } else {
        add(arguments, context)
    }
}

/// The session id that scopes a note to a repository; `None` for all. Fails if `scope` is in no repository.
fn known_from(scope: Option<&str>) -> Result<Option<SessionId>> {
    let Some(place) = scope.filter(|place| *place != repository::NONE) else {
        return Ok(None);
    };
    let Some(here) = repository::named(place) else {
        let failure =
            format!("{place} is not in a repository, so every program would see the note");
        return Err(CliError::new(ErrorKind::Input, failure)
            .hint("use a directory of the repository or its remote, or drop `--scope`"));
    };
    Ok(Some(here.notes()))
}

fn add(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let text = arguments.text.join(" ");
    let text = stdin::words_or_stdin(&text, "the note", NOTE_BYTES_MAX)?;
    if arguments.lasting {
        let known = MemoryContext::find_or_make(context)?;
        let asked = AskedLine {
            text,
            section: None,
            replaces: None,
            reason: ChangeReason::Changed,
        };
        let report = AskedReport {
            outcome: remember(&known, &asked, context)?,
            dry_run: arguments.dry_run,
        };
        return context.emit(&report);
    }
    let note = Note {
        text,
        evidence: Vec::new(),
        origin: Origin::Owner,
    };
    let known = MemoryContext::find_or_make(context)?;
    let workspace = context.host.workspace(&known.home);
    let now = context.host.clock.now();
    let under = AddedUnder {
        known_from: known_from(arguments.scope.as_deref())?,
        ..AddedUnder::default()
    };
    let report = add_note(&workspace, (&note, &under), now, known.timezone)?;
    let line = match report.outcome {
        AddOutcome::Added(line) => Some(line),
        AddOutcome::AlreadyThere => None,
        AddOutcome::Forgotten(id) => {
            let failure = "this was forgotten, so the note would stay hidden";
            let hint = format!("`openclaw memory forget --undo {id}` restores it");
            return Err(CliError::new(ErrorKind::Input, failure).hint(hint));
        }
        AddOutcome::Empty => {
            return Err(CliError::new(ErrorKind::Input, "the note is empty")
                .hint("type its text, as in `openclaw memory add The tax form is due in May`"));
        }
    };
    context.emit(&NoteReport {
        report,
        line,
        dry_run: arguments.dry_run,
    })
}

struct NoteReport {
    report: AddReport,
    /// The line of the note; `None` if the log says it already.
    line: Option<usize>,
    dry_run: bool,
}

impl Report for NoteReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        let object = json!({
            "path": self.report.log.to_string(),
            "line": self.line,
            "text": self.report.text,
            "toldAgain": self.report.reinstated.as_ref().map(ToString::to_string),
            "dryRun": self.dry_run,
        });
        without_empty(object, ["toldAgain"])
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let (path, text) = (&self.report.log, printable(&self.report.text));
        let noted = match self.line {
            Some(line) => format!("added to {path}:{line}: {text}\n"),
            None => format!("already in {path}: {text}\n"),
        };
        let again = self.report.reinstated.as_ref();
        let again = again.map(|id| format!("it was forgotten under {id}; search finds it again\n"));
        noted + &again.unwrap_or_default()
    }
}
