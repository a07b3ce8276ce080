//! The ways to make a summary, and when a model is left alone that does not manage to write one.
//!
//! Never tries one: it knows their names and their order; the transcript holds the count of attempts.

/// A way to make a summary, from the best to the surest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Rung {
    /// The configured model writes it at once.
    Model,
    /// The model writes it part by part and puts the parts together.
    Staged,
    /// The model writes it without the messages that are too large for it.
    Partial,
    /// The offline engine extracts it.
    Offline,
    /// A line says how many messages went.
    Truncate,
}

impl Rung {
    /// The word that stands in files.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The next surer one; `None` below the last.
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

/// Which rungs are left for the present pressure.
///
/// Begin anew once a compaction took effect.
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
    /// A ladder without the rungs above `first`, for where these would do the same or cannot work.
    pub fn starting_at(first: Rung) -> Self {
        Self { next: Some(first) }
    }

    /// The rung to try next; `None` where all failed.
    pub fn rung(&self) -> Option<Rung> {
        self.next
    }

    /// The ladder after `rung` failed, or freed too little and was thrown away.
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

/// After so many attempts in a row without effect the model is left alone...
const INEFFECTIVE_MAX: u64 = 3;

/// ...but one compaction of so many asks it all the same, for it may be well again.
const ASKED_EVERY: u64 = 4;

/// Who wants a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// The size of the request.
    Trigger,
    /// The owner, or a provider that refused the request: neither is stopped by a breaker.
    Forced,
}

/// The attempts of a model in a row that gave no summary worth having, and once it is left alone for them,
/// the compactions since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Breaker {
    /// How many.
    pub n_ineffective: u64,
}

impl Breaker {
    /// Whether the model is left alone by the next compaction.
    pub fn is_open(self) -> bool {
        let since = self.n_ineffective.checked_sub(INEFFECTIVE_MAX);
        since.is_some_and(|n_since| n_since % ASKED_EVERY != ASKED_EVERY - 1)
    }

    /// Whether the last attempt is why it is left alone from now on.
    pub fn has_opened(self) -> bool {
        self.n_ineffective == INEFFECTIVE_MAX
    }

    /// The rungs for a compaction that would begin at `first`.
    pub fn ladder(self, first: Rung, demand: Demand) -> Ladder {
        match demand {
            Demand::Trigger if self.is_open() => Ladder::starting_at(first.max(Rung::Offline)),
            Demand::Trigger | Demand::Forced => Ladder::starting_at(first),
        }
    }

    /// After a summary by `rung`, or by none, where `first` was asked first. What no model was asked for
    /// says nothing about it while it is not left alone.
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
    fn three_attempts_in_a_row_without_effect_open_it_and_one_with_effect_closes_it() {
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
            // It is asked again, fails, is left alone again and asked again.
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
    fn an_open_breaker_leaves_the_model_out_unless_somebody_forces_it() {
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
