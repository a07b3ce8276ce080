//! Notifies an open page when the number of waiting candidates changes.
//!
//! Does no work while no page is open.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use base::counted;
use serde::Deserialize;

use super::frame::region;
use super::request::n_waiting;
use crate::http::{HttpError, HttpState, UrlQuery};

/// The query: the number of candidates that the page shows.
#[derive(Deserialize)]
pub(super) struct ShownCount {
    seen: usize,
}

/// Reports the number of candidates if it has changed; otherwise replies with status 204.
pub(super) async fn news(
    State(state): State<Arc<HttpState>>,
    UrlQuery(ShownCount { seen }): UrlQuery<ShownCount>,
) -> Result<Response, HttpError> {
    let n_now = state.work(n_waiting).await?;
    if n_now == seen {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let candidates = counted(n_now as u64, "candidate waits", "candidates wait");
    let news = format!("{candidates} for your decision now. ");
    Ok(Html(region(n_now, Some(&news)).into_string()).into_response())
}
