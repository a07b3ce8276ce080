//! `openclaw dream list`: the candidates that wait.
//!
//! Decides nothing.

use super::desk::{Known, look};
use crate::output::{CandidateList, render_candidates};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// List those that were decided, too
    #[arg(long)]
    all: bool,
}

/// Lists those that wait, for a chat.
pub(crate) fn show_waiting(context: &mut Context) -> Result<()> {
    look(context, |context| run(&Arguments { all: false }, context)).map(|_| ())
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = Known::find(context)?;
    let desk = known.desk(context)?;
    let state = desk.state();
    let mut candidates: Vec<_> = state.pending.iter().collect();
    if arguments.all {
        candidates.extend(state.history.iter().rev());
    }
    let listing = CandidateList::new(&candidates);
    let columns = context.host.environment.stdout().text_columns();
    match context.output.format() {
        Format::Json => context.output.object(&listing)?,
        Format::Human => context.output.text(&render_candidates(&listing, columns))?,
    }
    Ok(Exit::Done)
}
