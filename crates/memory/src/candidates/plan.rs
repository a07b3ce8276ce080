//! The plan of a dream, and the changes to memory and state that follow from it.
//!
//! Pure; the desk writes.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Timestamp, counted};

use super::archive::{fitted, raw_line};
use super::change::StateChange;
use super::model::{Candidate, Proposal, Status};
use super::state::{DETAILS_MAX, DreamDetail, DreamLogLine, DreamState, SizeMark};
use crate::curated::{CuratedLine, Edit, LineOwner, NewLine, edited, memory_lines};

/// The changes that a dream wants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DreamPlan {
    /// Candidates that passed the gates.
    pub promoted: Vec<Candidate>,
    /// Candidates for the owner to decide.
    pub staged: Vec<Candidate>,
    /// The hashes of the notes that the dream read, per daily log.
    pub consumed: BTreeMap<Day, BTreeSet<String>>,
    /// Notes that met a full queue: day of the log and hash.
    pub postponed: BTreeSet<(Day, String)>,
    /// Replayed bytes per session.
    pub backfilled: BTreeMap<String, u64>,
    /// The triggers that fired.
    pub fired: Vec<String>,
    /// Idle sessions with their last entries.
    pub idle: BTreeMap<String, String>,
    /// The size of today's log.
    pub log_size: Option<SizeMark>,
    /// The line for the dream log, if anything happened.
    pub log: Option<String>,
    /// The outcome of each note and proposal.
    pub details: Vec<DreamDetail>,
}

/// The result of applying a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DreamResult {
    /// Candidates that went into `MEMORY.md`.
    pub promoted: Vec<Candidate>,
    /// Pending candidates, including those that did not fit into `MEMORY.md`.
    pub staged: Vec<Candidate>,
    /// Number of lines moved to the archive.
    pub n_archived: usize,
    /// The new content of `MEMORY.md`.
    pub memory: String,
}

const NO_ROOM: &str = "MEMORY.md is full, and every line in it is more useful";

/// Computes the change that applies `plan` to memory and state.
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
    // A candidate may have been pending before.
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

/// Records in `state` what the dream read and which triggers fired.
fn take_in(state: &mut DreamState, plan: &DreamPlan, now: Timestamp) {
    for (day, keys) in &plan.consumed {
        let own = state.consumed.entry(*day).or_default();
        own.extend(keys.iter().cloned());
        let is_read = |(of, key): &(Day, String)| of == day && keys.contains(key);
        state.postponed.retain(|note| !is_read(note));
    }
    state.postponed.extend(plan.postponed.iter().cloned());
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

/// Edits of `MEMORY.md`, and the lines that they add and remove.
pub(super) struct Lines {
    pub(super) edits: Vec<Edit>,
    /// Ids of the added lines.
    pub(super) ids: BTreeSet<String>,
    /// The removed lines, with their records inline.
    pub(super) replaced: Vec<String>,
}

/// The edits of `MEMORY.md` that accept these candidates.
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
        // If the line to replace is gone, the candidate is added as a new line.
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
            // The line to remove is already gone.
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

/// Length limit of the earlier value in a line, in characters.
const OLDER_CHARS_MAX: usize = 160;

const UNTIL: &str = " (until ";

/// The line of a candidate, followed by the value it replaces and the day of that value.
fn new_line(candidate: &Candidate, older: Option<&CuratedLine>) -> NewLine {
    let text = match older {
        None => candidate.finding.clone(),
        Some(older) => {
            // Drop the value before that one: the archive has it.
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
