//! The commands, a file each.
//!
//! Join arguments with what the libraries do; hold no policy.

pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod init;
pub(crate) mod replay;
pub(crate) mod session;

use crate::app::Context;
use crate::cli::Command;
use crate::error::CliError;
use crate::exit_code::Exit;

/// Runs a command.
pub(crate) fn run(command: Command, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    match command {
        Command::Init(arguments) => init::run(&arguments, context),
        Command::Config(command) => config::run(&command, context),
        Command::Completions(arguments) => completions::run(&arguments, context),
    }
}
