//! `/v1/models`: one model that finds the session by its messages, and one per named session.
//!
//! Names no model of a provider: which one answers is the owner's choice.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::HttpError;
use crate::http::openapi::Refusals;
use crate::http::state::HttpState;

/// Most sessions listed.
const SESSIONS_MAX: usize = 100;

/// The names that a request may give as `model`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelList {
    #[schema(example = "list")]
    object: &'static str,
    data: Vec<ListedModel>,
}

/// A name.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedModel {
    id: String,
    #[schema(example = "model")]
    object: &'static str,
    created: i64,
    owned_by: &'static str,
}

/// Lists the names that a request may give as `model`.
#[utoipa::path(
    get, path = "/v1/models", tag = "openai",
    responses(
        (status = 200, description = "The names", body = ModelList),
        Refusals,
    )
)]
pub(crate) async fn list_models(
    State(state): State<Arc<HttpState>>,
) -> Result<Json<ModelList>, HttpError> {
    let names = state.work(|state| Ok(state.runtime.home.sessions.names()?));
    let names = names.await?;
    let mut ids = vec!["openclaw".to_owned(), "openclaw:main".to_owned()];
    let others = names
        .iter()
        .filter(|name| name.as_str() != agent::PRIMARY_SESSION);
    let others = others.filter(|name| base::scope_of(name.as_str()).is_none());
    ids.extend(
        others
            .take(SESSIONS_MAX)
            .map(|name| format!("openclaw:{name}")),
    );
    let data = ids.into_iter().map(|id| ListedModel {
        id,
        object: "model",
        created: 0,
        owned_by: "openclaw",
    });
    Ok(Json(ModelList {
        object: "list",
        data: data.collect(),
    }))
}
