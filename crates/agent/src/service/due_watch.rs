//! Waits until a reminder is due while a chat waits for its owner.
//!
//! Claims nothing, and reads the page only if it changed or its time has come.

use std::future::pending;
use std::time::Duration;

use base::Timestamp;
use base::disk::FileStat;
use chrono::TimeDelta;
use memory::promises::next_due;

use crate::jobs::idle::LOOK_EVERY;
use crate::runtime::HomeAccess;

/// Knows when the next reminder is due.
pub struct DueWatch {
    home: HomeAccess,
    /// The page as it was last read.
    seen: Option<FileStat>,
    next_at: Option<Timestamp>,
    /// Until then, nothing is reported again: the reminder may be one that this chat may not show.
    rests_until: Option<Timestamp>,
}

impl DueWatch {
    /// Watches the reminders of a home.
    pub fn begin(home: HomeAccess) -> Self {
        Self {
            home,
            seen: None,
            next_at: None,
            rests_until: None,
        }
    }

    /// Returns when a reminder is due; never if none is planned. The caller claims it, and starts over once a minute: clocks
    /// get set, and other processes change the page.
    pub async fn due(&mut self) {
        match self.wait() {
            Some(wait) => tokio::time::sleep(wait).await,
            None => pending().await,
        }
        let rest = TimeDelta::from_std(LOOK_EVERY).unwrap_or_default();
        self.rests_until = Some(self.home.clock.now() + rest);
        self.seen = None;
    }

    /// How long to wait for the next reminder; `None` if none is planned.
    fn wait(&mut self) -> Option<Duration> {
        let now = self.home.clock.now();
        let stat = self.home.workspace.promises_stat();
        if stat != self.seen || self.next_at.is_some_and(|it| it <= now) {
            // A page that cannot be read is read again when it changes; `doctor` says why.
            let due = next_due(&self.home.workspace, (now, self.home.timezone), &|_| true);
            (self.seen, self.next_at) = (stat, due.ok().flatten());
        }
        let at = self.next_at?.max(self.rests_until.unwrap_or(now));
        Some((at - now).to_std().unwrap_or_default())
    }
}

#[cfg(test)]
#[path = "due_watch_tests.rs"]
mod tests;
