//! The state kept between dreams: candidates, decisions, and what dreams have read.
//!
//! Bounded in size; never touches a file itself.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Timestamp, short_hash, shortened};
use serde::{Deserialize, Serialize, Serializer};

use super::model::{Candidate, CandidateId, Status};

/// Maximum number of decided candidates kept.
const HISTORY_MAX: usize = 500;

/// Maximum number of rejected texts kept.
const REJECTED_MAX: usize = 10_000;

/// Maximum number of dream log lines kept.
const LOG_MAX: usize = 1_000;

/// Number of newest dreams whose details are kept.
const DETAILED_MAX: usize = 30;

/// Maximum number of details kept per dream.
pub(super) const DETAILS_MAX: usize = 400;

/// Number of newest daily logs whose consumed notes are kept: ten years.
const DAYS_MAX: usize = 3_660;

/// The beginning of the cause of an undo, and that of the cause of an owner's decision.
pub(super) const UNDONE: &str = "undone: ";
pub(super) const OWNER: &str = "the owner ";

/// The beginning of the cause of a line that the owner asked for; the line's text follows.
pub const REMEMBERED: &str = "remembered: ";

/// The beginning of the cause of a correction that the owner asked for; the text of the line follows.
pub const CORRECTED: &str = "corrected: ";

/// The maximum number of candidates that a cause names, and of characters of each.
const TOLD_MAX: usize = 3;
const TOLD_CHARS_MAX: usize = 60;

/// All that dreams record outside `MEMORY.md` and `DREAMS.md`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DreamState {
    /// Incremented by every change.
    pub sequence: u64,
    /// Pending candidates, oldest first.
    #[serde(default)]
    pub pending: Vec<Candidate>,
    /// Decided candidates, oldest first.
    #[serde(default)]
    pub history: Vec<Candidate>,
    /// Hashes ([`same_words`]) of rejected texts.
    #[serde(default)]
    pub rejected: BTreeSet<String>,
    /// Hashes of the notes read from each day's log.
    #[serde(default)]
    pub consumed: BTreeMap<Day, BTreeSet<String>>,
    /// Replayed bytes per session.
    #[serde(default)]
    pub backfilled: BTreeMap<String, u64>,
    /// When each trigger last started a dream.
    #[serde(default)]
    pub fired: BTreeMap<String, Timestamp>,
    /// The last entry that a dream read of each session when the session was idle.
    #[serde(default)]
    pub idle: BTreeMap<String, String>,
    /// The size of the log at the last dream that its size triggered.
    pub log_size: Option<SizeMark>,
    /// When the last dream that changed anything ended.
    pub dreamt_at: Option<Timestamp>,
    /// The ids of old lines that help to answer no past question, as of the last dream that asked: the archive is
    /// offered to them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unearned: BTreeSet<String>,
    /// One line for each dream or decision that changed anything.
    #[serde(default)]
    pub log: Vec<DreamLogLine>,
}

/// The size of a daily log; serialized as `(day, n_thresholds)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(Day, u64)")]
pub struct SizeMark {
    pub day: Day,
    /// Number of whole thresholds it had reached.
    pub n_thresholds: u64,
}

impl From<SizeMark> for (Day, u64) {
    fn from(mark: SizeMark) -> Self {
        (mark.day, mark.n_thresholds)
    }
}

/// What one dream or one decision of the owner did; serialized as an array without empty `details`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DreamLogLine {
    /// When it happened.
    pub at: Timestamp,
    /// What happened, in one line.
    pub text: String,
    /// The outcome of each note and proposal; cleared for older dreams and whenever the owner forgets something.
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

/// The outcome of one note or proposal; serialized as an array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(Outcome, String, Option<String>)")]
pub struct DreamDetail {
    pub outcome: Outcome,
    /// The text of the note or proposal.
    pub text: String,
    /// The reason.
    pub because: Option<String>,
}

impl From<DreamDetail> for (Outcome, String, Option<String>) {
    fn from(detail: DreamDetail) -> Self {
        (detail.outcome, detail.text, detail.because)
    }
}

/// The outcome of a note or a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// It went into `MEMORY.md`.
    Promoted,
    /// It waits for the owner.
    Staged,
    /// The next dream reads it again.
    Postponed,
    Refused,
    /// The model did not propose it.
    NotProposed,
}

base::words! {
    Outcome: Promoted = "promoted", Staged = "staged", Postponed = "postponed", Refused = "refused", NotProposed = "notProposed"
}

/// The cause of a change that was undone, perhaps several times; any other cause as it is.
fn undone_cause(text: &str) -> &str {
    text.strip_prefix(UNDONE).map_or(text, undone_cause)
}

/// Whether a line of the log reports a change that the owner asked for.
fn is_asked(text: &str) -> bool {
    [REMEMBERED, CORRECTED]
        .iter()
        .any(|it| text.starts_with(it))
}

impl DreamState {
    /// The candidate with this id, pending or decided.
    pub fn candidate(&self, id: &CandidateId) -> Option<&Candidate> {
        let all = self.pending.iter().chain(self.history.iter().rev());
        all.into_iter().find(|candidate| candidate.id == *id)
    }

    /// The cause of a change for the owner: `you accepted "I prefer tea"` for `the owner accepted 3fa9`.
    pub fn in_words(&self, cause: &str) -> String {
        if let Some(undone) = cause.strip_prefix(UNDONE) {
            return format!("{UNDONE}{}", self.in_words(undone));
        }
        let Some(did) = cause.strip_prefix(OWNER) else {
            return cause.to_owned();
        };
        let mut parts: Vec<(String, Vec<String>)> = Vec::new();
        for part in did.split(", ") {
            let (verb, id) = part.split_once(' ').unwrap_or(("", part));
            let Some(own) = self.candidate(&CandidateId::new(id.to_owned())) else {
                // Not a list of ids, or of one that is gone.
                return format!("you {did}");
            };
            let told = format!("\"{}\"", shortened(&own.finding, TOLD_CHARS_MAX));
            match parts.last_mut().filter(|_| verb.is_empty()) {
                Some((_, told_before)) => told_before.push(told),
                None => parts.push((verb.to_owned(), vec![told])),
            }
        }
        let parts = parts.into_iter().map(|(verb, told)| {
            let n_more = told.len().saturating_sub(TOLD_MAX);
            let more = if n_more > 0 {
                format!(" and {n_more} more")
            } else {
                String::new()
            };
            let told: Vec<String> = told.into_iter().take(TOLD_MAX).collect();
            format!("{verb} {}{more}", told.join(", "))
        });
        format!("you {}", parts.collect::<Vec<String>>().join(", "))
    }

    /// Candidates whose id starts with `typed`; only the exact match if there is one.
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

    /// Whether the owner has rejected this text.
    pub fn was_rejected(&self, text: &str) -> bool {
        self.rejected.contains(&same_words(text))
    }

    /// Whether a dream may have read the log of `day`; always true once the limit of days is reached.
    pub fn may_have_read(&self, day: Day) -> bool {
        self.consumed.contains_key(&day) || self.consumed.len() >= DAYS_MAX
    }

    /// Decides a pending candidate and returns it with its new status.
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

    /// Makes a decided candidate pending again.
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
            candidate.staged_because = Some("you undid its promotion".to_owned());
        }
        self.pending.push(candidate);
        Some(id.clone())
    }

    /// Puts candidates back to what they were before a change of this cause: candidates that the owner asked for are
    /// taken back, those that an undo took back are in force again, and all others are pending again.
    pub(super) fn reverse(&mut self, cause: &str, ids: &[CandidateId], at: Timestamp) {
        for id in ids {
            if cause.starts_with(UNDONE) {
                self.redo(id, at);
            } else if [REMEMBERED, CORRECTED]
                .iter()
                .any(|own| cause.starts_with(own))
            {
                self.take_back(id, at);
            } else {
                self.reopen(id);
            }
        }
    }

    /// Takes back a candidate that the owner asked for: it does not wait, and no dream proposes it again.
    fn take_back(&mut self, id: &CandidateId, at: Timestamp) {
        let mut history = self.history.iter_mut();
        if let Some(own) = history.rfind(|own| own.id == *id) {
            own.status = Status::Undone;
            own.decided_at = Some(at);
            self.rejected.extend(own.wordings().map(same_words));
        }
    }

    /// Whether the owner took back a text with these words.
    pub(super) fn is_taken_back(&self, text: &str) -> bool {
        let asked = same_words(text);
        let says = |own: &Candidate| own.wordings().any(|words| same_words(words) == asked);
        let mut history = self.history.iter();
        history.any(|own| own.status == Status::Undone && says(own))
    }

    /// Whether the owner's own word, not a dream, wrote a line of `MEMORY.md`; `false` if that is too long ago to tell.
    pub fn was_asked(&self, own: &Candidate) -> bool {
        let at = own.decided_at;
        let mut log = self.log.iter().rev();
        own.status == Status::Promoted
            && log.any(|line| Some(line.at) == at && is_asked(undone_cause(&line.text)))
    }

    /// Drops the record that the owner took back or rejected a text.
    pub(super) fn drop_taken_back(&mut self, text: &str) {
        let asked = same_words(text);
        self.rejected.remove(&asked);
        let says = |own: &Candidate| own.wordings().any(|words| same_words(words) == asked);
        self.history
            .retain(|own| own.status != Status::Undone || !says(own));
    }

    fn redo(&mut self, id: &CandidateId, at: Timestamp) {
        let mut history = self.history.iter_mut();
        let undone = history.rfind(|own| own.id == *id && own.status == Status::Undone);
        if let Some(own) = undone {
            own.status = Status::Promoted;
            own.decided_at = Some(at);
            for words in own.wordings() {
                self.rejected.remove(&same_words(words));
            }
        }
    }

    /// Drops the oldest items beyond the limits.
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

/// A hash of the words of `text` that ignores case and punctuation.
pub fn same_words(text: &str) -> String {
    let words: Vec<String> = base::words(text).map(str::to_lowercase).collect();
    short_hash(&words.join(" "))
}
