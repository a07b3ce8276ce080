//! The commands of `openclaw memory`.
//!
//! Do nothing themselves.

use super::{index, search};
use clap::Subcommand;

use crate::app::Context;
use crate::error::CliError;
use crate::exit_code::Exit;

/// The commands of `openclaw memory`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find what is known about a question
    Search(search::Arguments),
    /// Bring the index up to date
    Index(index::Arguments),
}

/// Runs one of them.
pub(crate) fn run(command: &Command, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    match command {
        Command::Search(arguments) => search::run(arguments, context),
        Command::Index(arguments) => index::run(arguments, context),
    }
}
