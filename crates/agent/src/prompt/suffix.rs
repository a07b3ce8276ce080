//! The volatile suffix: the time on the owner's clock and the notes of the last two days.
//!
//! Stands after the conversation, so that the cached prefix stays whole; is never stored.

use base::{Timestamp, Tz};

/// Renders the suffix for an instant; `logs` is the text of the recent daily logs.
pub(super) fn render(now: Timestamp, timezone: Tz, logs: &str) -> String {
    let local = now.with_timezone(&timezone);
    let now = format!(
        "<now>{} ({timezone})</now>",
        local.format("%A, %Y-%m-%d %H:%M")
    );
    match logs.trim() {
        "" => now,
        logs => format!("{now}\n<recent-notes>\n{logs}\n</recent-notes>"),
    }
}
