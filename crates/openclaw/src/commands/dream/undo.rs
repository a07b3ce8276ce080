//! `openclaw dream undo`: reverts the last change of memory, or the one that wrote a line, byte for byte.
//!
//! Never reverts what the owner wrote.

use agent::Viewer;
use agent::ops::{UndoChange, UndoReply};

use super::decided::waiting;
use super::desk::{DryRun, carry_out};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw dream undo --dry-run
  openclaw dream undo 3f2a91c0")]
pub(super) struct Arguments {
    /// The id of a line or candidate: undo the decision about it, and what was
    /// decided together with it; by default the last decision
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Whether it is only shown.
    #[command(flatten)]
    dry_run: DryRun,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let DryRun { dry_run } = arguments.dry_run;
    if !dry_run {
        context.refuse_in_sandbox("an undo")?;
    }
    let request = UndoChange {
        id: arguments.id.clone(),
        dry_run,
        ..UndoChange::default()
    };
    let reply = carry_out(request, &Viewer::Owner, context)?;
    context.emit_change(&reply, |reply| reply.dry_run, human)
}

fn human(reply: &UndoReply) -> String {
    let what = printable(&reply.taken_back);
    let waiting = waiting(reply.waiting);
    let done = if reply.dry_run {
        "would undo"
    } else {
        "undone"
    };
    format!("{done}: {what}\n{waiting}\n")
}
