//! Broadcasts news of the service and its turns to all listeners.
//!
//! Never waits for a listener.

use agent::Event;
use serde::Serialize;
use session::SessionName;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use utoipa::ToSchema;

/// Items kept for a slow listener; it misses older ones.
const WAITING_MAX: usize = 256;

/// An event of the service or of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NewsItem {
    /// `service`, `notice`, `warning`, `window` or `missed`.
    pub kind: &'static str,
    /// The session concerned, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The event in words, with secrets redacted.
    pub text: String,
}

/// Sends news to all listeners.
#[derive(Debug, Clone)]
pub struct Newsroom(Sender<NewsItem>);

impl Default for Newsroom {
    fn default() -> Self {
        Self(channel(WAITING_MAX).0)
    }
}

impl Newsroom {
    /// Reports what the service did by itself.
    pub fn tell_of_service(&self, text: &str) {
        self.send("service", None, text);
    }

    /// Reports notices, warnings and window events of a turn; ignores all other events.
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
        // Fails only if there is no listener.
        drop(self.0.send(item));
    }

    /// Subscribes to news from now on.
    pub(super) fn listen(&self) -> Receiver<NewsItem> {
        self.0.subscribe()
    }
}
