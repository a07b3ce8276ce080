//! The report of a dream, as data.

use std::collections::BTreeMap;

use base::TokenCount;
use memory::candidates::{Candidate, DreamDetail, DreamResult, Outcome};
use memory::prepared_line;

use crate::refusal::Refusal;

/// The result of a dream, real or rehearsed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DreamReport {
    /// Number of notes and messages read.
    pub n_read: usize,
    /// Number of operations proposed.
    pub n_proposed: usize,
    /// Refused operations: reason and text.
    pub refused: Vec<(Refusal, String)>,
    /// Notes that no operation cites.
    pub not_proposed: Vec<String>,
    /// Promoted candidates.
    pub promoted: Vec<Candidate>,
    /// Staged candidates.
    pub staged: Vec<Candidate>,
    /// Number of lines moved from `MEMORY.md` to the archive.
    pub n_archived: usize,
    /// Number of lines of `MEMORY.md` that may go to the archive, and that no earlier dream offered.
    pub n_offered: usize,
    /// Input and output tokens; zero for the offline engine.
    pub spent: (TokenCount, TokenCount),
    /// Number of days and sessions that a backfill left for the next one, and the reason.
    pub left: Option<(usize, Left)>,
}

/// Why a backfill left notes and sessions for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Left {
    /// The daily token budget is spent.
    BudgetSpent,
}

/// Replaces text that may have been forgotten.
const HIDDEN: &str = "(not shown)";

impl DreamReport {
    pub(crate) fn refuse(&mut self, refusal: Refusal, finding: &str) {
        self.refused.push((refusal, prepared_line(finding)));
    }

    /// Hides the text of refused findings and keeps the reasons.
    pub(crate) fn hide_refused(&mut self) {
        for (_, finding) in &mut self.refused {
            HIDDEN.clone_into(finding);
        }
    }

    /// Whether a pass reached its limit of lines.
    pub fn is_full(&self) -> bool {
        let mut refused = self.refused.iter();
        refused.any(|(why, _)| *why == Refusal::DreamFull)
    }

    /// Number of refused operations by reason.
    pub fn n_refused_by_reason(&self) -> BTreeMap<Refusal, usize> {
        let mut counts = BTreeMap::new();
        for (refusal, _) in &self.refused {
            *counts.entry(*refusal).or_default() += 1;
        }
        counts
    }

    /// Whether anything happened that belongs in the dream log.
    pub(crate) fn did_anything(&self) -> bool {
        self.n_lines() > 0 || !self.refused.is_empty() || !self.not_proposed.is_empty()
    }

    /// The outcome of each note and proposal.
    pub(crate) fn details(&self) -> Vec<DreamDetail> {
        let detail = |outcome, text: &str, because: Option<String>| DreamDetail {
            outcome,
            text: text.to_owned(),
            because,
        };
        let promoted = self.promoted.iter();
        let promoted = promoted.map(|own| detail(Outcome::Promoted, &own.finding, None));
        let staged = self.staged.iter();
        let staged =
            staged.map(|own| detail(Outcome::Staged, &own.finding, own.staged_because.clone()));
        let refused = self.refused.iter().map(|(why, finding)| {
            let is_postponed = why.is_postponed();
            let outcome = if is_postponed {
                Outcome::Postponed
            } else {
                Outcome::Refused
            };
            detail(outcome, finding, Some(why.in_words().to_owned()))
        });
        let left = self.not_proposed.iter();
        let left = left.map(|note| detail(Outcome::NotProposed, note, None));
        promoted.chain(staged).chain(refused).chain(left).collect()
    }

    /// Number of promoted and staged lines.
    pub fn n_lines(&self) -> usize {
        self.promoted.len() + self.staged.len()
    }

    /// Adds the report of another part of the same dream.
    pub fn extend(&mut self, other: Self) {
        self.n_read += other.n_read;
        self.n_proposed += other.n_proposed;
        self.refused.extend(other.refused);
        self.not_proposed.extend(other.not_proposed);
        self.promoted.extend(other.promoted);
        self.staged.extend(other.staged);
        self.n_archived += other.n_archived;
        self.n_offered += other.n_offered;
        self.spent.0 += other.spent.0;
        self.spent.1 += other.spent.1;
        self.left = self.left.or(other.left);
    }

    /// Takes over the result of applying the plan.
    #[must_use]
    pub fn with_result(mut self, result: DreamResult) -> Self {
        self.promoted = result.promoted;
        self.staged = result.staged;
        self.n_archived = result.n_archived;
        self.n_offered = result.n_offered;
        self
    }

    /// The line of the dream log.
    pub fn one_line(&self) -> String {
        let refused = self.refused.iter();
        let n_postponed = refused.filter(|(why, _)| why.is_postponed()).count();
        let postponed = match n_postponed {
            0 => String::new(),
            n_postponed => format!(", postponed {n_postponed}"),
        };
        format!(
            "read {}, proposed {}, refused {}{postponed}, promoted {}, staged {}",
            self.n_read,
            self.n_proposed,
            self.refused.len() - n_postponed,
            self.promoted.len(),
            self.staged.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finding_to_be_read_again_is_postponed_instead_of_refused() {
        let mut report = DreamReport::default();
        for why in [Refusal::Question, Refusal::DreamFull, Refusal::CutOff] {
            report.refuse(why, "I sing");
        }
        assert_eq!(
            report.one_line(),
            "read 0, proposed 0, refused 1, postponed 2, promoted 0, staged 0"
        );
        let outcomes: Vec<Outcome> = report.details().iter().map(|own| own.outcome).collect();
        assert_eq!(
            outcomes,
            [Outcome::Refused, Outcome::Postponed, Outcome::Postponed]
        );
    }
}
