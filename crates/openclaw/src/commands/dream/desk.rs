//! What the commands of dreams share: a home that is there, its desk, and who may write.
//!
//! Makes no home.

use agent::SessionConversations;
use agent::review::Sources;
use memory::Workspace;
use memory::candidates::{Candidate, Desk, DeskError, Review, check_records, is_nothing_known};

use crate::prelude::*;

/// Lets a command look at what is known of dreams. In a sandbox, and where the home may not be written, that
/// happens in memory alone: what the owner decided in `DREAMS.md` is seen, and nothing is written.
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

/// Lets a command change what is known of dreams: not in a sandbox, and in memory alone where the owner
/// only wants to see what it would do.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub(super) struct DryRun {
    /// Show what would happen; write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// Takes in what the owner decided in `DREAMS.md`, and tells it, before another command changes candidates.
/// What is to be gone does not wait for candidates that cannot be read: [`warn_of_candidates`] tells of them.
pub(crate) fn take_in_dreams(context: &mut Context) -> Result<()> {
    let known = DreamContext::find(context)?;
    match check_records(&known.workspace) {
        Err(DeskError::TooNew(..) | DeskError::Damaged(..)) => return Ok(()),
        found => found?,
    }
    if !is_nothing_known(&known.workspace)? {
        known.desk(context)?;
    }
    Ok(())
}

/// Says that candidates stayed as they are where something was to be gone, and what to do about it.
pub(crate) fn warn_of_candidates(error: Option<DeskError>, context: &mut Context) {
    if let Some(error) = error {
        let failure = CliError::from(error);
        let (reason, hints) = (failure.one_line(), failure.hints.join("; "));
        context.output.warn(&format!(
            "candidates stayed as they are and may still say it: {reason}; {hints}"
        ));
    }
}

pub(super) struct DreamContext {
    pub(super) home: Home,
    pub(super) timezone: Tz,
    workspace: Workspace,
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

    /// What says that these candidates are so.
    pub(super) fn sources<'c>(
        &self,
        candidates: impl IntoIterator<Item = &'c Candidate>,
        context: &Context,
    ) -> Sources {
        let sessions = context.sessions(&self.home);
        let workspace = Arc::new(context.host.workspace(&self.home));
        let conversations = SessionConversations::new(sessions, workspace);
        let evidence = candidates.into_iter().flat_map(|own| &own.evidence);
        Sources::of(evidence, &self.workspace, &conversations)
    }

    /// Its desk; what the owner decided in `DREAMS.md` is taken in and told.
    pub(super) fn desk(&self, context: &mut Context) -> Result<Desk<'_>> {
        let desk = Desk::open(&self.workspace, context.host.clock.now(), Review::TakeIn)?;
        let taken = desk.taken_in();
        let parts = [
            (taken.accepted.len(), "accepted"),
            (taken.rejected.len(), "rejected"),
            (taken.reworded.len(), "reworded"),
        ];
        for (n_candidates, what) in parts {
            if n_candidates > 0 {
                let candidates = counted(n_candidates as u64, "candidate", "candidates");
                let text = format!("DREAMS.md: you {what} {candidates}\n");
                context.output.tell(&text);
            }
        }
        let kept = desk.kept_dreams().map(|kept| {
            format!(
                "DREAMS.md was not whole and was written anew; what stood there is kept as {kept}"
            )
        });
        let unclear = desk.unclear().iter().map(|id| {
            format!(
                "DREAMS.md: the status of {id} is none of pending, accepted and rejected; it waits"
            )
        });
        for warning in kept.into_iter().chain(unclear) {
            context.output.warn(&warning);
        }
        Ok(desk)
    }
}
