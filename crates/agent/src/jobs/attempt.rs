//! An attempt at a compaction: the summary that was made, and whether it frees enough to take effect.
//!
//! Changes nothing.

use std::time::Duration;

use base::TokenCount;
use base::model::ModelError;
use compaction::{Rung, Strategy, Summary, SummaryPlan};

use crate::event::{Event, OnEvent};
use crate::writers::summarise::{FailureReason, RungFailure, SummaryOutcome};

/// An attempt at a compaction, before it takes effect.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) first: Rung,
    /// When it began, on the monotonic clock.
    pub(crate) started: Duration,
    /// What leaves the view; `None` if nothing can.
    pub(crate) plan: Option<SummaryPlan>,
    pub(crate) summary: SummaryOutcome,
    /// The provider's count of the compacted request, if it was asked for one.
    pub(crate) recounted: Option<TokenCount>,
}

/// A summary to apply, with its plan, start and recounted size.
pub(crate) struct Placed {
    pub(crate) plan: SummaryPlan,
    pub(crate) summary: Summary,
    pub(crate) started: Duration,
    pub(crate) recounted: Option<TokenCount>,
}

/// The plan and summary of an attempt, if it frees enough; warns of each failed rung.
pub(crate) fn effective(
    strategy: Strategy,
    attempt: Attempt,
    on_event: OnEvent<'_>,
) -> Option<Placed> {
    let mut warn = |rung: Rung, reason: &str| {
        on_event(Event::Warning(strategy.failure(rung, reason)));
    };
    for failure in &attempt.summary.failures {
        warn(failure.rung, &failure.reason.to_string());
    }
    let Some(plan) = attempt.plan else {
        warn(attempt.first, "nothing can be compacted");
        return None;
    };
    let summary = attempt.summary.summary?;
    // The chat, and with it the token counts, may have moved on since the summary was requested.
    if !plan.is_effective(&summary.text) {
        let reason = "it would free less than a fifth of what it replaces, or is too large to be shown whole";
        warn(summary.rung, reason);
        return None;
    }
    Some(Placed {
        plan,
        summary,
        started: attempt.started,
        recounted: attempt.recounted,
    })
}

/// Whether models were asked and none could be reached.
pub(crate) fn is_unreachable(failures: &[RungFailure]) -> bool {
    let is_away = |failure: &RungFailure| {
        matches!(
            failure.reason,
            FailureReason::Away(_)
                | FailureReason::Model(
                    ModelError::Unavailable { .. } | ModelError::RateLimited { .. }
                )
        )
    };
    !failures.is_empty() && failures.iter().all(is_away)
}
