//! The agenda as a calendar that programs subscribe to: read-only, with a token of its own in the address.
//!
//! The token opens nothing else, and no other token opens the feed.

use std::sync::Arc;

use agent::ops::{Agenda, calendar};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::body::UrlQuery;
use super::error::HttpError;
use super::state::{HttpState, wrong_token};

/// The path of the feed.
pub(super) const FEED: &str = "/agenda.ics";

/// Days of the calendar.
const FEED_DAYS: u32 = 366;

#[derive(Deserialize)]
pub(super) struct FeedQuery {
    #[serde(default)]
    token: String,
}

/// Returns the calendar.
pub(super) async fn show(
    State(state): State<Arc<HttpState>>,
    UrlQuery(asked): UrlQuery<FeedQuery>,
) -> Result<Response, HttpError> {
    let work = move |state: &HttpState| {
        let token = state.feed.as_ref().map(|own| own.admits(&asked.token));
        if !token.transpose()?.unwrap_or_default() {
            let place = "the command `agenda` with the option `--feed` prints the address";
            return Err(wrong_token(
                &state.budgets,
                state.clock().monotonic(),
                place,
            ));
        }
        let days = Some(FEED_DAYS);
        let agenda = state.run(Agenda { days })?;
        Ok(calendar(&agenda, state.clock().now()))
    };
    let calendar = state.work(work).await?;
    let kind = [(header::CONTENT_TYPE, "text/calendar; charset=utf-8")];
    Ok((kind, calendar).into_response())
}
