//! `/api/events`: streams news as server-sent events.
//!
//! Never waits for a slow listener: it misses items and receives their number.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;

use crate::http::error::HttpError;
use crate::http::event_bus::NewsItem;
use crate::http::state::HttpState;

const LIFE_SIGN_EVERY: Duration = Duration::from_secs(20);

/// Streams news from now on, until the client disconnects.
pub(crate) async fn events(
    State(state): State<Arc<HttpState>>,
) -> Result<Sse<impl Stream<Item = Result<SseEvent, Infallible>>>, HttpError> {
    let permit = Arc::clone(&state.listening).try_acquire_owned();
    let permit = permit.map_err(|_| {
        let message = "too many clients listen already";
        HttpError::new(StatusCode::TOO_MANY_REQUESTS, message).after(10)
    })?;
    let listening = (state.news.listen(), state.ending.clone(), permit);
    let news = unfold(
        listening,
        |(mut listening, mut ending, permit)| async move {
            let told = tokio::select! {
                biased;
                _ = ending.changed() => return None,
                told = listening.recv() => told,
            };
            let item = match told {
                Ok(item) => item,
                Err(RecvError::Lagged(n_missed)) => NewsItem {
                    kind: "missed",
                    session: None,
                    text: format!("news missed because it came too quickly: {n_missed}"),
                },
                Err(RecvError::Closed) => return None,
            };
            let event = SseEvent::default()
                .event(item.kind)
                .data(json!(item).to_string());
            Some((Ok(event), (listening, ending, permit)))
        },
    );
    Ok(Sse::new(news).keep_alive(KeepAlive::new().interval(LIFE_SIGN_EVERY)))
}
