//! Dispatches the commands of `openclaw dream`.

use agent::ops::DreamDecision;
use clap::Subcommand;

use super::desk::look;
use super::{decide, list, log, now, review, show, undo};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
A dream reads new notes and adds to MEMORY.md what will still matter later.
Doubtful findings wait in DREAMS.md for your review.

Examples:
  openclaw dream --now
  openclaw dream review")]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    now: now::Arguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List candidates awaiting review
    List(list::Arguments),
    /// Show a candidate and its evidence
    Show(show::Arguments),
    /// Review candidates one by one
    Review(review::Arguments),
    /// Accept candidates into MEMORY.md
    #[command(after_help = "\
Examples:
  openclaw dream accept 3fa9 b21c
  openclaw dream accept --all --dry-run")]
    Accept(decide::Arguments),
    /// Reject candidates for good
    #[command(after_help = "\
Examples:
  openclaw dream reject 3fa9 b21c
  openclaw dream reject --all --dry-run")]
    Reject(decide::Arguments),
    /// Undo the last change to MEMORY.md or the last rejection
    Undo(undo::Arguments),
    /// Show what dreams and decisions changed
    Log(log::Arguments),
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    match &arguments.command {
        None => now::run(&arguments.now, context),
        Some(Command::List(arguments)) => look(context, |context| list::run(arguments, context)),
        Some(Command::Show(arguments)) => look(context, |context| show::run(arguments, context)),
        Some(Command::Review(arguments)) => review::run(arguments, context),
        Some(Command::Accept(arguments)) => decide::run(arguments, DreamDecision::Accept, context),
        Some(Command::Reject(arguments)) => decide::run(arguments, DreamDecision::Reject, context),
        Some(Command::Undo(arguments)) => undo::run(arguments, context),
        Some(Command::Log(arguments)) => look(context, |context| log::run(arguments, context)),
    }
}
