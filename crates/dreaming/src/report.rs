//! What a dream did, as data.
//!
//! Renders one line only; how a report looks is for others.

use std::collections::BTreeMap;

use base::TokenCount;
use memory::candidates::{Candidate, DreamResult};

use crate::gate::Refusal;

/// What a dream did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DreamReport {
    /// Notes and messages that were read.
    pub n_read: usize,
    /// Operations that were proposed.
    pub n_proposed: usize,
    /// Lines of replies that were no operations.
    pub n_unreadable: usize,
    /// Operations that were refused, by reason.
    pub refused: BTreeMap<Refusal, usize>,
    /// What was promoted.
    pub promoted: Vec<Proposed>,
    /// What waits.
    pub staged: Vec<Proposed>,
    /// Lines that left `MEMORY.md` for the archive.
    pub n_archived: usize,
    /// Tokens that a model read and wrote; none for the offline engine.
    pub spent: (TokenCount, TokenCount),
    /// Sessions that a backfill has left for the next one, and why.
    pub left: Option<(usize, Left)>,
}

/// Why a backfill leaves sessions for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Left {
    /// Dreams have spent what they may on this day.
    BudgetSpent,
    /// It has proposed enough for one review.
    Enough,
    /// Too many candidates wait already.
    TooManyWait,
}

/// A candidate, as a report names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// Its id.
    pub id: String,
    /// What it says.
    pub finding: String,
    /// The heading.
    pub section: String,
    /// Its score.
    pub score: u32,
    /// Why it waits.
    pub because: Option<String>,
}

impl From<&Candidate> for Proposed {
    fn from(own: &Candidate) -> Self {
        Self {
            id: own.id.to_string(),
            finding: own.finding.clone(),
            section: own.section.clone(),
            score: own.score,
            because: own.staged_because.clone(),
        }
    }
}

impl DreamReport {
    /// Counts a refusal.
    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        *self.refused.entry(refusal).or_default() += 1;
    }

    /// How many operations were refused.
    pub fn n_refused(&self) -> usize {
        self.refused.values().sum()
    }

    /// How many lines it proposed that no gate refused.
    pub fn n_lines(&self) -> usize {
        self.promoted.len() + self.staged.len()
    }

    /// Adds what a further part of the same dream did.
    pub fn extend(&mut self, other: Self) {
        self.n_read += other.n_read;
        self.n_proposed += other.n_proposed;
        self.n_unreadable += other.n_unreadable;
        for (refusal, count) in other.refused {
            *self.refused.entry(refusal).or_default() += count;
        }
        self.promoted.extend(other.promoted);
        self.staged.extend(other.staged);
        self.n_archived += other.n_archived;
        self.spent.0 += other.spent.0;
        self.spent.1 += other.spent.1;
        self.left = self.left.or(other.left);
    }

    /// Takes over what became of the plan.
    #[must_use]
    pub fn with_result(mut self, result: &DreamResult) -> Self {
        self.promoted = result.promoted.iter().map(Into::into).collect();
        self.staged = result.staged.iter().map(Into::into).collect();
        self.n_archived = result.n_archived;
        self
    }

    /// The line of the dream log.
    pub fn one_line(&self) -> String {
        format!(
            "read {}, proposed {}, refused {}, promoted {}, staged {}",
            self.n_read,
            self.n_proposed,
            self.n_refused(),
            self.promoted.len(),
            self.staged.len()
        )
    }
}
