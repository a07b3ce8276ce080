//! Checks on its own thread whether a backup is due.
//!
//! The caller supplies the function that makes backups and words its news.

use std::future::pending;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base::Clock;
use tokio::sync::oneshot::{Receiver, channel};

use crate::jobs::idle::LOOK_EVERY;

/// Wait after a failure.
const REST: Duration = Duration::from_mins(10);

/// News of a backup for the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupNews {
    /// A backup was made.
    Made(String),
    /// A backup failed or is incomplete.
    Failed(String),
}

/// Makes a backup if one is due.
pub type BackUp = dyn Fn() -> Option<BackupNews> + Send + Sync;

/// Runs backups, one at a time.
pub(super) struct Backups {
    pub(super) back_up: Arc<BackUp>,
    clock: Arc<dyn Clock>,
    next_at: Duration,
    job: Option<Receiver<Option<BackupNews>>>,
}

impl Backups {
    pub(super) fn new(back_up: Arc<BackUp>, clock: Arc<dyn Clock>) -> Self {
        Self {
            next_at: clock.monotonic(),
            back_up,
            clock,
            job: None,
        }
    }

    /// Starts a check if it is time. A backup of a large home takes long and the service does not wait for it on
    /// exit; an interrupted backup does not count as one.
    pub(super) fn begin_if_due(&mut self) {
        if self.job.is_some() || self.clock.monotonic() < self.next_at {
            return;
        }
        let (tell, told) = channel();
        let back_up = Arc::clone(&self.back_up);
        // Sending fails only if the receiver is gone.
        thread::spawn(move || tell.send(back_up()).unwrap_or_default());
        self.job = Some(told);
    }

    /// Waits for a check that yields news for the owner.
    pub(super) async fn next(&mut self) -> BackupNews {
        if let Some(job) = &mut self.job {
            let broken = "the backup crashed; this is a bug".to_owned();
            let told = job.await.unwrap_or(Some(BackupNews::Failed(broken)));
            self.job = None;
            let has_failed = matches!(told, Some(BackupNews::Failed(_)));
            let rest = if has_failed { REST } else { LOOK_EVERY };
            self.next_at = self.clock.monotonic() + rest;
            if let Some(news) = told {
                return news;
            }
        }
        pending().await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use base::FixedClock;

    use super::*;

    #[tokio::test]
    async fn failed_backup_is_reported_and_retried_after_pause() {
        let clock = Arc::new(FixedClock::new("2026-03-02T03:00:00Z".parse().unwrap()));
        let failed = BackupNews::Failed("no disk".to_owned());
        let made = BackupNews::Made("whole".to_owned());
        let answers = Mutex::new(vec![Some(made.clone()), Some(failed.clone())]);
        let back_up: Arc<BackUp> = Arc::new(move || answers.lock().unwrap().pop().flatten());
        let mut backups = Backups::new(back_up, Arc::clone(&clock) as Arc<dyn Clock>);
        backups.begin_if_due();
        assert_eq!(backups.next().await, failed);
        clock.advance(REST / 2);
        backups.begin_if_due();
        assert!(backups.job.is_none());
        clock.advance(REST / 2);
        backups.begin_if_due();
        assert_eq!(backups.next().await, made);
    }
}
