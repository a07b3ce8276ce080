//! The commands of `openclaw dream`.
//!
//! Do nothing themselves.

use clap::Subcommand;

use super::desk::look;
use super::{decide, list, log, now, review, show, undo};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    /// What else is to be done.
    #[command(subcommand)]
    command: Option<Command>,
    /// How to dream.
    #[command(flatten)]
    now: now::Arguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the candidates that wait
    List(list::Arguments),
    /// Show a candidate with its evidence
    Show(show::Arguments),
    /// Go through what waits, one candidate after the other
    Review(review::Arguments),
    /// Let candidates into MEMORY.md
    Accept(decide::Arguments),
    /// Turn candidates down for good
    Reject(decide::Arguments),
    /// Take the last change of MEMORY.md or the last rejection back
    Undo(undo::Arguments),
    /// Show what dreams and decisions did
    Log(log::Arguments),
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    match &arguments.command {
        None => now::run(&arguments.now, context),
        Some(Command::List(arguments)) => look(context, |context| list::run(arguments, context)),
        Some(Command::Show(arguments)) => look(context, |context| show::run(arguments, context)),
        Some(Command::Review(arguments)) => review::run(arguments, context),
        Some(Command::Accept(arguments)) => decide::accept(arguments, context),
        Some(Command::Reject(arguments)) => decide::reject(arguments, context),
        Some(Command::Undo(arguments)) => undo::run(arguments, context),
        Some(Command::Log(arguments)) => look(context, |context| log::run(arguments, context)),
    }
}
