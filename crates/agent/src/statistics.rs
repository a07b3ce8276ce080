//! What the replies of this process cost, for whoever wants to know.
//!
//! Decides nothing; forgets everything with the process.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::TokenCount;

/// Counts, shared by all turns of a process.
#[derive(Debug, Default)]
pub struct Statistics(Mutex<Counts>);

/// What was counted, in the tokens of the provider where it says how many, else estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Replies, and summaries that took effect.
    pub steps: u64,
    /// What the last request held.
    pub last_prompt: TokenCount,
    /// What the last reply held.
    pub last_completion: TokenCount,
    /// What all requests held.
    pub prompt: TokenCount,
    /// What all replies held.
    pub completion: TokenCount,
    /// Tenths of tokens that the last reply brought in a second; `None` where it came too quickly to tell.
    pub tenths_per_second: Option<u64>,
}

/// A reply that came in less time says nothing of how fast its model is.
const MEASURED_MS_MIN: u128 = 250;

impl Statistics {
    /// What was counted so far.
    pub fn counts(&self) -> Counts {
        *self.lock()
    }

    /// A reply came.
    pub(crate) fn replied(&self, prompt: TokenCount, completion: TokenCount, took: Duration) {
        let mut counts = self.lock();
        counts.steps += 1;
        counts.last_prompt = prompt;
        counts.last_completion = completion;
        counts.prompt += prompt;
        counts.completion += completion;
        let millis = Some(took.as_millis()).filter(|millis| *millis >= MEASURED_MS_MIN);
        let tenths = millis.and_then(|millis| {
            let tokens = u128::from(completion.0);
            tokens.saturating_mul(10_000).checked_div(millis)
        });
        counts.tenths_per_second = tenths
            .filter(|_| completion > TokenCount::ZERO)
            .map(|tenths| u64::try_from(tenths).unwrap_or(u64::MAX));
    }

    /// A summary took effect.
    pub(crate) fn compacted(&self) {
        self.lock().steps += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // Counts are whole between any two additions.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_add_up_and_the_last_one_tells_its_speed() {
        let statistics = Statistics::default();
        statistics.replied(
            TokenCount(100),
            TokenCount(30),
            Duration::from_millis(1_500),
        );
        assert_eq!(statistics.counts().tenths_per_second, Some(200));
        statistics.compacted();
        let at_once = Duration::from_millis(249);
        statistics.replied(TokenCount(150), TokenCount(5), at_once);
        assert_eq!(
            statistics.counts(),
            Counts {
                steps: 3,
                last_prompt: TokenCount(150),
                last_completion: TokenCount(5),
                prompt: TokenCount(250),
                completion: TokenCount(35),
                tenths_per_second: None,
            }
        );
    }
}
