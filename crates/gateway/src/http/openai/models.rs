//! `/v1/models`: one model that finds the session by its messages, and one per named session.
//!
//! Does not name models of providers, because the owner chooses the model that answers.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use super::running::MODEL_PREFIX;
use crate::http::body::UrlPath;
use crate::http::error::HttpError;
use crate::http::state::HttpState;

/// The model that finds the session by the messages.
const OWN_MODEL: &str = "openclaw";

/// Maximum number of sessions listed.
const SESSIONS_MAX: usize = 100;

/// The names that a request may give as `model`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ModelList {
    #[schemars(example = &"list")]
    object: &'static str,
    data: Vec<ListedModel>,
}

/// A name.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedModel {
    id: String,
    #[schemars(example = &"model")]
    object: &'static str,
    created: i64,
    owned_by: &'static str,
}

/// Lists the names that a request may give as `model`.
pub(crate) async fn list_models(
    State(state): State<Arc<HttpState>>,
) -> Result<Json<ModelList>, HttpError> {
    let names = state.work(|state| Ok(state.runtime.home.sessions.names()?));
    let names = names.await?;
    let mut ids = vec![OWN_MODEL.to_owned(), "openclaw:main".to_owned()];
    let others = names
        .iter()
        .filter(|name| name.as_str() != agent::PRIMARY_SESSION);
    let others = others.filter(|name| base::scope_of(name.as_str()).is_none());
    ids.extend(
        others
            .take(SESSIONS_MAX)
            .map(|name| format!("{MODEL_PREFIX}{name}")),
    );
    Ok(Json(ModelList {
        object: "list",
        data: ids.into_iter().map(ListedModel::new).collect(),
    }))
}

impl ListedModel {
    fn new(id: String) -> Self {
        Self {
            id,
            object: "model",
            created: 0,
            owned_by: "openclaw",
        }
    }
}

/// Shows a name that a request may give as `model`; every session name is one.
pub(crate) async fn show_model(
    UrlPath(name): UrlPath<String>,
) -> Result<Json<ListedModel>, HttpError> {
    if name == OWN_MODEL || name.starts_with(MODEL_PREFIX) {
        return Ok(Json(ListedModel::new(name)));
    }
    let message = format!("there is no model {name:?}; use `openclaw` or `openclaw:NAME`");
    Err(HttpError::not_found(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn accepted_names_are_listed_as_models() {
        for name in ["openclaw", "openclaw:main", "openclaw:trip"] {
            let shown = show_model(UrlPath(name.to_owned())).await.unwrap();
            assert_eq!(shown.0.id, name);
        }
        let refused = show_model(UrlPath("gpt-5".to_owned())).await.unwrap_err();
        assert_eq!(refused.status, 404);
    }
}
