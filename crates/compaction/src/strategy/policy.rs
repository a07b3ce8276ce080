//! The strategies as the owner names them, and when each of them acts.
//!
//! Data alone: `decide` consumes the policy, the file of each strategy says what leaves.

use base::TokenCount;

use crate::rung::Rung;

/// What a compaction does with the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Strategy {
    /// One summary takes the place of everything older; the newest messages stay as they were said.
    #[default]
    Handoff,
    /// One summary and the last request take the place of everything.
    Replace(Replace),
    /// The oldest part leaves at each of three sizes; summaries stand one after the other.
    Tiered(Tiered),
    /// The first user message and the newest messages stay; what lies between is summarised.
    Middle(Middle),
    /// Nothing is summarised: only what does not fit leaves.
    #[strum(serialize = "none")]
    Off,
}

/// When `replace` acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replace {
    /// From this size on; never by itself where it is `None`.
    pub threshold: Option<TokenCount>,
}

/// When `tiered` acts, as shares of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiered {
    /// From this share on the oldest 30 % are summarised.
    pub background: Share,
    /// From this share on the oldest 50 % are summarised.
    pub aggressive: Share,
    /// From this share on the oldest 50 % leave at once, and no model is asked.
    pub emergency: Share,
}

/// When `middle` acts, and what it leaves alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Middle {
    /// Above this size, in estimated tokens.
    pub threshold: TokenCount,
    /// So many of the newest messages stay.
    pub protected_tail: usize,
    /// Where no summary can be had, so many of the newest messages stay.
    pub messages_max: usize,
    /// A tool result is shown up to this many characters.
    pub result_chars_max: usize,
}

/// A share of a whole, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(pub u64);

impl Share {
    /// This share of so many tokens, rounded up.
    #[must_use]
    pub fn of(self, whole: TokenCount) -> TokenCount {
        let part = (u128::from(whole.0) * u128::from(self.0)).div_ceil(1_000);
        TokenCount(u64::try_from(part).unwrap_or(u64::MAX))
    }
}

impl Default for Replace {
    fn default() -> Self {
        Self {
            threshold: Some(TokenCount(200_000)),
        }
    }
}

impl Default for Tiered {
    fn default() -> Self {
        Self {
            background: Share(800),
            aggressive: Share(850),
            emergency: Share(950),
        }
    }
}

impl Default for Middle {
    fn default() -> Self {
        Self {
            threshold: TokenCount(80_000),
            protected_tail: 6,
            messages_max: 50,
            result_chars_max: 40_000,
        }
    }
}

/// The sizes at which a strategy acts; what `decide` compares a request with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// From this size on something should leave.
    pub trigger: TokenCount,
    /// Up to this size a request can be sent while something is made beside it.
    pub lasts_max: TokenCount,
    /// Who waits for a summary up to that size.
    pub waiting: Waiting,
    /// From this size on no model is asked.
    pub emergency: TokenCount,
}

/// Who waits for a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// Nobody: it is made beside the chat where that is possible.
    Nobody,
    /// The owner.
    Owner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WindowBounds {
    pub(crate) window: TokenCount,
    pub(crate) full: TokenCount,
    /// The size at which a half of the reserve is still free.
    pub(crate) lasts_max: TokenCount,
    /// The most that a request may hold.
    pub(crate) request_max: TokenCount,
}

impl Strategy {
    /// The word that stands in files and settings.
    pub fn as_str(&self) -> &'static str {
        self.into()
    }

    /// The rung that is tried first where something must leave; the model is not asked where the owner
    /// turned summaries off.
    pub fn first_rung(&self, best: Rung) -> Rung {
        match self {
            Self::Off | Self::Replace(Replace { threshold: None }) => Rung::Truncate,
            Self::Handoff | Self::Replace(_) | Self::Tiered(_) | Self::Middle(_) => best,
        }
    }

    /// Whether a rung may follow where one asked `first` gave nothing: `middle` asks once, and its model
    /// alone.
    pub fn tries(&self, rung: Rung, first: Rung) -> bool {
        !self.asks_once() || rung == first
    }

    /// Whether one request is all that a summary takes: none follows for what it lacks, and none after one
    /// that failed.
    pub fn asks_once(&self) -> bool {
        matches!(self, Self::Middle(_))
    }

    /// Whether messages that fit stay where no summary could be had, although something should leave.
    pub(crate) fn truncates_only_for_room(&self) -> bool {
        matches!(self, Self::Replace(_))
    }

    /// What is told where a rung gave no summary.
    pub fn failure(&self, rung: Rung, reason: &str) -> String {
        if self.asks_once() && rung < Rung::Truncate {
            format!("Compaction failed: {reason}. Falling back to history trimming.")
        } else {
            format!("no summary by {}: {reason}", rung.as_str())
        }
    }

    /// The same with sizes in estimated tokens; `middle` compares those from the start.
    #[must_use]
    pub(crate) fn scaled(self, to_estimate: impl Fn(TokenCount) -> TokenCount) -> Self {
        match self {
            Self::Replace(Replace { threshold }) => Self::Replace(Replace {
                threshold: threshold.map(to_estimate),
            }),
            Self::Handoff | Self::Tiered(_) | Self::Middle(_) | Self::Off => self,
        }
    }

    /// When it acts in a window. Whatever it asks for, what does not fit calls for an emergency.
    pub(crate) fn policy(&self, bounds: WindowBounds) -> Policy {
        let too_large = bounds.request_max + TokenCount(1);
        let never = TokenCount(u64::MAX);
        let waiting_at = |trigger: TokenCount| Policy {
            trigger: trigger.min(too_large),
            lasts_max: bounds.lasts_max,
            waiting: Waiting::Owner,
            emergency: never,
        };
        match self {
            Self::Handoff => Policy {
                trigger: bounds.full,
                lasts_max: bounds.lasts_max,
                waiting: Waiting::Nobody,
                emergency: never,
            },
            Self::Replace(Replace {
                threshold: Some(threshold),
            }) => waiting_at(*threshold),
            Self::Middle(middle) => waiting_at(middle.threshold + TokenCount(1)),
            Self::Tiered(tiered) => {
                let emergency = tiered.emergency.of(bounds.window).min(too_large);
                Policy {
                    trigger: tiered.background.of(bounds.window).min(emergency),
                    lasts_max: emergency.saturating_sub(TokenCount(1)),
                    waiting: Waiting::Nobody,
                    emergency,
                }
            }
            Self::Off | Self::Replace(Replace { threshold: None }) => Policy {
                emergency: too_large,
                ..waiting_at(too_large)
            },
        }
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
