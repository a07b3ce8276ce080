//! How long anybody waits for a model.
//!
//! Measures on the monotonic clock of the executor, and knows nothing of dates.

use std::time::Duration;

/// The most that a piece of work may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// It may take any time: there is no timer.
    Endless,
    /// After this it is given up.
    For(Duration),
}

impl Patience {
    /// What the work gives; where it takes too long it is dropped, and the reason given.
    pub(crate) async fn wait<T>(self, work: impl Future<Output = T>) -> Result<T, String> {
        match self {
            Self::Endless => Ok(work.await),
            Self::For(longest) => tokio::time::timeout(longest, work)
                .await
                .map_err(|_| format!("no answer within {} s", longest.as_secs())),
        }
    }
}
