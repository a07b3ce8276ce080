//! The commands of `openclaw session`.
//!
//! Do nothing themselves.

use super::{list, show, verify};
use clap::Subcommand;

use crate::app::Context;
use crate::error::CliError;
use crate::exit_code::Exit;

/// The commands of `openclaw session`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the sessions
    List(list::Arguments),
    /// Show the course of a session
    Show(show::Arguments),
    /// Check that transcripts are whole
    Verify(verify::Arguments),
}

/// Runs one of them.
pub(crate) fn run(command: &Command, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    match command {
        Command::List(arguments) => list::run(arguments, context),
        Command::Show(arguments) => show::run(arguments, context),
        Command::Verify(arguments) => verify::run(arguments, context),
    }
}
