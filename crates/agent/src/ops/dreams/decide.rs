//! Carries out the owner's decision about candidates.
//!
//! Decides nothing itself.

use base::Day;
use memory::MemoryText;
use memory::candidates::{Candidate, CandidateId, MemoryTxn, ReviewError, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::undo::left_by_last;
use crate::ops::{OpContext, OpError, Operation};
use crate::review::{ReviewOrder, lines_beside, waiting_among};

/// The owner's decision about candidates.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Decide {
    /// What the owner decides.
    pub decision: DreamDecision,
    /// The id of the candidate, or a prefix of it.
    pub id: Option<String>,
    /// The ids of several, or prefixes of them.
    #[serde(default)]
    pub ids: Vec<String>,
    /// Whether it is about all that wait.
    #[serde(default)]
    pub all: bool,
    /// The owner's wording, accepted instead of the finding of one candidate.
    pub finding: Option<String>,
    /// Whether only to say what would be decided.
    #[serde(default)]
    pub dry_run: bool,
}

/// What the owner decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum DreamDecision {
    /// Write them into `MEMORY.md`.
    Accept,
    /// Write it into `MEMORY.md`, and reject the older ones that may be about the same.
    Newer,
    /// Drop them, and never propose them again.
    Reject,
}

/// What was decided.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionReply {
    /// `accepted` or `rejected`.
    pub status: &'static str,
    /// The candidates.
    pub ids: Vec<CandidateId>,
    /// Their findings, as they were accepted or rejected.
    pub findings: Vec<String>,
    /// Those that had already been decided in this way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub already: Vec<AlreadyDecided>,
    /// Lines of `MEMORY.md` that may be about the same as an accepted one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<NearLine>,
    /// Identifies the change, for [`UndoChange::left`](super::UndoChange::left).
    #[serde(skip)]
    pub left: String,
    /// The candidate before it was reworded, for [`UndoChange::reworded`](super::UndoChange::reworded).
    #[serde(skip)]
    pub reworded: Option<Candidate>,
    /// Number of candidates that still wait.
    pub waiting: usize,
    /// Whether nothing was changed.
    pub dry_run: bool,
}

/// A candidate that had already been decided.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AlreadyDecided {
    /// Its id.
    pub id: CandidateId,
    /// `promoted`, `accepted` or `rejected`.
    pub status: &'static str,
}

/// A line of `MEMORY.md` that may be about the same as an accepted candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NearLine {
    /// Its text.
    pub text: String,
    /// The last day that supports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<Day>,
    /// Its number in the file.
    pub number: usize,
}

impl Decide {
    /// A decision about one candidate.
    pub fn about(id: String, decision: DreamDecision) -> Self {
        Self {
            decision,
            id: Some(id),
            ids: Vec::new(),
            all: false,
            finding: None,
            dry_run: false,
        }
    }
}

impl DreamDecision {
    /// The status that it leads to.
    fn status(self) -> Status {
        match self {
            Self::Accept | Self::Newer => Status::Accepted,
            Self::Reject => Status::Rejected,
        }
    }
}

impl NearLine {
    /// The lines of `memory` that may be about the same as `accepted`, except those that it replaces.
    pub fn all(accepted: &[Candidate], memory: &MemoryText) -> Vec<Self> {
        let near = lines_beside(accepted, memory).into_iter();
        let near = near.map(|line| Self {
            day: line.day(),
            number: line.number,
            text: line.text,
        });
        near.collect()
    }
}

impl Operation for Decide {
    type Reply = DecisionReply;

    fn run(self, at: &OpContext<'_>) -> Result<DecisionReply, OpError> {
        let home = at.home_for(self.dry_run.into());
        let at = &OpContext { home: &home, ..*at };
        let mut desk = at.desk()?;
        let status = self.decision.status();
        let mut already = Vec::new();
        let mut ids = Vec::new();
        if self.all {
            ids.extend(desk.state().pending.iter().map(|own| own.id.clone()));
        }
        for typed in self.id.iter().chain(&self.ids) {
            let own = at.candidate(&desk, typed)?;
            let is_done = own.status == status
                || own.status == Status::Promoted && status == Status::Accepted;
            if is_done {
                already.push(AlreadyDecided {
                    id: own.id.clone(),
                    status: own.status.as_str(),
                });
            } else if own.status == Status::Pending {
                ids.push(own.id.clone());
            } else {
                return Err(ReviewError::Decided(own.id.clone(), own.status).into());
            }
        }
        let mut reworded = None;
        if let Some(finding) = &self.finding {
            reworded = ids
                .first()
                .and_then(|id| desk.state().candidate(id))
                .cloned();
            reword(&mut desk, &ids, finding)?;
        }
        let chosen = ids.iter().filter_map(|id| desk.state().candidate(id));
        let findings = chosen.map(|own| own.finding.clone()).collect();
        let before = desk.memory().clone();
        let done = match self.decision {
            DreamDecision::Accept => desk.accept(&ids)?,
            DreamDecision::Reject => desk.reject(&ids)?,
            DreamDecision::Newer => {
                let [id] = &*ids else {
                    let why = "a newer one is chosen of one candidate".to_owned();
                    return Err(OpError::invalid("ids", why));
                };
                let review = ReviewOrder::of(&desk.state().pending);
                let older = waiting_among(desk.state(), review.older_than(id)).into_iter();
                let older: Vec<CandidateId> = older.map(|own| own.id).collect();
                desk.prefer(id, &older)?
            }
        };
        Ok(DecisionReply {
            status: status.as_str(),
            ids,
            findings,
            already,
            beside: NearLine::all(&done.accepted, &before),
            left: left_by_last(&desk),
            reworded,
            waiting: desk.state().pending.len(),
            dry_run: self.dry_run,
        })
    }
}

fn reword(desk: &mut MemoryTxn<'_>, ids: &[CandidateId], finding: &str) -> Result<(), OpError> {
    match ids {
        [] => Ok(()),
        [id] => Ok(desk.reword(id, finding).map(drop)?),
        _ => {
            let why = "only one candidate can be reworded at a time".to_owned();
            Err(OpError::invalid("finding", why))
        }
    }
}
