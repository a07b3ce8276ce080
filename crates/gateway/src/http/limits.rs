//! How much is taken in: bytes of a body, time for it, requests and wrong tokens in a time.
//!
//! Tells nobody apart: one home has one budget, and a fleet one more.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Most bytes of the body of a request: a long conversation with a few pictures.
pub(crate) const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The same of the form in which anybody may show the token.
pub(crate) const FORM_BYTES_MAX: usize = 4 * 1024;

/// How long a client may take to send its headers, and then its body.
pub(crate) const SENDING_MAX: Duration = Duration::from_secs(15);

/// Connections at once; further ones wait to be taken.
pub(crate) const CONNECTIONS_MAX: usize = 256;

/// Turns of conversations and questions to memory that are worked on at once.
pub(crate) const WORKING_MAX: usize = 32;

/// How long answers may take that are under way when the service ends.
pub(crate) const DRAIN_MAX: Duration = Duration::from_secs(10);

/// Requests at once and in each second; far above what people and their programs do.
const REQUESTS: Bucket = Bucket::new(400.0, 200.0);

/// The same for all homes of a fleet together.
const FLEET_REQUESTS: Bucket = Bucket::new(4_000.0, 2_000.0);

/// Wrong tokens at once and in each second.
const WRONG_TOKENS: Bucket = Bucket::new(10.0, 0.2);

/// What may still be asked.
#[derive(Debug)]
pub(crate) struct Budgets {
    requests: Mutex<Bucket>,
    wrong_tokens: Mutex<Bucket>,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            requests: Mutex::new(REQUESTS),
            wrong_tokens: Mutex::new(WRONG_TOKENS),
        }
    }
}

impl Budgets {
    /// Those of a fleet; each of its homes has its own besides.
    pub(crate) fn of_fleet() -> Self {
        Self {
            requests: Mutex::new(FLEET_REQUESTS),
            ..Self::default()
        }
    }

    /// Takes a request at `now`; whether there was room for it.
    pub(crate) fn take_request(&self, now: Duration) -> bool {
        take(&self.requests, now)
    }

    /// Takes a wrong token.
    pub(crate) fn take_wrong_token(&self, now: Duration) -> bool {
        take(&self.wrong_tokens, now)
    }
}

fn take(bucket: &Mutex<Bucket>, now: Duration) -> bool {
    let mut bucket = bucket.lock().unwrap_or_else(PoisonError::into_inner);
    bucket.take(now)
}

/// So many at once, and so many more in each second.
#[derive(Debug, Clone)]
struct Bucket {
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

    fn take(&mut self, now: Duration) -> bool {
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
    fn a_bucket_empties_and_fills_again() {
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
