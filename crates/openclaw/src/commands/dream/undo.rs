//! `openclaw dream undo`: the last change of memory, taken back to the byte.
//!
//! Never takes back what the owner wrote.

use super::desk::{DryRun, Known, change};
use crate::output::{TakenBack, render_taken_back};
use crate::prelude::*;

#[derive(Debug, Args)]
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
    let known = Known::find(context)?;
    let mut desk = known.desk(context)?;
    let what = desk.undo()?;
    let taken = TakenBack {
        what,
        waiting: desk.state().pending.len(),
        dry_run: arguments.dry_run.dry_run,
    };
    match context.output.format() {
        Format::Json => context.output.object(&taken)?,
        Format::Human => {
            let stdout = context.host.environment.stdout();
            context
                .output
                .lines(&render_taken_back(&taken), stdout, "  ")?;
        }
    }
    Ok(Exit::Done)
}
