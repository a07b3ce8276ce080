//! `/api/dreams`: lists candidates, takes the owner's decisions, undoes a change, and starts a dream.
//!
//! Holds no rules of its own: the desk of `memory` does.

use std::sync::Arc;

use agent::{Backfill, Begin, DreamOutcome, DreamRequest, dream};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use base::redact;
use memory::candidates::{Candidate, Desk, DeskError, Review, Status};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::memory::DoneBody;
use crate::http::body::JsonBody;
use crate::http::error::{ErrorBody, HttpError};
use crate::http::openai::told;
use crate::http::state::HttpState;

/// The candidates that wait for the owner.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CandidateList {
    candidates: Vec<CandidateBody>,
}

/// A finding that may deserve to last.
#[derive(Debug, Serialize, ToSchema)]
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
#[derive(Debug, Serialize, ToSchema)]
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
#[utoipa::path(
    get, path = "/api/dreams/candidates", tag = "dreams",
    responses(
        (status = 200, description = "The candidates that wait", body = CandidateList),
        (status = 401, description = "The token is missing or wrong", body = ErrorBody),
        (status = 429, description = "Too many requests at once", body = ErrorBody),
        (status = 500, description = "The candidates cannot be read", body = ErrorBody),
    )
)]
pub(crate) async fn candidates(
    State(state): State<Arc<HttpState>>,
) -> Result<Json<CandidateList>, HttpError> {
    let listed = state.work(|state| {
        let desk = open(state, Review::LeaveAsIs)?;
        let pending = desk.state().pending.iter();
        Ok(pending.map(CandidateBody::from).collect())
    });
    Ok(Json(CandidateList {
        candidates: listed.await?,
    }))
}

/// The owner's decision about a candidate.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct DecisionBody {
    decision: DecisionKind,
    /// The owner's wording, accepted instead of the finding.
    finding: Option<String>,
}

/// What the owner decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DecisionKind {
    /// Write it into `MEMORY.md`.
    Accept,
    /// Drop it, and never propose it again.
    Reject,
}

/// Carries out the owner's decision about a candidate.
#[utoipa::path(
    post, path = "/api/dreams/candidates/{id}", tag = "dreams", request_body = DecisionBody,
    params(("id" = String, Path, description = "The id of the candidate, or a prefix of it")),
    responses(
        (status = 200, description = "The candidate after the decision", body = CandidateBody),
        (status = 400, description = "The body is malformed", body = ErrorBody),
        (status = 401, description = "The token is missing or wrong", body = ErrorBody),
        (status = 404, description = "There is no such candidate", body = ErrorBody),
        (status = 409, description = "It was already decided, or cannot be decided now", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 429, description = "Too many requests at once", body = ErrorBody),
    )
)]
pub(crate) async fn decide(
    State(state): State<Arc<HttpState>>,
    Path(id): Path<String>,
    JsonBody(decision): JsonBody<DecisionBody>,
) -> Result<Json<CandidateBody>, HttpError> {
    let decided = state.work(move |state| {
        let mut desk = open(state, Review::TakeIn)?;
        let own = desk
            .meant(&id)
            .map_err(|error| HttpError::not_found(told(&error)))?;
        if own.status != Status::Pending {
            let message = format!("{} is already {}", own.id, own.status.as_str());
            return Err(HttpError::new(StatusCode::CONFLICT, message));
        }
        let (mut shown, ids) = (CandidateBody::from(own), [own.id.clone()]);
        let [id] = &ids;
        if let (Some(finding), DecisionKind::Accept) = (&decision.finding, decision.decision) {
            desk.reword(id, finding).map_err(|error| refused(&error))?;
            shown.finding.clone_from(finding);
        }
        let done = match decision.decision {
            DecisionKind::Accept => desk.accept(&ids),
            DecisionKind::Reject => desk.reject(&ids),
        };
        done.map_err(|error| refused(&error))?;
        shown.status = match decision.decision {
            DecisionKind::Accept => Status::Accepted.as_str(),
            DecisionKind::Reject => Status::Rejected.as_str(),
        };
        Ok(shown)
    });
    Ok(Json(decided.await?))
}

/// Undoes the last change of long-term memory, byte for byte.
#[utoipa::path(
    post, path = "/api/dreams/undo", tag = "dreams",
    responses(
        (status = 200, description = "The change that was undone", body = DoneBody),
        (status = 401, description = "The token is missing or wrong", body = ErrorBody),
        (status = 409, description = "There is nothing to undo, or it cannot be undone", body = ErrorBody),
        (status = 429, description = "Too many requests at once", body = ErrorBody),
    )
)]
pub(crate) async fn undo(State(state): State<Arc<HttpState>>) -> Result<Json<DoneBody>, HttpError> {
    let undone = state.work(|state| {
        open(state, Review::TakeIn)?
            .undo()
            .map_err(|error| refused(&error))
    });
    Ok(Json(DoneBody {
        done: undone.await?,
    }))
}

/// The result of a dream.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DreamBody {
    /// `dreamt`, `nothing new`, `budget spent` or `memory misread`.
    outcome: &'static str,
    /// Number of lines written into `MEMORY.md`.
    promoted: usize,
    /// Number of candidates that wait for the owner.
    staged: usize,
}

/// Runs a dream now, due or not.
#[utoipa::path(
    post, path = "/api/dreams/run", tag = "dreams",
    responses(
        (status = 200, description = "The result of the dream", body = DreamBody),
        (status = 401, description = "The token is missing or wrong", body = ErrorBody),
        (status = 409, description = "Another dream is under way, or this one failed", body = ErrorBody),
        (status = 429, description = "Too many requests at once", body = ErrorBody),
    )
)]
pub(crate) async fn run(State(state): State<Arc<HttpState>>) -> Result<Json<DreamBody>, HttpError> {
    let handle = tokio::runtime::Handle::current();
    let dreamt = state.work(move |state| {
        let request = DreamRequest {
            begin: Begin::Now,
            backfill: Backfill::Logs,
        };
        let beside = state.runtime.beside();
        let dreamt = handle.block_on(dream(&beside, &state.dreaming, request, &mut |_| {}));
        dreamt.map_err(|error| HttpError::new(StatusCode::CONFLICT, told(&error)))
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

fn open(state: &HttpState, review: Review) -> Result<Desk<'_>, HttpError> {
    let desk = Desk::open(&state.runtime.home.workspace, state.clock().now(), review);
    desk.map_err(|error| HttpError::internal(told(&error)))
}

fn refused(error: &DeskError) -> HttpError {
    HttpError::new(StatusCode::CONFLICT, told(error))
}
