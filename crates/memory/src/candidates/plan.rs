//! What a dream wants changed, and what that makes of memory and state.
//!
//! Pure; the writing is for the desk.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Timestamp, counted};

use super::archive::{fitted, raw_line};
use super::change::StateChange;
use super::model::{Candidate, Proposal, Status};
use super::state::{DETAILS_MAX, DreamDetail, DreamLogLine, DreamState, SizeMark};
use crate::curated::{CuratedLine, Edit, LineOwner, NewLine, edited, memory_lines};

/// What a dream wants changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DreamPlan {
    /// What the gates let in.
    pub promoted: Vec<Candidate>,
    /// What waits for the owner.
    pub staged: Vec<Candidate>,
    /// What was read of logs.
    pub consumed: BTreeMap<Day, BTreeSet<String>>,
    /// How far sessions were replayed, in bytes.
    pub backfilled: BTreeMap<String, u64>,
    /// Triggers that fired.
    pub fired: Vec<String>,
    /// Sessions that fell idle, with their last entries.
    pub idle: BTreeMap<String, String>,
    /// How large today's log was.
    pub log_size: Option<SizeMark>,
    /// What is said of it in the dream log, where anything happened.
    pub log: Option<String>,
    /// What became of each note and proposal.
    pub details: Vec<DreamDetail>,
}

/// What became of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DreamResult {
    /// Promoted.
    pub promoted: Vec<Candidate>,
    /// Waiting, those among them that found no room in `MEMORY.md`.
    pub staged: Vec<Candidate>,
    /// Lines that left for the archive.
    pub n_archived: usize,
    /// What `MEMORY.md` says afterwards.
    pub memory: String,
}

const NO_ROOM: &str = "MEMORY.md is full, and every line in it is of more use";

/// What the plan makes of memory and state.
pub(super) fn planned(
    plan: &DreamPlan,
    memory: &str,
    state: &DreamState,
    now: Timestamp,
) -> (StateChange, DreamResult) {
    let lines = lines_of(&plan.promoted, memory);
    let new: BTreeSet<String> = lines.ids.clone();
    let fitted = fitted(edited(memory, &lines.edits), &new, &BTreeSet::new());
    let mut archived = lines.replaced;
    archived.extend(fitted.archived);
    let mut result = DreamResult {
        n_archived: archived.len(),
        memory: fitted.text.clone(),
        ..DreamResult::default()
    };
    for candidate in &plan.promoted {
        let mut candidate = candidate.clone();
        if fitted.homeless.contains(candidate.id.as_str()) {
            candidate.status = Status::Pending;
            candidate.staged_because = Some(NO_ROOM.to_owned());
            result.staged.push(candidate);
        } else {
            candidate.status = Status::Promoted;
            candidate.decided_at = Some(now);
            result.promoted.push(candidate);
        }
    }
    result.staged.extend(plan.staged.iter().cloned());
    let mut next = state.clone();
    take_in(&mut next, plan, now);
    // What waited before and was promoted now waits no more.
    let decided = result.promoted.iter().chain(&result.staged);
    let decided: BTreeSet<&str> = decided.map(|own| own.id.as_str()).collect();
    next.pending
        .retain(|own| !decided.contains(own.id.as_str()));
    next.history.extend(result.promoted.iter().cloned());
    next.pending.extend(result.staged.iter().cloned());
    let n_promoted = result.promoted.len() as u64;
    let change = StateChange {
        memory: Some(fitted.text).filter(|text| text != memory),
        cause: format!("a dream promoted {}", counted(n_promoted, "line", "lines")),
        candidates: result
            .promoted
            .iter()
            .map(|candidate| candidate.id.to_string())
            .collect(),
        archived,
        state: next,
        undo: None,
    };
    (change, result)
}

/// The state after a dream has read what it read.
fn take_in(state: &mut DreamState, plan: &DreamPlan, now: Timestamp) {
    for (day, keys) in &plan.consumed {
        let own = state.consumed.entry(*day).or_default();
        own.extend(keys.iter().cloned());
    }
    state.backfilled.extend(plan.backfilled.clone());
    state.idle.extend(plan.idle.clone());
    for trigger in &plan.fired {
        state.fired.insert(trigger.clone(), now);
    }
    if plan.log_size.is_some() {
        state.log_size = plan.log_size;
    }
    if let Some(text) = &plan.log {
        state.log.push(DreamLogLine {
            at: now,
            text: text.clone(),
            details: plan.details.iter().take(DETAILS_MAX).cloned().collect(),
        });
    }
    state.dreamt_at = Some(now);
}

/// Edits with what they put aside.
pub(super) struct Lines {
    pub(super) edits: Vec<Edit>,
    /// The ids of the lines that come.
    pub(super) ids: BTreeSet<String>,
    /// The lines that go, as they stood.
    pub(super) replaced: Vec<String>,
}

/// What accepting these candidates does to the lines of `MEMORY.md`.
pub(super) fn lines_of(candidates: &[Candidate], memory: &str) -> Lines {
    let mut out = Lines {
        edits: Vec::new(),
        ids: BTreeSet::new(),
        replaced: Vec::new(),
    };
    let standing = memory_lines(memory);
    let mut gone: BTreeSet<&str> = BTreeSet::new();
    for candidate in candidates {
        let is_retired = matches!(candidate.proposal, Proposal::Retire { .. });
        if !is_retired {
            out.ids.insert(candidate.id.to_string());
        }
        // A line that went meanwhile is replaced by nothing: what is newer stands for itself.
        let found = standing.iter().find_map(|own| {
            let id = own
                .id()
                .filter(|id| candidate.proposal.changed_line() == Some(id))?;
            gone.insert(id).then_some((id, own))
        });
        let edit = match found {
            Some((id, found)) if is_retired => {
                out.replaced.extend(raw_line(memory, found.number));
                Edit::Remove(id.to_owned())
            }
            Some((id, found)) => {
                out.replaced.extend(raw_line(memory, found.number));
                Edit::Replace {
                    id: id.to_owned(),
                    line: new_line(candidate, Some(found)),
                }
            }
            // What had ended went meanwhile.
            None if is_retired => continue,
            None => Edit::Add {
                section: candidate.section.clone(),
                line: new_line(candidate, None),
            },
        };
        out.edits.push(edit);
    }
    out
}

/// An earlier value is told in at most this many characters.
const OLDER_CHARS_MAX: usize = 160;

const UNTIL: &str = " (until ";

/// The line of a candidate, with the value that held before it, and since when it did.
fn new_line(candidate: &Candidate, older: Option<&CuratedLine>) -> NewLine {
    let text = match older {
        None => candidate.finding.clone(),
        Some(older) => {
            // What held before the earlier value is in the archive.
            let (own, _) = older.text.split_once(UNTIL).unwrap_or((&older.text, ""));
            let own = base::head(own, OLDER_CHARS_MAX);
            let since = match &older.owner {
                LineOwner::Ours { day: Some(day), .. } => format!(", said {day}"),
                LineOwner::Ours { day: None, .. } | LineOwner::Owner => String::new(),
            };
            format!(
                "{}{UNTIL}{}{since}: {own})",
                candidate.finding, candidate.day
            )
        }
    };
    NewLine {
        id: candidate.id.to_string(),
        text,
        evidence: candidate
            .evidence
            .iter()
            .map(super::Evidence::reference)
            .collect(),
        origin: candidate.origin,
        day: candidate.day,
    }
}
