//! The commands of `openclaw session`.
//!
//! Do nothing themselves.

use super::{
    compact, delete, expand, export, fork, import, list, redact, repair, rewind, show, verify,
};
use crate::prelude::*;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the sessions
    List(list::Arguments),
    /// Show the course of a session
    Show(show::Arguments),
    /// Let older messages leave the window now; a summary takes their place
    Compact(compact::Arguments),
    /// Go on from an earlier entry; what is left stays in the file
    Rewind(rewind::Arguments),
    /// Begin another session with what is in view of this one
    Fork(fork::Arguments),
    /// Show what a summary stands for, word for word
    Expand(expand::Arguments),
    /// Write a conversation for people, or for other programs
    Export(export::Arguments),
    /// Take over conversations of other programs
    Import(import::Arguments),
    /// Check that transcripts are whole
    Verify(verify::Arguments),
    /// Set aside what cannot be read in a transcript
    Repair(repair::Arguments),
    /// Take out what was said, for good, and what memory made of it
    Redact(redact::Arguments),
    /// Delete a session, for good
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
        Command::Repair(arguments) => repair::run(arguments, context),
        Command::Redact(arguments) => redact::run(arguments, context),
        Command::Delete(arguments) => delete::run(arguments, context),
    }
}
