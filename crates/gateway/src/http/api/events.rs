//! `/api/events`: what happens, as server-sent events.
//!
//! Costs nothing while nobody listens; who listens too slowly misses some and is told how many.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use agent::Event;
use axum::extract::State;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Serialize;
use serde_json::json;
use session::SessionName;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use utoipa::ToSchema;

use crate::http::error::ErrorBody;
use crate::http::state::HttpState;

/// News that wait for a slow listener.
const WAITING_MAX: usize = 256;

const LIFE_SIGN_EVERY: Duration = Duration::from_secs(20);

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NewsItem {
    /// `service`, `notice`, `warning`, `window` or `missed`.
    pub kind: &'static str,
    /// The session that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// In words, without secrets.
    pub text: String,
}

/// Tells everybody who listens.
#[derive(Debug, Clone)]
pub struct Newsroom(Sender<NewsItem>);

impl Default for Newsroom {
    fn default() -> Self {
        Self(channel(WAITING_MAX).0)
    }
}

impl Newsroom {
    /// Tells what the service did by itself.
    pub fn tell_of_service(&self, text: &str) {
        self.send("service", None, text);
    }

    /// Tells what happened in a turn, where that is more than words of a reply.
    pub(crate) fn tell(&self, session: &SessionName, event: &Event) {
        let (kind, text) = if let Event::Notice(text) = event {
            ("notice", text.clone())
        } else if let Event::Warning(text) = event {
            ("warning", text.clone())
        } else if let Event::Window(event) = event {
            ("window", format!("{event:?}"))
        } else {
            return;
        };
        self.send(kind, Some(session), &text);
    }

    fn send(&self, kind: &'static str, session: Option<&SessionName>, text: &str) {
        let item = NewsItem {
            kind,
            session: session.map(ToString::to_string),
            text: base::redact(text).into_owned(),
        };
        // Nobody may listen.
        drop(self.0.send(item));
    }

    fn listen(&self) -> Receiver<NewsItem> {
        self.0.subscribe()
    }
}

/// Tells what happens from now on, until the client leaves.
#[utoipa::path(
    get, path = "/api/events", tag = "status",
    responses(
        (status = 200, description = "News, each as the data of one event", body = NewsItem, content_type = "text/event-stream"),
        (status = 401, description = "The token is missing or wrong", body = ErrorBody),
    )
)]
pub(crate) async fn events(
    State(state): State<Arc<HttpState>>,
) -> Sse<impl Stream<Item = Result<SseEvent, Infallible>>> {
    let listening = (state.news.listen(), state.ending.clone());
    let news = unfold(listening, |(mut listening, mut ending)| async move {
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
                text: format!("{n_missed} news came too quickly"),
            },
            Err(RecvError::Closed) => return None,
        };
        let event = SseEvent::default()
            .event(item.kind)
            .data(json!(item).to_string());
        Some((Ok(event), (listening, ending)))
    });
    Sse::new(news).keep_alive(KeepAlive::new().interval(LIFE_SIGN_EVERY))
}
