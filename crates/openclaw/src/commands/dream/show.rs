//! `openclaw dream show`: shows a candidate, its evidence and the change that accepting it would make.
//!
//! Decides nothing.

use memory::candidates::Status;

use super::candidate::CandidateReport;
use super::desk::DreamContext;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw dream show 3fa9 --explain")]
pub(super) struct Arguments {
    /// Candidate id or a prefix of it
    #[arg(value_name = "ID")]
    id: String,
    /// Explain its score
    #[arg(long)]
    explain: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let known = DreamContext::find(context)?;
    let desk = known.desk(context)?;
    let candidate = desk.meant(&arguments.id).map_err(CliError::from)?;
    let after = match candidate.status {
        Status::Pending => Some(desk.preview(&candidate.id)?),
        Status::Promoted | Status::Accepted | Status::Rejected => None,
    };
    let sources = known.sources([candidate], context);
    context.emit(&CandidateReport {
        candidate,
        sources: sources.around_all(candidate),
        number: None,
        is_explained: arguments.explain,
        change: after.as_ref().map(|after| (desk.memory(), after)),
    })
}
