//! Rewinds and forks sessions.
//!
//! Flushes messages before they leave the conversation.

use base::EntryId;
use compaction::FlushOutcome;
use session::{EntrySelector, Fork, RewindPlan, SessionName};

use crate::error::TurnError;
use crate::event::OnEvent;
use crate::jobs::session_flush::flush_leaving;
use crate::knowledge::scope::Repository;
use crate::runtime::Runtime;
use crate::waiting::begin_now;

/// The result of a rewind.
#[derive(Debug, Clone, PartialEq)]
pub struct Rewound {
    /// What it left behind and restored.
    pub plan: RewindPlan,
    /// The rewind entry; `None` if the conversation already continues from there.
    pub entry: Option<EntryId>,
    /// The flush before the rewind; `None` if all was flushed already.
    pub flush: Option<FlushOutcome>,
}

/// Continues a session from an earlier entry, after flushing the messages that the rewind abandons.
///
/// # Errors
///
/// [`TurnError`], also if the flush fails: search does not cover messages on a dead branch.
pub async fn rewind(
    runtime: &Runtime,
    name: &SessionName,
    to: &EntrySelector,
    on_event: OnEvent<'_>,
) -> Result<Rewound, TurnError> {
    let limit = runtime.resume_limit();
    // Plan before locking, so that a missing session is reported as such.
    runtime.home.sessions.plan_rewind(name, to, limit)?;
    let mut turn = begin_now(runtime, name, on_event)?;
    let plan = runtime.home.sessions.plan_rewind(name, to, limit)?;
    if plan.is_there {
        return Ok(Rewound {
            plan,
            entry: None,
            flush: None,
        });
    }
    let flush = flush_leaving(runtime, &mut turn, on_event).await?;
    let entry = turn.append_rewind(runtime.home.clock.now(), &plan.target.id)?;
    Ok(Rewound {
        plan,
        entry: Some(entry),
        flush,
    })
}

/// The result of a fork.
#[derive(Debug, Clone, PartialEq)]
pub struct Forked {
    /// The new session; a fork from a repository's session gets the repository in its name.
    pub name: SessionName,
    /// What was copied.
    pub fork: Fork,
    /// The flush of the original before the fork; `None` if all was flushed already.
    pub flush: Option<FlushOutcome>,
}

/// Starts a new session with a copy of this one's view, at the newest entry or at `at`.
///
/// Flushes the original first, so that no message is noted twice.
///
/// # Errors
///
/// [`TurnError`], also if that flush fails: both sessions would note the messages.
pub async fn fork(
    runtime: &Runtime,
    name: &SessionName,
    at: Option<&EntrySelector>,
    new: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Forked, TurnError> {
    let limit = runtime.resume_limit();
    runtime.home.sessions.read_fork(name, at, limit)?;
    let here = Repository::of_session(name.as_str());
    let new = &match &here {
        Some(here) if Repository::of_session(new.as_str()) != Some(here.clone()) => {
            here.session_name(new.as_str())?
        }
        Some(_) | None => new.clone(),
    };
    if runtime.home.sessions.exists(new)? {
        let name = new.clone();
        return Err(session::AppendError::HasBegun(name).into());
    }
    let mut original = begin_now(runtime, name, on_event)?;
    let mut turn = begin_now(runtime, new, on_event)?;
    let flush = flush_leaving(runtime, &mut original, on_event).await?;
    let mut fork = runtime.home.sessions.read_fork(name, at, limit)?;
    let forgotten = runtime.home.forgotten_words::<TurnError>(name)?;
    forgotten.clean(&mut fork);
    turn.begin_as_fork(runtime.home.clock.now(), &fork)?;
    Ok(Forked {
        name: new.clone(),
        fork,
        flush,
    })
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
