//! `/api/memory/forget`.
//!
//! Forgets only by a plan that was requested before.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memory::OwnerLines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::body::JsonBody;
use crate::http::error::HttpError;
use crate::http::state::HttpState;

/// What to forget.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForgetQuestionBody {
    /// A description, as for a search.
    #[schemars(length(min = 1))]
    what: String,
}

/// What would be forgotten.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ForgetPlanBody {
    /// The token that confirms the plan; null if nothing was found.
    token: Option<String>,
    /// The passages to forget, each with its place.
    plan: String,
}

/// Plans what would be forgotten; forgets nothing yet.
pub(crate) async fn plan_forgetting(
    State(state): State<Arc<HttpState>>,
    JsonBody(asked): JsonBody<ForgetQuestionBody>,
) -> Result<Json<ForgetPlanBody>, HttpError> {
    if asked.what.trim().is_empty() {
        return Err(HttpError::bad_request("what: must not be empty"));
    }
    let planned = state.work(move |state| {
        let planned = state.door.plan_forgetting(&asked.what);
        planned.map_err(|reason| HttpError::new(StatusCode::CONFLICT, reason))
    });
    let offer = planned.await?.map(|offer| (offer.token, offer.plan));
    let (token, plan) = offer.unzip();
    Ok(Json(ForgetPlanBody {
        token,
        plan: plan.unwrap_or_default(),
    }))
}

/// The confirmation of a plan.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForgetConfirmation {
    /// The token of the plan.
    token: String,
}

/// A change that was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DoneBody {
    /// The change in words.
    pub(crate) done: String,
}

/// Carries out a plan; lines that the owner wrote by hand stay in their file, hidden from search.
pub(crate) async fn forget(
    State(state): State<Arc<HttpState>>,
    JsonBody(confirmed): JsonBody<ForgetConfirmation>,
) -> Result<Json<DoneBody>, HttpError> {
    let forgotten = state.work(move |state| {
        let done = state.door.forget(&confirmed.token, OwnerLines::Leave);
        done.map_err(|reason| HttpError::new(StatusCode::CONFLICT, reason))
    });
    Ok(Json(DoneBody {
        done: forgotten.await?,
    }))
}
