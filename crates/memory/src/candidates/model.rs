//! A candidate: something that may deserve to last, whence it is known and what became of it.
//!
//! Judges nothing.

use base::{Day, Origin, Timestamp, short_hash, text_id};
use serde::{Deserialize, Serialize};

use crate::candidates::Evidence;

text_id! {
    /// Names a candidate: a few hex digits that a person can type.
    CandidateId
}

/// Digits of an id, unless another candidate has the same.
const ID_DIGITS: usize = 4;

impl CandidateId {
    /// The id of a finding with its first evidence; as short as `is_taken` lets it be.
    pub fn of(finding: &str, evidence: &[Evidence], is_taken: impl Fn(&Self) -> bool) -> Self {
        let place = evidence
            .first()
            .map(|first| format!("{}#{}", first.path, first.key));
        let place = place.unwrap_or_default();
        let digits = format!(
            "{}{}",
            short_hash(&format!("{finding}\n{place}")),
            short_hash(&place)
        );
        let lengths = ID_DIGITS..=digits.len();
        let ids = lengths.filter_map(|n_digits| digits.get(..n_digits));
        let free = ids.map(Self::new).find(|id| !is_taken(id));
        free.unwrap_or(Self(digits))
    }
}

/// Where a candidate was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FoundIn {
    /// In a daily log.
    #[serde(rename = "Daily Log")]
    DailyLog,
    /// In a session that was replayed.
    #[serde(rename = "Session Replay")]
    SessionReplay,
}

base::words! { FoundIn: DailyLog = "Daily Log", SessionReplay = "Session Replay" }

/// What accepting a candidate does to `MEMORY.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "ProposalWire", from = "ProposalWire")]
pub enum Proposal {
    /// A new line.
    Add,
    /// A newer value in the place of a line of ours.
    Supersede {
        /// The id of that line.
        line: String,
        /// What it says.
        older: String,
    },
    /// A line of ours has ended, and nothing takes its place.
    Retire {
        /// The id of that line.
        line: String,
        /// What it says.
        older: String,
    },
    /// A new line beside one that says otherwise, mostly the owner's, which stays as it is.
    Beside {
        /// What that line says.
        other: String,
    },
}

/// How a proposal is written: under the key of its kind, and without one where a line is added.
#[derive(Default, Serialize, Deserialize)]
struct ProposalWire {
    #[serde(skip_serializing_if = "Option::is_none")]
    supersedes: Option<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retires: Option<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<(String, String)>,
}

/// Whose line a candidate is to stand beside.
const OWNERS_LINE: &str = "ownersLine";

impl From<Proposal> for ProposalWire {
    fn from(proposal: Proposal) -> Self {
        let mut wire = Self::default();
        match proposal {
            Proposal::Add => {}
            Proposal::Supersede { line, older } => wire.supersedes = Some((line, older)),
            Proposal::Retire { line, older } => wire.retires = Some((line, older)),
            Proposal::Beside { other } => wire.beside = Some((OWNERS_LINE.to_owned(), other)),
        }
        wire
    }
}

impl From<ProposalWire> for Proposal {
    fn from(wire: ProposalWire) -> Self {
        match (wire.supersedes, wire.retires, wire.beside) {
            (Some((line, older)), _, _) => Self::Supersede { line, older },
            (None, Some((line, older)), _) => Self::Retire { line, older },
            // Older files know other reasons to wait; `staged_because` tells them.
            (None, None, Some((_, other))) => Self::Beside { other },
            (None, None, None) => Self::Add,
        }
    }
}

impl Proposal {
    /// The id of the line of ours that it changes.
    pub fn changed_line(&self) -> Option<&str> {
        match self {
            Self::Supersede { line, .. } | Self::Retire { line, .. } => Some(line),
            Self::Add | Self::Beside { .. } => None,
        }
    }

    /// Whether it changes a line of ours, and so takes no room.
    pub fn is_change(&self) -> bool {
        self.changed_line().is_some()
    }
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It waits for the owner.
    Pending,
    /// The gates let it into `MEMORY.md`.
    Promoted,
    /// The owner let it in.
    Accepted,
    /// The owner turned it down.
    Rejected,
}

base::words! {
    Status: Pending = "pending", Promoted = "promoted", Accepted = "accepted", Rejected = "rejected"
}

/// One part of a score; in files name, value and weight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(String, u32, u32)")]
pub struct Signal {
    /// What was looked at.
    pub name: String,
    /// How far it speaks for the candidate, in hundredths.
    pub value: u32,
    /// How much it counts, in hundredths of the whole.
    pub weight: u32,
}

impl From<Signal> for (String, u32, u32) {
    fn from(signal: Signal) -> Self {
        (signal.name, signal.value, signal.weight)
    }
}

/// Something that may deserve to last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// Names it.
    pub id: CandidateId,
    /// What would be written.
    pub finding: String,
    /// What would have been written before the owner put it into other words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_as: Option<String>,
    /// The heading of `MEMORY.md` under which it would stand.
    pub section: String,
    /// What accepting it does.
    #[serde(flatten)]
    pub proposal: Proposal,
    /// What says so; never empty.
    pub evidence: Vec<Evidence>,
    /// Who is answerable for it.
    pub origin: Origin,
    /// Where it was found.
    pub found_in: FoundIn,
    /// The day on which it was said last.
    pub day: Day,
    /// When it was proposed.
    pub proposed_at: Timestamp,
    /// Its score in hundredths.
    pub score: u32,
    /// What the score is made of.
    #[serde(default)]
    pub signals: Vec<Signal>,
    /// Why it was not promoted by itself; `None` where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staged_because: Option<String>,
    /// What became of it.
    pub status: Status,
    /// When that was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
    /// Since when its block is missing from `DREAMS.md`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_since: Option<Timestamp>,
    /// Whether its block was written into `DREAMS.md`.
    #[serde(default)]
    pub is_shown: bool,
}

impl Candidate {
    /// Its words, and those in which it was proposed.
    pub fn wordings(&self) -> impl Iterator<Item = &str> {
        [Some(self.finding.as_str()), self.proposed_as.as_deref()]
            .into_iter()
            .flatten()
    }

    /// What accepting it does, in words.
    pub fn action(&self) -> String {
        let section = &self.section;
        match &self.proposal {
            Proposal::Add => format!("Add it to {section} in MEMORY.md"),
            Proposal::Supersede { older, .. } => {
                format!("Put it in the place of \"{older}\" in {section} in MEMORY.md")
            }
            Proposal::Retire { older, .. } => {
                format!("Take \"{older}\" out of {section} in MEMORY.md; it has ended")
            }
            Proposal::Beside { other } => {
                format!("Add it to {section} in MEMORY.md, beside \"{other}\"")
            }
        }
    }
}
