//! `/api/status`: the state of the service.
//!
//! Asks no model.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use memory::candidates::Access;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::error::HttpError;
use crate::http::event_bus::BackupRecord;
use crate::http::state::HttpState;

/// The state of the service.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusBody {
    pub(crate) version: &'static str,
    /// The model that answers.
    pub(crate) model: String,
    /// Whether replies only quote notes and sessions.
    pub(crate) offline: bool,
    /// The owner's time zone.
    pub(crate) timezone: String,
    pub(crate) sessions: usize,
    /// Number of candidates that wait for the owner.
    pub(crate) candidates: usize,
    /// Replies since the service began, and summaries that took effect.
    pub(crate) replies: u64,
    /// Tokens of all requests since then.
    pub(crate) prompt_tokens: u64,
    /// Tokens of all replies since then.
    pub(crate) completion_tokens: u64,
    /// Seconds since the service began.
    pub(crate) uptime_seconds: u64,
    /// The scheduled backups.
    pub(crate) backup: BackupBody,
}

/// The last scheduled backup, and the last failure after it; a key without a value is left out.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BackupBody {
    /// When the last backup was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) made_at: Option<String>,
    /// When a backup failed since then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failed_at: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<String>,
}

impl From<BackupRecord> for BackupBody {
    fn from(record: BackupRecord) -> Self {
        let (failed_at, failure) = record.failure.unzip();
        Self {
            made_at: record.made_at.map(|at| at.to_rfc3339()),
            failed_at: failed_at.map(|at| at.to_rfc3339()),
            failure,
        }
    }
}

/// Shows the state of the service.
pub(crate) async fn status(
    State(state): State<Arc<HttpState>>,
) -> Result<Json<StatusBody>, HttpError> {
    Ok(Json(state.work(read).await?))
}

/// Reads the state of the service.
pub(crate) fn read(state: &HttpState) -> Result<StatusBody, HttpError> {
    let runtime = &state.runtime;
    let desk = state.desk(Access::Read)?;
    let profile = runtime.engine.models.primary.profile();
    let counts = runtime.engine.statistics.counts();
    let uptime = state.clock().monotonic().saturating_sub(state.began_at);
    Ok(StatusBody {
        version: env!("CARGO_PKG_VERSION"),
        model: profile.name,
        offline: profile.only_quotes,
        timezone: runtime.home.timezone.to_string(),
        sessions: runtime.home.sessions.names()?.len(),
        candidates: desk.state().pending.len(),
        replies: counts.steps,
        prompt_tokens: counts.prompt.0,
        completion_tokens: counts.completion.0,
        uptime_seconds: uptime.as_secs(),
        backup: state.news.backups().into(),
    })
}
