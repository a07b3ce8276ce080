//! Broadcasts news of the service and its turns to all listeners, and keeps the last of its backups.
//!
//! Never waits for a listener.

use std::sync::{Arc, Mutex};

use agent::Event;
use base::{Timestamp, locked};
use schemars::JsonSchema;
use serde::Serialize;
use session::SessionName;
use tokio::sync::broadcast::{Receiver, Sender, channel};

/// Items kept for a slow listener; it misses older ones.
const WAITING_MAX: usize = 256;

/// An event of the service or of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NewsItem {
    /// `service`, `notice`, `reminder`, `warning`, `window` or `missed`.
    pub kind: &'static str,
    /// The session concerned, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The event in words, with secrets redacted.
    pub text: String,
}

/// The last scheduled backup, and the last failure after it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BackupRecord {
    pub(crate) made_at: Option<Timestamp>,
    /// When a backup failed, and why, with secrets redacted.
    pub(crate) failure: Option<(Timestamp, String)>,
}

/// Sends news to all listeners.
#[derive(Debug, Clone)]
pub struct EventBus {
    sender: Sender<NewsItem>,
    backups: Arc<Mutex<BackupRecord>>,
}

impl Default for EventBus {
    fn default() -> Self {
        Self {
            sender: channel(WAITING_MAX).0,
            backups: Arc::default(),
        }
    }
}

impl EventBus {
    /// Reports an action that the service took by itself.
    pub fn tell_of_service(&self, text: &str) {
        self.send("service", None, text);
    }

    /// Records that a scheduled backup was made at this time.
    pub fn backed_up(&self, at: Timestamp) {
        *locked(&self.backups) = BackupRecord {
            made_at: Some(at),
            failure: None,
        };
    }

    /// Records that a scheduled backup failed at this time, and why.
    pub fn backup_failed(&self, at: Timestamp, reason: &str) {
        locked(&self.backups).failure = Some((at, base::redact(reason).into_owned()));
    }

    pub(crate) fn backups(&self) -> BackupRecord {
        locked(&self.backups).clone()
    }

    /// Reports notices, reminders, warnings and window events of a turn; ignores all other events.
    pub(crate) fn tell(&self, session: &SessionName, event: &Event) {
        let (kind, text) = if let Event::MemoryChanged(text) | Event::Notice(text) = event {
            ("notice", text.clone())
        } else if let Event::ReminderDue(due) = event {
            ("reminder", due.to_string())
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
        drop(self.sender.send(item));
    }

    /// Subscribes to news from now on.
    pub(super) fn listen(&self) -> Receiver<NewsItem> {
        self.sender.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_backup_is_kept_with_last_success_until_next_backup() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (monday, tuesday) = (at("2026-03-02T03:00:00Z"), at("2026-03-03T03:00:00Z"));
        let event_bus = EventBus::default();
        event_bus.backed_up(monday);
        event_bus.backup_failed(tuesday, "no disk");
        let failed = BackupRecord {
            made_at: Some(monday),
            failure: Some((tuesday, "no disk".to_owned())),
        };
        assert_eq!(event_bus.backups(), failed);
        event_bus.backed_up(tuesday);
        let made = BackupRecord {
            made_at: Some(tuesday),
            failure: None,
        };
        assert_eq!(event_bus.backups(), made);
    }
}
