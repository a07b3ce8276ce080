//! Dispatches the commands of `openclaw homes`.

use clap::Subcommand;

use super::{exchange, list, rekey, verify};
use crate::prelude::*;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Copy this home into a bucket, a vault or a folder of homes
    Push(exchange::PushArguments),
    /// Copy a home from a bucket, a vault or a folder of homes to this machine
    Pull(exchange::PullArguments),
    /// List the homes at an address, and who is using each
    List(list::Arguments),
    /// Check homes in a bucket or a vault for damage
    Verify(verify::Arguments),
    /// Change the key that opens a home in a bucket or a vault
    Rekey(rekey::Arguments),
}

pub(crate) fn run(command: &Command, context: &mut Context) -> Result<Exit> {
    match command {
        Command::Push(arguments) => exchange::push(arguments, context),
        Command::Pull(arguments) => exchange::pull(arguments, context),
        Command::List(arguments) => list::run(arguments, context),
        Command::Verify(arguments) => verify::run(arguments, context),
        Command::Rekey(arguments) => rekey::run(arguments, context),
    }
}
