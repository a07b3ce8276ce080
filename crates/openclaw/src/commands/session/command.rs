//! Dispatches the commands of `openclaw session`.

use super::{compact, delete, expand, export, fork, import, list, redact, rewind, show, verify};
use crate::prelude::*;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List sessions
    List(list::Arguments),
    /// Show a session's timeline
    Show(show::Arguments),
    /// Replace older messages in the window with a summary now
    Compact(compact::Arguments),
    /// Continue from an earlier entry; the file keeps everything
    Rewind(rewind::Arguments),
    /// Start a new session from a session's current view
    Fork(fork::Arguments),
    /// Show the messages behind a summary, word for word
    Expand(expand::Arguments),
    /// Export a conversation as Markdown or JSON Lines
    Export(export::Arguments),
    /// Import conversations from other programs
    Import(import::Arguments),
    /// Check transcripts for damage
    Verify(verify::Arguments),
    /// Remove words or messages for good, from memory too
    Redact(redact::Arguments),
    /// Delete a session for good
    Delete(delete::Arguments),
}

pub(crate) fn run(command: &Command, context: &mut Context) -> Result<Exit> {
    match command {
        Command::List(arguments) => list::run(arguments, context),
        Command::Show(arguments) => show::run(arguments, context),
        Command::Compact(arguments) => compact::run(arguments, context),
        Command::Rewind(arguments) => rewind::run(arguments, context),
        Command::Fork(arguments) => fork::run(arguments, context),
        Command::Expand(arguments) => expand::run(arguments, context),
        Command::Export(arguments) => export::run(arguments, context),
        Command::Import(arguments) => import::run(arguments, context),
        Command::Verify(arguments) => verify::run(arguments, context),
        Command::Redact(arguments) => redact::run(arguments, context),
        Command::Delete(arguments) => delete::run(arguments, context),
    }
}
