//! Limits: sizes, timeouts, concurrency, and rates of requests and wrong tokens.
//!
//! Does not distinguish clients: each home has one budget, and a service with many homes has one more.

use std::sync::Mutex;
use std::time::Duration;

/// Largest request body in bytes: a long conversation with a few pictures.
pub(crate) const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Largest sign-in form in bytes; anyone may send one.
pub(crate) const FORM_BYTES_MAX: usize = 4 * 1024;

/// How long a client may take to send its headers, and then its body.
pub(crate) const SENDING_MAX: Duration = Duration::from_secs(15);

/// Concurrent connections; when the last one is taken, idle ones are closed.
pub(crate) const CONNECTIONS_MAX: usize = 256;

/// Concurrent turns and memory requests.
pub(crate) const WORKING_MAX: usize = 32;

/// Clients that listen to the news; few enough to leave connections for others.
pub(crate) const LISTENING_MAX: usize = 64;

/// How long responses may still take when the service stops.
pub(crate) const DRAIN_MAX: Duration = Duration::from_secs(10);

/// Burst and rate per second of requests; far above what people and their programs need.
pub(crate) const REQUESTS: Bucket = Bucket::new(400.0, 200.0);

/// Burst and rate per second of requests to all homes of a service together.
pub(crate) const ALL_REQUESTS: Bucket = Bucket::new(4_000.0, 2_000.0);

/// Burst and rate per second of wrong tokens.
const WRONG_TOKENS: Bucket = Bucket::new(10.0, 0.2);

/// Rate limits on requests and wrong tokens.
#[derive(Debug)]
pub(crate) struct Budgets {
    pub(crate) requests: Mutex<Bucket>,
    pub(crate) wrong_tokens: Mutex<Bucket>,
}

impl Budgets {
    /// The limits of one home or of a service with many, which differ only in requests; each home also has its own.
    pub(crate) fn new(requests: Bucket) -> Self {
        Self {
            requests: Mutex::new(requests),
            wrong_tokens: Mutex::new(WRONG_TOKENS),
        }
    }
}

/// A token bucket: a burst, refilled at a rate per second.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    room: f64,
    at_once: f64,
    per_second: f64,
    filled_at: Duration,
}

impl Bucket {
    const fn new(at_once: f64, per_second: f64) -> Self {
        Self {
            room: at_once,
            at_once,
            per_second,
            filled_at: Duration::ZERO,
        }
    }

    /// Counts a request or a wrong token at `now`; returns whether it is within the limit.
    pub(crate) fn take(&mut self, now: Duration) -> bool {
        let passed = now.saturating_sub(self.filled_at).as_secs_f64();
        self.room = self.at_once.min(passed.mul_add(self.per_second, self.room));
        self.filled_at = now;
        let has_room = self.room >= 1.0;
        if has_room {
            self.room -= 1.0;
        }
        has_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_empties_and_refills() {
        let mut bucket = Bucket::new(2.0, 0.5);
        let at = Duration::from_secs;
        let taken: Vec<bool> = [0, 0, 0, 1, 2, 3, 100, 100, 100]
            .map(|second| bucket.take(at(second)))
            .into();
        assert_eq!(
            taken,
            [true, true, false, false, true, false, true, true, false]
        );
    }
}
