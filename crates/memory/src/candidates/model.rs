//! A candidate for long-term memory, with its evidence, score and status.

use base::{Day, Origin, Timestamp, short_hash, text_id};
use serde::{Deserialize, Serialize};

use crate::candidates::Evidence;

text_id! {
    /// The id of a candidate: a few hex digits, short enough to type.
    CandidateId
}

/// Minimum length of an id; longer if another candidate has the same digits.
const ID_DIGITS: usize = 4;

impl CandidateId {
    /// Derives the id from the finding and its first evidence: the shortest prefix that is not taken.
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
    /// In a note that is read in place, in a folder of the workspace or elsewhere.
    Note,
    /// In a session that was replayed.
    #[serde(rename = "Session Replay")]
    SessionReplay,
}

base::words! { FoundIn: DailyLog = "Daily Log", Note = "Note", SessionReplay = "Session Replay" }

impl FoundIn {
    /// Whether it is a note, not a message.
    pub fn is_note(self) -> bool {
        match self {
            Self::DailyLog | Self::Note => true,
            Self::SessionReplay => false,
        }
    }
}

/// What accepting a candidate does to `MEMORY.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "ProposalWire", from = "ProposalWire")]
pub enum Proposal {
    /// Add a line.
    Add,
    /// Replace a line of ours with a newer value.
    Supersede {
        /// The id of the old line.
        line: String,
        /// The text of the old line.
        older: String,
        /// What is known of the old value.
        value: OlderValue,
    },
    /// Remove a line of ours that no longer holds.
    Retire {
        /// The id of the old line.
        line: String,
        /// The text of the old line.
        older: String,
    },
    /// Add a line next to one that differs, usually the owner's, which stays unchanged.
    Beside {
        /// The text of the other line.
        other: String,
    },
}

/// What is known of a value that a newer line replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OlderValue {
    /// It was true until then, and the new line names it.
    Named,
    /// The new line does not name it.
    Unnamed,
    NeverTrue,
}

/// The serialized form: one key per kind, no key for [`Proposal::Add`].
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProposalWire {
    #[serde(skip_serializing_if = "Option::is_none")]
    supersedes: Option<(String, String)>,
    #[serde(default, skip_serializing_if = "is_false")]
    older_unnamed: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    older_untrue: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    retires: Option<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<(String, String)>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference to the field"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

/// The first element of `beside`.
const OWNERS_LINE: &str = "ownersLine";

impl From<Proposal> for ProposalWire {
    fn from(proposal: Proposal) -> Self {
        let mut wire = Self::default();
        match proposal {
            Proposal::Add => {}
            Proposal::Supersede { line, older, value } => {
                wire.supersedes = Some((line, older));
                wire.older_unnamed = value != OlderValue::Named;
                wire.older_untrue = value == OlderValue::NeverTrue;
            }
            Proposal::Retire { line, older } => wire.retires = Some((line, older)),
            Proposal::Beside { other } => wire.beside = Some((OWNERS_LINE.to_owned(), other)),
        }
        wire
    }
}

impl From<ProposalWire> for Proposal {
    fn from(wire: ProposalWire) -> Self {
        match (wire.supersedes, wire.retires, wire.beside) {
            (Some((line, older)), _, _) => Self::Supersede {
                line,
                older,
                value: match (wire.older_untrue, wire.older_unnamed) {
                    (true, _) => OlderValue::NeverTrue,
                    (false, true) => OlderValue::Unnamed,
                    (false, false) => OlderValue::Named,
                },
            },
            (None, Some((line, older)), _) => Self::Retire { line, older },
            // Older files have other reasons here; `staged_because` names them.
            (None, None, Some((_, other))) => Self::Beside { other },
            (None, None, None) => Self::Add,
        }
    }
}

impl Proposal {
    /// The id of the line of ours that it replaces or removes.
    pub fn changed_line(&self) -> Option<&str> {
        match self {
            Self::Supersede { line, .. } | Self::Retire { line, .. } => Some(line),
            Self::Add | Self::Beside { .. } => None,
        }
    }

    /// Whether it replaces or removes a line of ours and so needs no extra room.
    pub fn is_change(&self) -> bool {
        self.changed_line().is_some()
    }
}

/// The status of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Waiting for the owner.
    Pending,
    /// Passed the gates and went into `MEMORY.md`.
    Promoted,
    /// The owner accepted it.
    Accepted,
    /// The owner rejected it.
    Rejected,
    /// The owner asked for it and took it back.
    Undone,
}

base::words! {
    Status: Pending = "pending", Promoted = "promoted", Accepted = "accepted", Rejected = "rejected", Undone = "undone"
}

/// One part of a score; serialized as `(name, value, weight)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(String, u32, u32)")]
pub struct Signal {
    /// What it measures.
    pub name: String,
    /// Its value, in hundredths.
    pub value: u32,
    /// Its weight in the score, in hundredths.
    pub weight: u32,
}

impl From<Signal> for (String, u32, u32) {
    fn from(signal: Signal) -> Self {
        (signal.name, signal.value, signal.weight)
    }
}

/// A candidate for long-term memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    pub id: CandidateId,
    /// The text of the line.
    pub finding: String,
    /// The original text, if the owner reworded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_as: Option<String>,
    /// The heading of `MEMORY.md` it belongs under.
    pub section: String,
    /// What accepting it does.
    #[serde(flatten)]
    pub proposal: Proposal,
    /// Its evidence; never empty.
    pub evidence: Vec<Evidence>,
    /// Who answers for it.
    pub origin: Origin,
    /// Where it was found.
    pub found_in: FoundIn,
    /// The day on which it was last said.
    pub day: Day,
    /// When it was proposed.
    pub proposed_at: Timestamp,
    /// Its score in hundredths.
    pub score: u32,
    /// The parts of the score.
    #[serde(default)]
    pub signals: Vec<Signal>,
    /// Why it was staged instead of promoted; `None` if it was promoted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staged_because: Option<String>,
    pub status: Status,
    /// When the status was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
    /// When its block was first missing from `DREAMS.md`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_since: Option<Timestamp>,
    /// Whether its block was ever written to `DREAMS.md`.
    #[serde(default)]
    pub is_shown: bool,
}

impl Candidate {
    /// Its text, and its original text if the owner reworded it.
    pub fn wordings(&self) -> impl Iterator<Item = &str> {
        [Some(self.finding.as_str()), self.proposed_as.as_deref()]
            .into_iter()
            .flatten()
    }

    /// A sentence that says what accepting it does.
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
