//! Going back in a session, and beginning another one from it.
//!
//! Writes down what would leave the conversation before anything leaves it.

use base::EntryId;
use compaction::FlushOutcome;
use session::{EntrySelector, Fork, RewindPlan, SessionName};

use crate::backlog::FlushExtent;
use crate::driver::flush_notes;
use crate::error::TurnError;
use crate::event::{OnEvent, warn_of_repairs};
use crate::runtime::Runtime;
use crate::scope::Repository;
use crate::summarise::Engines;

/// What going back did.
#[derive(Debug, Clone, PartialEq)]
pub struct Rewound {
    /// What it left and what it brought back.
    pub plan: RewindPlan,
    /// The entry that says so; `None` where the conversation goes on from there already.
    pub entry: Option<EntryId>,
    /// The flush before it; `None` where all was written down.
    pub flush: Option<FlushOutcome>,
}

/// Goes on from an earlier entry, after what would be left is written down.
///
/// # Errors
///
/// [`TurnError`], also if the flush failed: on a dead branch the messages would be lost to search.
pub async fn rewind(
    runtime: &Runtime,
    name: &SessionName,
    to: &EntrySelector,
    on_event: OnEvent<'_>,
) -> Result<Rewound, TurnError> {
    let limit = runtime.resume_limit();
    // Before the lock, so that a missing session is reported as such.
    runtime.home.sessions.plan_rewind(name, to, limit)?;
    let mut turn = runtime.home.sessions.begin_turn(name, limit)?;
    warn_of_repairs(&turn, on_event);
    let plan = runtime.home.sessions.plan_rewind(name, to, limit)?;
    if plan.is_there {
        return Ok(Rewound {
            plan,
            entry: None,
            flush: None,
        });
    }
    let flush = flush_notes(
        runtime,
        &mut turn,
        Engines::All,
        FlushExtent::Whole,
        on_event,
    )
    .await?;
    if flush == Some(FlushOutcome::Failed) {
        return Err(TurnError::NotWrittenDown { name: name.clone() });
    }
    let entry = turn.append_rewind(runtime.home.clock.now(), &plan.target.id)?;
    Ok(Rewound {
        plan,
        entry: Some(entry),
        flush,
    })
}

/// What a fork made.
#[derive(Debug, Clone, PartialEq)]
pub struct Forked {
    /// The session that began; a copy from a repository carries it in its name too.
    pub name: SessionName,
    /// What was copied.
    pub fork: Fork,
    /// The flush of the original before it; `None` where all was written down.
    pub flush: Option<FlushOutcome>,
}

/// Begins another session with what the window shows of this one, at the newest entry or at another.
///
/// What the original has not flushed is written down first, so that no message is noted twice.
///
/// # Errors
///
/// [`TurnError`], also where it could not be written down: both sessions would note it.
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
    let mut original = runtime.home.sessions.begin_turn(name, limit)?;
    warn_of_repairs(&original, on_event);
    let mut turn = runtime.home.sessions.begin_turn(new, limit)?;
    warn_of_repairs(&turn, on_event);
    let flush = flush_notes(
        runtime,
        &mut original,
        Engines::All,
        FlushExtent::Whole,
        on_event,
    )
    .await?;
    if flush == Some(FlushOutcome::Failed) {
        return Err(TurnError::NotWrittenDown { name: name.clone() });
    }
    let fork = runtime.home.sessions.read_fork(name, at, limit)?;
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
