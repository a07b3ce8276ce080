//! `openclaw memory add`: adds a note of the owner to today's log.
//!
//! Never changes an existing line.

use agent::ops::{AddNote, NoteReply, Operation, Remember};
use agent::{Repository, Viewer};

use super::correct::emit_remembered;
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
    /// Add it to MEMORY.md too, at once; the command that it prints reverts that
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

/// The repository of a note; `None` for all. Fails if `scope` is in no repository.
fn repository_of(scope: Option<&str>) -> Result<Option<Repository>> {
    let Some(place) = scope.filter(|place| *place != repository::NONE) else {
        return Ok(None);
    };
    let Some(here) = repository::named(place) else {
        let failure =
            format!("{place} is not in a repository, so every program would see the note");
        return Err(CliError::new(ErrorKind::Input, failure)
            .hint("use a directory of the repository or its remote, or drop `--scope`"));
    };
    Ok(Some(here))
}

fn add(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let text = arguments.text.join(" ");
    let text = stdin::words_or_stdin(&text, "the note", NOTE_BYTES_MAX)?;
    let known = MemoryContext::find_or_make(context)?;
    let operations = context.operations(&known.home)?;
    let at = operations.context(&Viewer::Owner);
    let dry_run = arguments.dry_run;
    if arguments.lasting {
        let request = Remember {
            text,
            dry_run,
            ..Remember::default()
        };
        let reply = request.run(&at)?;
        return emit_remembered(&reply, context);
    }
    let note = AddNote {
        text,
        dry_run,
        repository: repository_of(arguments.scope.as_deref())?,
        ..AddNote::default()
    };
    let reply = note.run(&at)?;
    context.emit_change(&reply, |reply| reply.dry_run, noted)
}

fn noted(reply: &NoteReply) -> String {
    let (path, text) = (&reply.path, printable(&reply.text));
    let noted = match reply.line {
        Some(line) => format!("added to {path}:{line}: {text}\n"),
        None => format!("already in {path}: {text}\n"),
    };
    let again = reply.told_again.as_ref();
    let again = again.map(|id| format!("it was forgotten under {id}; search finds it again\n"));
    noted + &again.unwrap_or_default()
}
