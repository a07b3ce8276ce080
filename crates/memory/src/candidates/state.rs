//! What is known of dreams between two of them: candidates, decisions, what was read.
//!
//! Bounded; never touches a file itself.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Timestamp, short_hash};
use serde::{Deserialize, Serialize, Serializer};

use super::model::{Candidate, CandidateId, Status};

/// More decided candidates than this are not remembered.
const HISTORY_MAX: usize = 500;

/// More texts that were turned down are not remembered.
const REJECTED_MAX: usize = 10_000;

/// More lines of the dream log are not kept.
const LOG_MAX: usize = 1_000;

/// Dreams of which the details are kept.
const DETAILED_MAX: usize = 30;

/// Details of one dream that are kept.
pub(super) const DETAILS_MAX: usize = 400;

/// Days of which it is remembered what was read in their logs.
const DAYS_MAX: usize = 62;

/// Everything that dreams leave behind besides `MEMORY.md` and `DREAMS.md`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DreamState {
    /// Grows by one with every change.
    pub sequence: u64,
    /// What waits, oldest first.
    #[serde(default)]
    pub pending: Vec<Candidate>,
    /// What was decided, oldest first.
    #[serde(default)]
    pub history: Vec<Candidate>,
    /// Hashes of the words of what was turned down.
    #[serde(default)]
    pub rejected: BTreeSet<String>,
    /// What was read of each day's log: hashes of its notes.
    #[serde(default)]
    pub consumed: BTreeMap<Day, BTreeSet<String>>,
    /// How many bytes of each session were replayed.
    #[serde(default)]
    pub backfilled: BTreeMap<String, u64>,
    /// When each trigger last led to a dream.
    #[serde(default)]
    pub fired: BTreeMap<String, Timestamp>,
    /// Up to which entry each session was dreamt about when it fell idle.
    #[serde(default)]
    pub idle: BTreeMap<String, String>,
    /// How large today's log was at the last dream for its size.
    pub log_size: Option<SizeMark>,
    /// When the last dream ended that changed anything.
    pub dreamt_at: Option<Timestamp>,
    /// A line for each dream that changed anything.
    #[serde(default)]
    pub log: Vec<DreamLogLine>,
}

/// How large a day's log was; in files the day and the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(Day, u64)")]
pub struct SizeMark {
    /// The day.
    pub day: Day,
    /// How many whole thresholds it had reached.
    pub n_thresholds: u64,
}

impl From<SizeMark> for (Day, u64) {
    fn from(mark: SizeMark) -> Self {
        (mark.day, mark.n_thresholds)
    }
}

/// What one dream did, or one decision of the owner; in files a list of these, without details where there are none.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DreamLogLine {
    /// When.
    pub at: Timestamp,
    /// What happened, in one line.
    pub text: String,
    /// What became of each note and proposal; kept of the last dreams only, and until something is forgotten.
    #[serde(default)]
    pub details: Vec<DreamDetail>,
}

impl Serialize for DreamLogLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.details.is_empty() {
            (self.at, &self.text).serialize(serializer)
        } else {
            (self.at, &self.text, &self.details).serialize(serializer)
        }
    }
}

/// What became of one note or proposal; in files a list of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(Outcome, String, Option<String>)")]
pub struct DreamDetail {
    /// What became of it.
    pub outcome: Outcome,
    /// What it says.
    pub text: String,
    /// Why.
    pub because: Option<String>,
}

impl From<DreamDetail> for (Outcome, String, Option<String>) {
    fn from(detail: DreamDetail) -> Self {
        (detail.outcome, detail.text, detail.because)
    }
}

/// What becomes of a note or a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// It stands in `MEMORY.md`.
    Promoted,
    /// It waits for the owner.
    Staged,
    /// The next dream looks at it again.
    Postponed,
    /// It was refused.
    Refused,
    /// It was not proposed.
    NotProposed,
}

base::words! {
    Outcome: Promoted = "promoted", Staged = "staged", Postponed = "postponed", Refused = "refused", NotProposed = "notProposed"
}

impl DreamState {
    /// A candidate, whether it waits or was decided.
    pub fn candidate(&self, id: &CandidateId) -> Option<&Candidate> {
        let all = self.pending.iter().chain(self.history.iter().rev());
        all.into_iter().find(|candidate| candidate.id == *id)
    }

    /// Candidates whose ids begin with what was typed.
    pub fn matching(&self, typed: &str) -> Vec<&Candidate> {
        let typed = typed.to_lowercase();
        let all = self.pending.iter().chain(&self.history);
        let mut found: Vec<&Candidate> = all
            .filter(|candidate| candidate.id.as_str().starts_with(&typed))
            .collect();
        if let Some(exact) = found.iter().find(|found| found.id.as_str() == typed) {
            found = vec![*exact];
        }
        found
    }

    /// Whether an id is in use.
    pub fn knows(&self, id: &CandidateId) -> bool {
        self.candidate(id).is_some()
    }

    /// Whether the owner turned this text down before.
    pub fn was_rejected(&self, text: &str) -> bool {
        self.rejected.contains(&same_words(text))
    }

    /// Whether the log of a day was read, as far as that is still remembered.
    pub fn may_have_read(&self, day: Day) -> bool {
        self.consumed.contains_key(&day) || self.consumed.len() >= DAYS_MAX
    }

    /// Decides a candidate that waits; gives it as it is now.
    pub(super) fn decide(
        &mut self,
        id: &CandidateId,
        status: Status,
        at: Timestamp,
    ) -> Option<Candidate> {
        let position = self.pending.iter().position(|own| own.id == *id)?;
        let mut candidate = self.pending.remove(position);
        candidate.status = status;
        candidate.decided_at = Some(at);
        candidate.missing_since = None;
        if status == Status::Rejected {
            self.rejected.extend(candidate.wordings().map(same_words));
        }
        self.history.push(candidate.clone());
        Some(candidate)
    }

    /// Lets a decided candidate wait again.
    pub(super) fn reopen(&mut self, id: &CandidateId) -> Option<CandidateId> {
        let position = self.history.iter().rposition(|own| own.id == *id)?;
        let mut candidate = self.history.remove(position);
        for words in candidate.wordings() {
            self.rejected.remove(&same_words(words));
        }
        candidate.status = Status::Pending;
        candidate.decided_at = None;
        candidate.is_shown = false;
        if candidate.staged_because.is_none() {
            candidate.staged_because = Some("you took its promotion back".to_owned());
        }
        self.pending.push(candidate);
        Some(id.clone())
    }

    /// Forgets what is too much to keep.
    pub(super) fn trim(&mut self) {
        let n_over = self.history.len().saturating_sub(HISTORY_MAX);
        self.history.drain(..n_over);
        let n_over = self.log.len().saturating_sub(LOG_MAX);
        self.log.drain(..n_over);
        let detailed = self
            .log
            .iter_mut()
            .rev()
            .filter(|line| !line.details.is_empty());
        detailed
            .skip(DETAILED_MAX)
            .for_each(|line| line.details.clear());
        while self.rejected.len() > REJECTED_MAX {
            self.rejected.pop_first();
        }
        while self.consumed.len() > DAYS_MAX {
            self.consumed.pop_first();
        }
    }
}

/// The hash of the words of a text: the same for texts that differ in case and signs alone.
pub fn same_words(text: &str) -> String {
    let words: Vec<String> = base::words(text).map(str::to_lowercase).collect();
    short_hash(&words.join(" "))
}
