//! The ladder of ways to make a summary, and the breaker that skips a model which keeps failing.
//!
//! Makes no summary itself; the count of attempts is stored in the transcript.

/// A way to make a summary, from the best to the most reliable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Rung {
    /// The configured model writes it in one request.
    Model,
    /// The model summarises parts and merges the results.
    Staged,
    /// The model writes it without the oversized messages.
    Partial,
    /// The offline engine extracts it.
    Offline,
    /// Nothing is summarised; a line states how many messages left.
    Truncate,
}

impl Rung {
    /// The name used in files.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The next rung, which is more reliable; `None` after the last.
    pub fn below(self) -> Option<Self> {
        match self {
            Self::Model => Some(Self::Staged),
            Self::Staged => Some(Self::Partial),
            Self::Partial => Some(Self::Offline),
            Self::Offline => Some(Self::Truncate),
            Self::Truncate => None,
        }
    }
}

/// The rungs left to try for the current compaction.
///
/// The caller starts a new ladder once a compaction took effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    next: Option<Rung>,
}

impl Default for Ladder {
    fn default() -> Self {
        Self::starting_at(Rung::Model)
    }
}

impl Ladder {
    /// A ladder that begins at `first`, because the rungs above cannot work or would give the same result.
    pub fn starting_at(first: Rung) -> Self {
        Self { next: Some(first) }
    }

    /// The rung to try next; `None` if all rungs failed.
    pub fn rung(&self) -> Option<Rung> {
        self.next
    }

    /// The ladder after `rung` failed or freed too little.
    #[must_use]
    pub fn without(self, rung: Rung) -> Self {
        match (self.next, rung.below()) {
            (Some(next), Some(below)) => Self {
                next: Some(next.max(below)),
            },
            (None, _) | (_, None) => Self { next: None },
        }
    }
}

/// The breaker opens after this many consecutive attempts without effect...
const INEFFECTIVE_MAX: u64 = 3;

/// ...but one compaction in this many asks the model again, because it may have recovered.
const ASKED_EVERY: u64 = 4;

/// The cause of a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// The request reached the trigger.
    Trigger,
    /// The owner asked for it, or a provider rejected the request as too large. The breaker is ignored.
    Forced,
}

/// Counts consecutive attempts in which the model gave no usable summary and, once the breaker is open, the
/// compactions since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Breaker {
    /// The number of attempts and compactions counted.
    pub n_ineffective: u64,
}

impl Breaker {
    /// Whether the next compaction skips the model.
    pub fn is_open(self) -> bool {
        let since = self.n_ineffective.checked_sub(INEFFECTIVE_MAX);
        since.is_some_and(|n_since| n_since % ASKED_EVERY != ASKED_EVERY - 1)
    }

    /// Whether the last attempt opened the breaker.
    pub fn has_opened(self) -> bool {
        self.n_ineffective == INEFFECTIVE_MAX
    }

    /// The ladder for a compaction that would begin at `first`.
    pub fn ladder(self, first: Rung, demand: Demand) -> Ladder {
        match demand {
            Demand::Trigger if self.is_open() => Ladder::starting_at(first.max(Rung::Offline)),
            Demand::Trigger | Demand::Forced => Ladder::starting_at(first),
        }
    }

    /// The breaker after a compaction that began at `first` and ended with a summary by `rung`, or with none. A
    /// compaction without a model counts only while the breaker is open.
    #[must_use]
    pub fn after(self, first: Rung, rung: Option<Rung>) -> Self {
        let by_model = |rung: Rung| rung < Rung::Offline;
        match rung {
            Some(rung) if by_model(rung) => Self::default(),
            Some(_) | None if by_model(first) || self.is_open() => Self {
                n_ineffective: self.n_ineffective.saturating_add(1),
            },
            Some(_) | None => self,
        }
    }
}

#[cfg(test)]
mod breaker_tests {
    use super::*;

    #[test]
    fn breaker_opens_after_three_failures_and_closes_on_effect() {
        let attempts = [
            (Rung::Model, Some(Rung::Offline), 1),
            (Rung::Model, Some(Rung::Staged), 0),
            (Rung::Model, None, 1),
            (Rung::Model, Some(Rung::Truncate), 2),
            (Rung::Offline, Some(Rung::Offline), 2),
            (Rung::Offline, None, 2),
            (Rung::Model, Some(Rung::Offline), 3),
            (Rung::Offline, Some(Rung::Offline), 4),
            (Rung::Offline, Some(Rung::Offline), 5),
            (Rung::Offline, Some(Rung::Truncate), 6),
            // The model is asked again, fails, is skipped again, and is asked again.
            (Rung::Model, Some(Rung::Offline), 7),
            (Rung::Offline, Some(Rung::Offline), 8),
            (Rung::Offline, Some(Rung::Offline), 9),
            (Rung::Offline, Some(Rung::Offline), 10),
            (Rung::Model, Some(Rung::Partial), 0),
        ];
        let mut breaker = Breaker::default();
        let mut open = Vec::new();
        for (first, rung, expected) in attempts {
            breaker = breaker.after(first, rung);
            assert_eq!(breaker.n_ineffective, expected, "{first:?} {rung:?}");
            open.push(breaker.is_open());
        }
        let expected = [
            false, false, false, false, false, false, true, true, true, false, true, true, true,
            false, false,
        ];
        assert_eq!(open, expected);
    }

    #[test]
    fn open_breaker_skips_model_unless_forced() {
        let open = Breaker {
            n_ineffective: INEFFECTIVE_MAX,
        };
        let first = |breaker: Breaker, demand| breaker.ladder(Rung::Model, demand).rung();
        assert_eq!(first(open, Demand::Trigger), Some(Rung::Offline));
        assert_eq!(first(open, Demand::Forced), Some(Rung::Model));
        let closed = Breaker { n_ineffective: 2 };
        assert_eq!(first(closed, Demand::Trigger), Some(Rung::Model));
        let truncate = open.ladder(Rung::Truncate, Demand::Trigger);
        assert_eq!(truncate.rung(), Some(Rung::Truncate));
    }
}
