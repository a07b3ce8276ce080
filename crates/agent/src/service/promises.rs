//! Tells reminders while nobody chats, through a program of the owner's.
//!
//! Sleeps until the next one is due; a telling that fails is given back and tried again later.

use std::future::pending;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base::disk::FileStat;
use base::{Timestamp, Tz};
use chrono::{NaiveDateTime, NaiveTime, TimeDelta};
use memory::promises::{next_due, release_claim};
use tokio::sync::oneshot::{Receiver, channel};

use crate::jobs::idle::LOOK_EVERY;
use crate::reminders::{DueReminder, claim_for_notify, is_everybodys, settle_told};
use crate::runtime::HomeAccess;

/// The longest wait after failures.
const REST_MAX: Duration = Duration::from_hours(1);

/// Where a reminder is told that a program shows.
const PLACE: &str = "promises.notify";

/// Shows a reminder to the owner; returns why it could not.
pub type Notify = dyn Fn(&DueReminder) -> Result<(), String> + Send + Sync;

/// A time of day from which nobody is told anything, and the one at which that ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    /// Their beginning.
    pub from: NaiveTime,
    /// Their end, which may be on the next day.
    pub until: NaiveTime,
}

impl QuietHours {
    /// The local time at which they end, if they hold now.
    fn end(self, now: NaiveDateTime) -> Option<NaiveDateTime> {
        let (time, day) = (now.time(), now.date());
        let ends_on = if self.from <= self.until {
            (self.from <= time && time < self.until).then_some(day)
        } else if time >= self.from {
            day.succ_opt()
        } else {
            (time < self.until).then_some(day)
        };
        ends_on.map(|day| day.and_time(self.until))
    }
}

/// News of a reminder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromiseNews {
    /// It was shown.
    Told(String),
    /// It was not, and will be tried again.
    Failed(String),
}

/// Tells reminders, one round at a time.
pub(super) struct Promises {
    home: HomeAccess,
    notify: Option<Arc<Notify>>,
    quiet: Option<QuietHours>,
    /// The page as it was last read.
    seen: Option<FileStat>,
    /// When to look again.
    next_at: Option<Timestamp>,
    n_failures: u32,
    job: Option<Receiver<Vec<PromiseNews>>>,
    news: Vec<PromiseNews>,
}

impl Promises {
    pub(super) fn new(home: HomeAccess) -> Self {
        Self {
            home,
            notify: None,
            quiet: None,
            seen: None,
            next_at: None,
            n_failures: 0,
            job: None,
            news: Vec::new(),
        }
    }

    /// Tells through `notify`, except in quiet hours.
    pub(super) fn through(&mut self, notify: Arc<Notify>, quiet: Option<QuietHours>) {
        (self.notify, self.quiet) = (Some(notify), quiet);
        self.next_at = Some(self.home.clock.now());
    }

    /// Tells what is due, on a thread of its own. Reads the page only if it changed, or if its time has come.
    pub(super) fn begin_if_due(&mut self) {
        let Some(notify) = self.notify.clone().filter(|_| self.job.is_none()) else {
            return;
        };
        let now = self.home.clock.now();
        let stat = self.home.workspace.promises_stat();
        let has_changed = stat != self.seen && self.n_failures == 0;
        let is_time = self.next_at.is_some_and(|it| it <= now);
        if !has_changed && !is_time {
            return;
        }
        self.seen = stat;
        self.next_at = self.due_at(now);
        if self.next_at.is_none_or(|it| it > now) {
            return;
        }
        let (tell, told) = channel();
        let home = self.home.clone();
        // Sending fails only if the service has ended.
        thread::spawn(move || tell.send(tell_all(&home, &*notify)).unwrap_or_default());
        self.job = Some(told);
    }

    /// When the next promise is to be told; `now` if one is due.
    fn due_at(&self, now: Timestamp) -> Option<Timestamp> {
        let zone = self.home.timezone;
        // A page that cannot be read is looked at again when it changes; `doctor` says why.
        let due = next_due(&self.home.workspace, (now, zone), &is_everybodys).ok()??;
        let at = due.max(now);
        let there = at.with_timezone(&zone).naive_local();
        let quiet = self.quiet.and_then(|hours| hours.end(there));
        let after_quiet = quiet.and_then(|local| instant(local, zone));
        Some(after_quiet.unwrap_or(at))
    }

    /// Waits for news, or until the next promise is due.
    pub(super) async fn next(&mut self) -> Option<PromiseNews> {
        if let Some(news) = self.news.pop() {
            return Some(news);
        }
        if let Some(job) = &mut self.job {
            let told = job.await.unwrap_or_default();
            self.job = None;
            let has_failed = told.iter().any(|it| matches!(it, PromiseNews::Failed(_)));
            self.n_failures = if has_failed { self.n_failures + 1 } else { 0 };
            let now = self.home.clock.now();
            self.seen = self.home.workspace.promises_stat();
            self.next_at = if has_failed {
                let rest = LOOK_EVERY.saturating_mul(1 << self.n_failures.min(6).saturating_sub(1));
                TimeDelta::from_std(rest.min(REST_MAX))
                    .ok()
                    .map(|it| now + it)
            } else {
                self.due_at(now)
            };
            self.news = told.into_iter().rev().collect();
            return self.news.pop();
        }
        match self.wait() {
            Some(wait) => tokio::time::sleep(wait).await,
            None => pending().await,
        }
        None
    }

    /// How long to sleep until the next reminder is due; `None` if none is planned, or nothing shows it.
    fn wait(&self) -> Option<Duration> {
        let next_at = self.next_at.filter(|_| self.notify.is_some())?;
        let wait = next_at - self.home.clock.now();
        Some(wait.to_std().unwrap_or_default())
    }
}

fn instant(local: NaiveDateTime, zone: Tz) -> Option<Timestamp> {
    let at = local.and_local_timezone(zone).earliest();
    at.map(|it| it.to_utc())
}

/// Claims what is due and shows it.
fn tell_all(home: &HomeAccess, notify: &Notify) -> Vec<PromiseNews> {
    let claimed = match claim_for_notify(home, PLACE) {
        Ok(claimed) => claimed,
        Err(error) => {
            return vec![PromiseNews::Failed(format!(
                "PROMISES.md was not read: {error}"
            ))];
        }
    };
    let tell = |(due, told)| {
        let Err(why) = notify(&due) else {
            return PromiseNews::Told(due.to_string());
        };
        let now = (home.clock.now(), home.timezone);
        let released = release_claim(&home.workspace, &told, now, PLACE);
        let lost = released
            .err()
            .map(|error| format!("; it will not be tried again: {error}"));
        PromiseNews::Failed(format!("{why}{}", lost.unwrap_or_default()))
    };
    let told: Vec<PromiseNews> = claimed.into_iter().map(tell).collect();
    settle_told(home);
    told
}

#[cfg(test)]
#[path = "promises_tests.rs"]
mod tests;
