//! `openclaw dream show`: one candidate with its evidence and what accepting it would change.
//!
//! Decides nothing.

use memory::candidates::Status;

use super::desk::Known;
use super::source::Sources;
use crate::output::{CandidateShown, render_candidate};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The candidate: its id or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
    /// Show what its score is made of
    #[arg(long)]
    explain: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = Known::find(context)?;
    let desk = known.desk(context)?;
    let candidate = desk.meant(&arguments.id).map_err(CliError::from)?;
    let after = match candidate.status {
        Status::Pending => Some(desk.preview(&candidate.id)?),
        Status::Promoted | Status::Accepted | Status::Rejected => None,
    };
    let change = after.as_deref().map(|after| (desk.memory(), after));
    let sources = Sources::of([candidate], &known, context);
    let around = candidate.evidence.iter().map(|own| sources.around(own));
    let mut shown = CandidateShown::new(candidate, change).with_sources(around);
    if !arguments.explain {
        shown.signals = None;
    }
    let columns = context.host.environment.stdout().text_columns();
    match context.output.format() {
        Format::Json => context.output.object(&shown)?,
        Format::Human => context.output.text(&render_candidate(&shown, columns))?,
    }
    Ok(Exit::Done)
}
