//! `/api/dreams`: lists candidates, takes the owner's decisions, undoes a change, and starts a dream.
//!
//! Holds no rules of its own: the desk of `memory` does.

use std::sync::Arc;

use agent::{Backfill, Begin, DreamOutcome, DreamRequest, dream};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use base::redact;
use memory::candidates::{Access, Candidate, MemoryTxnError, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory::DoneBody;
use crate::http::body::{JsonBody, UrlPath};
use crate::http::error::HttpError;
use crate::http::state::HttpState;

/// The candidates that wait for the owner.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CandidateList {
    candidates: Vec<CandidateBody>,
}

/// A finding that may deserve to last.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CandidateBody {
    id: String,
    finding: String,
    /// The heading of `MEMORY.md` that it would go under.
    section: String,
    /// What accepting it would do, in words.
    action: String,
    day: String,
    origin: &'static str,
    /// In hundredths.
    score: u32,
    /// Why it waits.
    staged_because: Option<String>,
    status: &'static str,
    evidence: Vec<EvidenceBody>,
}

/// A quote that supports the finding.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvidenceBody {
    place: String,
    quote: String,
}

impl From<&Candidate> for CandidateBody {
    fn from(own: &Candidate) -> Self {
        let evidence = own.evidence.iter().map(|it| EvidenceBody {
            place: format!("{}:{}", it.path, it.line),
            quote: redact(&it.quote).into_owned(),
        });
        Self {
            id: own.id.to_string(),
            finding: redact(&own.finding).into_owned(),
            section: own.section.clone(),
            action: redact(&own.action()).into_owned(),
            day: own.day.to_string(),
            origin: own.origin.as_str(),
            score: own.score,
            staged_because: own.staged_because.clone(),
            status: own.status.as_str(),
            evidence: evidence.collect(),
        }
    }
}

/// Lists the candidates that wait for the owner's decision.
pub(crate) async fn candidates(
    State(state): State<Arc<HttpState>>,
) -> Result<Json<CandidateList>, HttpError> {
    let listed = state.work(|state| {
        // The owner may have decided in an editor.
        let desk = state.desk(Access::Write)?;
        let pending = desk.state().pending.iter();
        Ok(pending.map(CandidateBody::from).collect())
    });
    Ok(Json(CandidateList {
        candidates: listed.await?,
    }))
}

/// The owner's decision about a candidate.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DecisionBody {
    decision: DecisionKind,
    /// The owner's wording, accepted instead of the finding.
    finding: Option<String>,
}

/// What the owner decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DecisionKind {
    /// Write it into `MEMORY.md`.
    Accept,
    /// Drop it, and never propose it again.
    Reject,
}

/// Carries out the owner's decision about a candidate.
pub(crate) async fn decide(
    State(state): State<Arc<HttpState>>,
    UrlPath(id): UrlPath<String>,
    JsonBody(decision): JsonBody<DecisionBody>,
) -> Result<Json<CandidateBody>, HttpError> {
    let decided = state.work(move |state| {
        let mut desk = state.desk(Access::Write)?;
        let own = desk
            .meant(&id)
            .map_err(|error| HttpError::missing(&error))?;
        if own.status != Status::Pending {
            let message = format!("{} is already {}", own.id, own.status.as_str());
            return Err(HttpError::new(StatusCode::CONFLICT, message));
        }
        let (mut shown, ids) = (CandidateBody::from(own), [own.id.clone()]);
        let [id] = &ids;
        if let (Some(finding), DecisionKind::Accept) = (&decision.finding, decision.decision) {
            desk.reword(id, finding).map_err(undecided)?;
            shown.finding.clone_from(finding);
        }
        let (done, status) = match decision.decision {
            DecisionKind::Accept => (desk.accept(&ids), Status::Accepted),
            DecisionKind::Reject => (desk.reject(&ids), Status::Rejected),
        };
        done.map_err(undecided)?;
        shown.status = status.as_str();
        Ok(shown)
    });
    Ok(Json(decided.await?))
}

/// Undoes the last change of long-term memory, byte for byte.
pub(crate) async fn undo(State(state): State<Arc<HttpState>>) -> Result<Json<DoneBody>, HttpError> {
    let undone = state.work(|state| state.desk(Access::Write)?.undo().map_err(undecided));
    Ok(Json(DoneBody {
        done: undone.await?,
    }))
}

/// The result of a dream.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DreamBody {
    /// `dreamt`, `nothing new`, `budget spent` or `memory misread`.
    outcome: &'static str,
    /// Number of lines written into `MEMORY.md`.
    promoted: usize,
    /// Number of candidates that wait for the owner.
    staged: usize,
}

/// Runs a dream now, due or not.
pub(crate) async fn run(State(state): State<Arc<HttpState>>) -> Result<Json<DreamBody>, HttpError> {
    let handle = tokio::runtime::Handle::current();
    let dreamt = state.work(move |state| {
        let request = DreamRequest {
            begin: Begin::Now,
            backfill: Backfill::Logs,
        };
        let beside = state.runtime.beside();
        let dreamt = handle.block_on(dream(&beside, &state.dreaming, request, &mut |_| {}));
        dreamt.map_err(|error| HttpError::conflict(&error))
    });
    let (outcome, promoted, staged) = match dreamt.await? {
        DreamOutcome::Dreamt { report, .. } => {
            ("dreamt", report.promoted.len(), report.staged.len())
        }
        DreamOutcome::NothingNew(_) | DreamOutcome::NotDue(_) => ("nothing new", 0, 0),
        DreamOutcome::BudgetSpent { .. } => ("budget spent", 0, 0),
        DreamOutcome::MemoryMisread { .. } => ("memory misread", 0, 0),
    };
    Ok(Json(DreamBody {
        outcome,
        promoted,
        staged,
    }))
}

/// Conflicts, which the owner can resolve, are 409; all other errors are 500.
pub(crate) fn undecided(error: MemoryTxnError) -> HttpError {
    let is_for_the_owner = matches!(
        error,
        MemoryTxnError::Review(_)
            | MemoryTxnError::Undo(_)
            | MemoryTxnError::Forgotten
            | MemoryTxnError::Busy
    );
    if is_for_the_owner {
        HttpError::conflict(&error)
    } else {
        error.into()
    }
}
