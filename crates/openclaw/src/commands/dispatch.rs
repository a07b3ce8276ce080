//! Which command a line of arguments means.
//!
//! Does nothing itself.

use super::{
    backup, chat, completions, config, doctor, dream, init, man, memory, replay, restore, serve,
    session,
};
use crate::cli::Command;
use crate::prelude::*;

/// Whether a command only reads its home, so that it works in a read-only sandbox; what of it writes is
/// refused there by itself.
pub(crate) fn only_reads(command: &Command) -> bool {
    use session::Command::{Expand, List, Show, Verify};
    matches!(
        command,
        Command::Memory(_)
            | Command::Dream(_)
            | Command::Doctor(_)
            | Command::Session(List(_) | Show(_) | Expand(_) | Verify(_))
    )
}

pub(crate) fn run(command: Command, context: &mut Context) -> Result<Exit> {
    match command {
        Command::Init(arguments) => init::run(&arguments, context),
        Command::Chat(arguments) => chat::run(&arguments, context),
        Command::Replay(arguments) => replay::run(&arguments, context),
        Command::Session(command) => session::run(&command, context),
        Command::Memory(command) => memory::run(&command, context),
        Command::Dream(arguments) => dream::run(&arguments, context),
        Command::Serve(arguments) => serve::run(&arguments, context),
        Command::Doctor(arguments) => doctor::run(&arguments, context),
        Command::Backup(arguments) => backup::run(&arguments, context),
        Command::Restore(arguments) => restore::run(&arguments, context),
        Command::Config(command) => config::run(&command, context),
        Command::Completions(arguments) => completions::run(&arguments, context),
        Command::Man(arguments) => man::run(&arguments, context),
    }
}
