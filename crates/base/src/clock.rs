//! The clock port: wall-clock time for dates, monotonic time for deadlines.
//!
//! The only module that asks the system for the time.

use std::fmt::Debug;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::Timestamp;

/// A source of time.
///
/// Dates and timestamps come from [`now`](Clock::now), which may jump when the system clock is set. Deadlines come
/// from [`monotonic`](Clock::monotonic), which never goes back.
pub trait Clock: Send + Sync + Debug {
    /// The current time in UTC.
    fn now(&self) -> Timestamp;

    /// Time since a fixed moment of this process.
    fn monotonic(&self) -> Duration;
}

/// The clock of the machine.
#[derive(Debug)]
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// A clock whose monotonic time starts now.
    #[expect(
        clippy::disallowed_methods,
        reason = "only this clock reads the system time"
    )]
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "only this clock reads the system time"
    )]
    fn now(&self) -> Timestamp {
        chrono::Utc::now()
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A clock that moves only when it is set or advanced.
///
/// Replay sets it to the time of each recorded message; tests set it as they need.
#[derive(Debug)]
pub struct FixedClock {
    state: Mutex<(Timestamp, Duration)>,
}

impl FixedClock {
    /// A clock that shows `now`, with no monotonic time elapsed.
    pub fn new(now: Timestamp) -> Self {
        Self {
            state: Mutex::new((now, Duration::ZERO)),
        }
    }

    /// Sets the wall clock; monotonic time does not change.
    pub fn set(&self, now: Timestamp) {
        self.with(|state| state.0 = now);
    }

    /// Advances both clocks.
    pub fn advance(&self, by: Duration) {
        self.with(|state| {
            state.0 += by;
            state.1 += by;
        });
    }

    fn with<T>(&self, act: impl FnOnce(&mut (Timestamp, Duration)) -> T) -> T {
        // Poisoning is harmless, because a panic cannot leave two plain values half-written.
        act(&mut crate::locked(&self.state))
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.with(|state| state.0)
    }

    fn monotonic(&self) -> Duration {
        self.with(|state| state.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_clock_set_leaves_monotonic_time() {
        let clock = FixedClock::new("2026-01-01T00:00:00Z".parse().unwrap());
        clock.set("2020-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(clock.monotonic(), Duration::ZERO);
        clock.advance(Duration::from_secs(90));
        assert_eq!(clock.now().to_rfc3339(), "2020-01-01T00:01:30+00:00");
        assert_eq!(clock.monotonic(), Duration::from_secs(90));
    }
}
