//! `/api/dreams/run`: starts a dream.
//!
//! Waits for a model, which no operation does.

use std::sync::Arc;

use agent::{Backfill, Begin, DreamOutcome, DreamRequest, dream};
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::error::HttpError;
use crate::http::state::HttpState;

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
