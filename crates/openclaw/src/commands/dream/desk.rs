//! Shared by the dream commands: finds the home, opens its desk, and guards sandboxes and dry runs.
//!
//! Creates no home.

use std::cell::RefCell;

use agent::ops::{OpContext, OpEvent, Operation};
use agent::review::EvidenceContext;
use agent::service::Edits;
use agent::{SessionConversations, Viewer};
use cli::serving::edits_in_words;
use memory::Workspace;
use memory::candidates::{
    Access, Candidate, MemoryTxn, MemoryTxnError, check_records, is_nothing_known,
};

use crate::prelude::*;

/// Runs a command that reads the state of dreams. In a sandbox or a home without write access it runs on an
/// overlay in memory, so that it sees the owner's decisions in `DREAMS.md` but writes nothing.
pub(super) fn look(
    context: &mut Context,
    command: impl FnOnce(&mut Context) -> Result<Exit>,
) -> Result<Exit> {
    let home = context.existing_home()?;
    let may_be_written = || context.host.workspace(&home).may_be_written();
    if context.is_sandbox()? || !may_be_written() {
        context.on_overlay(command)
    } else {
        command(context)
    }
}

/// Runs a command that changes the state of dreams: on an overlay in memory for a dry run, and not in a
/// sandbox.
pub(super) fn change(
    (what, dry_run): (&str, DryRun),
    context: &mut Context,
    command: impl FnOnce(&mut Context) -> Result<Exit>,
) -> Result<Exit> {
    if dry_run.dry_run {
        return context.on_overlay(command);
    }
    context.refuse_in_sandbox(what)?;
    command(context)
}

/// Whether a command only says what it would do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub(crate) struct DryRun {
    /// Show what would happen; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Applies and reports the owner's decisions in `DREAMS.md` before another command changes candidates.
/// Unreadable candidates do not stop a removal; [`warn_of_candidates`] reports them.
pub(crate) fn take_in_dreams(context: &mut Context) -> Result<()> {
    let known = DreamContext::find(context)?;
    match check_records(&known.workspace) {
        Err(error) if error.is_unreadable_record() => return Ok(()),
        found => found?,
    }
    if !is_nothing_known(&known.workspace)? {
        known.desk(context)?;
    }
    Ok(())
}

/// Warns that a removal did not change the candidates, and says what to do.
pub(crate) fn warn_of_candidates(error: Option<MemoryTxnError>, context: &mut Context) {
    if let Some(error) = error {
        let failure = CliError::from(error);
        let (reason, hints) = (failure.one_line(), failure.hints.join("; "));
        context.output.warn(&format!(
            "candidates were not changed and may still say it: {reason}; {hints}"
        ));
    }
}

pub(super) struct DreamContext {
    pub(super) home: Home,
    pub(super) timezone: Tz,
    pub(super) workspace: Workspace,
}

impl DreamContext {
    pub(super) fn find(context: &mut Context) -> Result<Self> {
        let home = context.existing_home()?;
        let config = context.config(&home)?;
        let timezone = context.timezone(&config);
        let workspace = context.host.workspace(&home);
        Ok(Self {
            home,
            timezone,
            workspace,
        })
    }

    /// The sources of the evidence of these candidates.
    pub(super) fn sources<'c>(
        &self,
        candidates: impl IntoIterator<Item = &'c Candidate>,
        context: &Context,
    ) -> EvidenceContext {
        let sessions = context.sessions(&self.home);
        let workspace = Arc::new(context.host.workspace(&self.home));
        let conversations = SessionConversations::new(sessions, workspace);
        let evidence = candidates.into_iter().flat_map(|own| &own.evidence);
        EvidenceContext::of(evidence, &self.workspace, &conversations)
    }

    /// Opens the desk; applies and reports the owner's decisions in `DREAMS.md`.
    pub(super) fn desk(&self, context: &mut Context) -> Result<MemoryTxn<'_>> {
        let desk = MemoryTxn::open(&self.workspace, context.host.clock.now(), Access::Write)?;
        tell_of_edits(&Edits::found_by(&desk), context.output);
        Ok(desk)
    }
}

/// Reports the owner's decisions in `DREAMS.md`.
fn tell_of_edits(edits: &Edits, output: &mut Output) {
    let (decided, unclear) = edits_in_words(edits);
    for text in decided {
        output.tell(&format!("{text}\n"));
    }
    for warning in unclear {
        output.warn(&warning);
    }
}

/// Carries out an operation on candidates; reports first the owner's decisions in `DREAMS.md`, which it takes in.
pub(super) fn carry_out<R: Operation>(
    request: R,
    viewer: &Viewer,
    context: &mut Context,
) -> Result<R::Reply> {
    let home = context.existing_home()?;
    let operations = context.operations(&home)?;
    let taken_in = RefCell::new(None);
    let on_event = |event| {
        if let OpEvent::TakenIn(edits) = event {
            taken_in.replace(Some(edits));
        }
    };
    let at = OpContext {
        on_event: &on_event,
        ..operations.context(viewer)
    };
    let reply = request.run(&at);
    if let Some(edits) = taken_in.into_inner() {
        tell_of_edits(&edits, context.output);
    }
    Ok(reply?)
}
