//! Rate limit for requests to a server.
//!
//! Pure; does not wait itself.

use std::num::NonZeroU32;
use std::time::Duration;

/// A minimum time between the starts of two requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    between: Duration,
    free_at: Option<Duration>,
}

impl Pace {
    /// Limits the requests per minute; `None` means no limit.
    pub(super) fn of(requests_per_minute: Option<NonZeroU32>) -> Self {
        let minute = Duration::from_mins(1);
        Self {
            between: requests_per_minute.map_or(Duration::ZERO, |n| minute / n.get()),
            free_at: None,
        }
    }

    /// Reserves the next start; returns how long the request must wait.
    pub(super) fn wait(&mut self, now: Duration) -> Duration {
        let begins_at = self.free_at.map_or(now, |free_at| free_at.max(now));
        self.free_at = Some(begins_at + self.between);
        begins_at.saturating_sub(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_spaces_requests_to_rate_limit() {
        let seconds = Duration::from_secs;
        let mut pace = Pace::of(NonZeroU32::new(6));
        let waits = [0, 1, 30, 31].map(|now| pace.wait(seconds(now)));
        assert_eq!(waits, [0, 9, 0, 9].map(seconds));
        let mut free = Pace::of(None);
        let waits = [0, 0].map(|now| free.wait(seconds(now)));
        assert_eq!(waits, [Duration::ZERO; 2]);
    }
}
