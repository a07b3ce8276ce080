//! Dispatches the commands of `openclaw memory`.

use super::{add, archive, correct, export, forget, get, import, index, search, status, sync};
use crate::prelude::*;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search notes and sessions
    Search(search::Arguments),
    /// Print the text of a search result
    Get(get::Arguments),
    /// Add a note to today's log
    Add(add::Arguments),
    /// Replace a line of MEMORY.md
    Correct(correct::Arguments),
    /// Forget something: hide it everywhere and remove it from notes
    Forget(forget::Arguments),
    /// Move lines of MEMORY.md to the archive
    Archive(archive::Arguments),
    /// Update the index
    Index(index::Arguments),
    /// Show the state of the index
    Status,
    /// Import memories from other programs
    Import(import::Arguments),
    /// Export memories to one file
    Export(export::Arguments),
    /// Keep a block of MEMORY.md in another program's memory file
    Sync(sync::Arguments),
}

/// Passages shown for a question in a chat; `memory search --limit N` shows more.
const FOUND_MAX: u32 = 5;

pub(crate) fn run(command: &Command, context: &mut Context) -> Result<Exit> {
    match command {
        Command::Search(arguments) => search::run(arguments, context),
        Command::Get(arguments) => get::run(arguments, context),
        Command::Add(arguments) => add::run(arguments, context),
        Command::Correct(arguments) => correct::run(arguments, context),
        Command::Archive(arguments) => archive::run(arguments, context),
        Command::Status => status::run(context),
        Command::Forget(arguments) => forget::run(arguments, context),
        Command::Index(arguments) => index::run(arguments, context),
        Command::Import(arguments) => import::run(arguments, context),
        Command::Export(arguments) => export::run(arguments, context),
        Command::Sync(arguments) => sync::run(arguments, context),
    }
}

/// Shows what is indexed, as `memory status` does.
pub(crate) fn show_status(context: &mut Context) -> Result<()> {
    status::run(context).map(|_| ())
}

/// Searches for a question, as `memory search` does.
pub(crate) fn show_found(question: &str, context: &mut Context) -> Result<()> {
    let arguments = search::Arguments {
        question: vec![question.to_owned()],
        limit: FOUND_MAX,
        ..search::Arguments::default()
    };
    search::run(&arguments, context).map(|_| ())
}
