//! `openclaw dream show`: shows a candidate, its evidence and the change that accepting it would make.
//!
//! Decides nothing.

use agent::Viewer;
use agent::ops::ShowCandidate;

use super::candidate::shown;
use super::desk::carry_out;
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
    let request = ShowCandidate {
        id: arguments.id.clone(),
        explain: arguments.explain,
    };
    let reply = carry_out(request, &Viewer::Owner, context)?;
    context.emit_reply(&reply, |reply, stdout| shown(reply, None, stdout))
}
