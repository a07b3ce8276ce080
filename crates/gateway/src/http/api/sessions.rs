//! `/api/sessions`: lists sessions.
//!
//! Reads of each only its end.

use std::sync::Arc;

use agent::forgotten_entries;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use session::timeline::last_part;

use crate::http::error::HttpError;
use crate::http::state::HttpState;

/// The sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SessionList {
    sessions: Vec<SessionBody>,
}

/// A session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionBody {
    name: String,
    /// The title; null before the first message.
    title: Option<String>,
    /// Size of the transcript.
    bytes: u64,
    /// When the transcript last changed.
    changed_at: Option<String>,
}

/// Lists the sessions, by name.
pub(crate) async fn list(
    State(state): State<Arc<HttpState>>,
) -> Result<Json<SessionList>, HttpError> {
    let listed = state.work(|state| {
        let sessions = &state.runtime.home.sessions;
        let is_forgotten = forgotten_entries(&state.runtime.home.workspace);
        let bodies = sessions.names()?.into_iter().map(|name| {
            let stat = sessions.stat(&name)?;
            // A session that cannot be read is still listed, without a title.
            let part = last_part(sessions, &name, &is_forgotten).ok().flatten();
            Ok(SessionBody {
                name: name.to_string(),
                title: part.and_then(|part| part.title),
                bytes: stat.as_ref().map_or(0, |stat| stat.len),
                changed_at: stat
                    .and_then(|stat| stat.modified_at)
                    .map(|at| at.to_rfc3339()),
            })
        });
        bodies.collect::<Result<Vec<_>, HttpError>>()
    });
    Ok(Json(SessionList {
        sessions: listed.await?,
    }))
}
