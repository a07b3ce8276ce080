//! Ends a stream in which no content comes, whatever else the server sends.
//!
//! Does not decide what is content.

use std::time::Duration;

use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, timeout_at};

/// The time until which content must come.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContentDeadline {
    silence_max: Duration,
    at: Instant,
}

/// No content came in time.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DeadlinePassed;

impl ContentDeadline {
    /// A deadline that begins now.
    pub(super) fn new(silence_max: Duration) -> Self {
        let at = Instant::now() + silence_max;
        Self { silence_max, at }
    }

    /// Begins again, because content came.
    pub(super) fn extend(&mut self) {
        *self = Self::new(self.silence_max);
    }

    /// The next item of a stream, which need not be content; `None` after the end.
    pub(super) async fn next<S: Stream + Unpin>(
        &self,
        stream: &mut S,
    ) -> Result<Option<S::Item>, DeadlinePassed> {
        // A stream that always has an item ready would never reach the time limit.
        if Instant::now() >= self.at {
            return Err(DeadlinePassed);
        }
        let next = timeout_at(self.at, stream.next()).await;
        next.map_err(|_| DeadlinePassed)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Reads a stream with an item each second until its end, or until the deadline; returns how many seconds that takes.
    async fn seconds_until_end(is_content: fn(u64) -> bool, n_items: u64) -> u64 {
        let ticks = tokio::time::interval_at(Instant::now() + SECOND, SECOND);
        let items = stream::unfold((ticks, 0), move |(mut ticks, number)| async move {
            if number == n_items {
                return None;
            }
            ticks.tick().await;
            Some((number + 1, (ticks, number + 1)))
        });
        let mut items = Box::pin(items);
        let began = Instant::now();
        let mut deadline = ContentDeadline::new(Duration::from_mins(12));
        while let Ok(Some(number)) = deadline.next(&mut items).await {
            if is_content(number) {
                deadline.extend();
            }
        }
        began.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn stream_without_content_ends_at_deadline() {
        assert_eq!(seconds_until_end(|_| false, 9_999).await, 720);
        let began = Instant::now();
        let deadline = ContentDeadline::new(Duration::from_mins(12));
        let next = deadline.next(&mut stream::pending::<()>()).await;
        assert_eq!(
            (next, began.elapsed().as_secs()),
            (Err(DeadlinePassed), 720)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn content_begins_deadline_again() {
        assert_eq!(
            seconds_until_end(|number| number == 700, 9_999).await,
            1_420
        );
        // A reply may take longer than the deadline.
        assert_eq!(
            seconds_until_end(|number| number % 700 == 0, 2_100).await,
            2_100
        );
    }

    #[tokio::test(start_paused = true)]
    async fn stream_that_is_always_ready_ends_at_deadline() {
        let mut items = stream::repeat(());
        let deadline = ContentDeadline::new(SECOND);
        assert_eq!(deadline.next(&mut items).await, Ok(Some(())));
        tokio::time::advance(SECOND).await;
        assert_eq!(deadline.next(&mut items).await, Err(DeadlinePassed));
    }
}
