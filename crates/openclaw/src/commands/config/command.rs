//! The commands of `openclaw config`.
//!
//! Do nothing themselves.

use clap::Subcommand;

use super::show;
use crate::app::Context;
use crate::error::CliError;
use crate::exit_code::Exit;

/// The commands of `openclaw config`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print every setting, its value and where the value comes from
    Show(show::Arguments),
}

/// Runs a command of `openclaw config`.
pub(crate) fn run(command: &Command, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    match command {
        Command::Show(arguments) => show::run(arguments, context),
    }
}
