//! `openclaw dream undo`: reverts the last change of memory byte for byte.
//!
//! Never reverts what the owner wrote.

use super::decided::waiting;
use super::desk::{DreamContext, DryRun, change};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw dream undo --dry-run")]
pub(super) struct Arguments {
    /// Whether it is only shown.
    #[command(flatten)]
    dry_run: DryRun,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    change(("an undo", arguments.dry_run), context, |context| {
        undo(arguments, context)
    })
}

fn undo(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = DreamContext::find(context)?;
    let mut desk = known.desk(context)?;
    let n_before = desk.state().pending.len();
    let what = desk.undo()?;
    context.emit(&DreamUndoReport {
        what,
        n_waiting: arguments
            .dry_run
            .still(n_before, desk.state().pending.len()),
        dry_run: arguments.dry_run,
    })
}

pub(super) struct DreamUndoReport {
    pub(super) what: String,
    pub(super) n_waiting: usize,
    pub(super) dry_run: DryRun,
}

impl Report for DreamUndoReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!({ "takenBack": self.what, "waiting": self.n_waiting, "dryRun": self.dry_run.dry_run })
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let (what, waiting) = (printable(&self.what), waiting(self.n_waiting));
        format!("undone: {what}\n{waiting}\n")
    }
}
