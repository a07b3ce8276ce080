//! `openclaw dream accept` and `reject`: carry out the owner's decisions.

use memory::candidates::{ReviewError, Status};

use super::decided::{DecisionReport, NearLine};
use super::desk::{DreamContext, DryRun, change};
use crate::prelude::*;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Candidate ids or prefixes of them
    #[arg(value_name = "ID", required_unless_present = "all")]
    ids: Vec<String>,
    /// All candidates awaiting review
    #[arg(long, conflicts_with = "ids")]
    all: bool,
    /// Whether it is only shown.
    #[command(flatten)]
    dry_run: DryRun,
}

/// The owner's decision about candidates.
#[derive(Debug, Clone, Copy)]
pub(super) enum Decision {
    Accept,
    Reject,
}

impl Decision {
    /// Its name while it is carried out, and the status that it leads to.
    fn described(self) -> (&'static str, Status) {
        match self {
            Self::Accept => ("accepting a candidate", Status::Accepted),
            Self::Reject => ("rejecting a candidate", Status::Rejected),
        }
    }
}

pub(super) fn run(
    arguments: &Arguments,
    decision: Decision,
    context: &mut Context,
) -> Result<Exit> {
    let (what, status) = decision.described();
    change((what, arguments.dry_run), context, |context| {
        decide(arguments, (decision, status), context)
    })
}

fn decide(
    arguments: &Arguments,
    (decision, status): (Decision, Status),
    context: &mut Context,
) -> Result<Exit> {
    let known = DreamContext::find(context)?;
    let mut desk = known.desk(context)?;
    let mut ids = Vec::new();
    if arguments.all {
        ids.extend(desk.state().pending.iter().map(|own| own.id.clone()));
    }
    for typed in &arguments.ids {
        let own = desk.meant(typed)?;
        if own.status == status || own.status == Status::Promoted && status == Status::Accepted {
            let text = format!("{} is already {}\n", own.id, own.status.as_str());
            context.output.tell(&text);
        } else if own.status != Status::Pending {
            let error = ReviewError::Decided(own.id.clone(), own.status);
            return Err(error.into());
        } else {
            ids.push(own.id.clone());
        }
    }
    let found = ids.iter().filter_map(|id| desk.state().candidate(id));
    let findings = found.map(|own| own.finding.clone()).collect();
    let before = desk.memory().clone();
    let n_before = desk.state().pending.len();
    let done = match decision {
        Decision::Accept => desk.accept(&ids)?,
        Decision::Reject => desk.reject(&ids)?,
    };
    context.emit(&DecisionReport {
        status: status.as_str(),
        ids,
        findings,
        beside: NearLine::all(&done.accepted, &before),
        n_waiting: arguments
            .dry_run
            .still(n_before, desk.state().pending.len()),
        dry_run: arguments.dry_run,
    })
}
