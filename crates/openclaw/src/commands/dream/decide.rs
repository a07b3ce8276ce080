//! `openclaw dream accept` and `reject`: carry out the owner's decisions.

use agent::Viewer;
use agent::ops::{AlreadyDecided, Decide, DecisionReply, DreamDecision};

use super::decided::{render_near, waiting};
use super::desk::{DryRun, carry_out};
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

pub(super) fn run(
    arguments: &Arguments,
    decision: DreamDecision,
    context: &mut Context,
) -> Result<Exit> {
    let DryRun { dry_run } = arguments.dry_run;
    if !dry_run {
        context.refuse_in_sandbox("a decision about a candidate")?;
    }
    let request = Decide {
        decision,
        id: None,
        ids: arguments.ids.clone(),
        all: arguments.all,
        finding: None,
        dry_run,
    };
    let reply = carry_out(request, &Viewer::Owner, context)?;
    for AlreadyDecided { id, status } in &reply.already {
        context.output.tell(&format!("{id} is already {status}\n"));
    }
    context.emit_change(&reply, |reply| reply.dry_run, human)
}

fn human(reply: &DecisionReply) -> String {
    let mut text = String::new();
    for (id, finding) in reply.ids.iter().zip(&reply.findings) {
        let (status, finding) = (reply.status, printable(finding));
        add_line!(text, "{status} {id}: {finding}");
    }
    let waiting = waiting(reply.waiting);
    text + &render_near(&reply.beside) + &format!("{waiting}\n")
}
