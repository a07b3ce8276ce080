//! `/metrics`: metrics in the Prometheus text format.
//!
//! Exposes no session names and no content.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use super::status::{StatusBody, read};
use crate::http::error::HttpError;
use crate::http::state::HttpState;

const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Serves metrics to Prometheus.
pub(crate) async fn metrics(
    State(state): State<Arc<HttpState>>,
) -> Result<impl IntoResponse + use<>, HttpError> {
    let status = state.work(read).await?;
    Ok(([(header::CONTENT_TYPE, TEXT_FORMAT)], rendered(&status)))
}

fn rendered(status: &StatusBody) -> String {
    let figures = [
        (
            "sessions",
            "gauge",
            "Sessions of the home.",
            status.sessions as u64,
        ),
        (
            "candidates",
            "gauge",
            "Candidates that wait for the owner.",
            status.candidates as u64,
        ),
        (
            "replies_total",
            "counter",
            "Replies and summaries of this process.",
            status.replies,
        ),
        (
            "prompt_tokens_total",
            "counter",
            "Tokens of all requests.",
            status.prompt_tokens,
        ),
        (
            "completion_tokens_total",
            "counter",
            "Tokens of all replies.",
            status.completion_tokens,
        ),
        (
            "uptime_seconds",
            "gauge",
            "Seconds since the service began.",
            status.uptime_seconds,
        ),
    ];
    let lines = figures.map(|(name, kind, help, value)| {
        let name = format!("openclaw_{name}");
        format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n")
    });
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::super::status::BackupBody;
    use super::*;

    #[test]
    fn metrics_have_help_and_type_lines() {
        let status = StatusBody {
            version: "1",
            model: "offline".to_owned(),
            offline: true,
            timezone: "UTC".to_owned(),
            sessions: 2,
            candidates: 3,
            replies: 4,
            prompt_tokens: 5,
            completion_tokens: 6,
            uptime_seconds: 7,
            backup: BackupBody::default(),
        };
        let text = rendered(&status);
        assert_eq!(text.lines().count(), 18);
        assert!(text.ends_with(
            "# HELP openclaw_uptime_seconds Seconds since the service began.\n\
             # TYPE openclaw_uptime_seconds gauge\nopenclaw_uptime_seconds 7\n"
        ));
    }
}
