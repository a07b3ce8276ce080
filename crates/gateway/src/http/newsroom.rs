//! News of the service and its turns, for everybody who listens.
//!
//! Costs nothing while nobody does.

use agent::Event;
use serde::Serialize;
use session::SessionName;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use utoipa::ToSchema;

/// News that wait for a slow listener.
const WAITING_MAX: usize = 256;

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

    /// What happens from now on.
    pub(super) fn listen(&self) -> Receiver<NewsItem> {
        self.0.subscribe()
    }
}
