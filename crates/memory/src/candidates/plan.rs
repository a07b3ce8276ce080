//! The plan of a dream, and the changes to memory and state that follow from it.
//!
//! Pure; the desk writes.

use std::collections::{BTreeMap, BTreeSet};

use base::dates::named_days;
use base::{Day, Origin, Timestamp, counted};

use super::archive::{NotedLines, fitted};
use super::change::StateChange;
use super::earlier_value::earlier_value;
use super::model::{Candidate, CandidateId, OlderValue, Proposal, Status};
use super::state::{DETAILS_MAX, DreamDetail, DreamLogLine, DreamState, SizeMark};
use crate::curated::{CuratedLine, Edit, NewLine, UNTIL, current_value, edited, memory_lines};
use crate::note_text::{MemoryText, NoteLine};

/// The changes that a dream proposes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DreamPlan {
    /// Candidates that passed the gates.
    pub promoted: Vec<Candidate>,
    /// Candidates for the owner to decide.
    pub staged: Vec<Candidate>,
    /// The hashes of the notes that the dream read, per daily log.
    pub consumed: BTreeMap<Day, BTreeSet<String>>,
    /// Pending candidates that no longer wait.
    pub withdrawn: BTreeSet<CandidateId>,
    /// Replayed bytes per session.
    pub backfilled: BTreeMap<String, u64>,
    /// The triggers that fired.
    pub fired: Vec<String>,
    /// Idle sessions with their last entries.
    pub idle: BTreeMap<String, String>,
    /// The size of today's log.
    pub log_size: Option<SizeMark>,
    /// The ids of old lines that help to answer no past question; they leave a full `MEMORY.md` first. `None` if too few
    /// questions were asked again.
    pub unearned: Option<BTreeSet<String>>,
    /// The owner's request, if this plan carries one out and is not a dream.
    pub asked: Option<String>,
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
    /// Number of lines that may go to the archive, and that no dream before this one offered.
    pub n_offered: usize,
    /// The new content of `MEMORY.md`.
    pub memory: MemoryText,
}

const NO_ROOM: &str = "MEMORY.md is full, and every line in it is more useful";

/// Computes the change that applies `plan` to memory and state.
pub(super) fn planned(
    plan: &DreamPlan,
    memory: &MemoryText,
    state: &DreamState,
    now: Timestamp,
) -> (StateChange, DreamResult) {
    let lines = lines_of(&plan.promoted, memory);
    let noted = NotedLines {
        new: lines.ids.clone(),
        unearned: plan.unearned.as_ref().unwrap_or(&state.unearned).clone(),
        ..NotedLines::default()
    };
    let fitted = fitted(edited(memory, &lines.edits), &noted);
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
    // What this dream itself archived or replaced is offered no more.
    let lines = memory_lines(&fitted.text);
    let ids: BTreeSet<&str> = lines.iter().filter_map(CuratedLine::id).collect();
    next.unearned.retain(|id| ids.contains(id.as_str()));
    result.n_offered = next.unearned.difference(&state.unearned).count();
    // A candidate may have been pending before.
    let decided = result.promoted.iter().chain(&result.staged);
    let decided: BTreeSet<&str> = decided.map(|own| own.id.as_str()).collect();
    next.pending
        .retain(|own| !decided.contains(own.id.as_str()) && !plan.withdrawn.contains(&own.id));
    if plan.asked.is_some() {
        // The owner's newer word holds.
        for own in &result.promoted {
            next.drop_taken_back(&own.finding);
        }
    }
    next.history.extend(result.promoted.iter().cloned());
    next.pending.extend(result.staged.iter().cloned());
    let n_promoted = result.promoted.len() as u64;
    let change = StateChange {
        memory: Some(fitted.text).filter(|text| text != memory),
        cause: plan.asked.clone().unwrap_or_else(|| {
            format!("a dream promoted {}", counted(n_promoted, "line", "lines"))
        }),
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
    }
    state.backfilled.extend(plan.backfilled.clone());
    state.idle.extend(plan.idle.clone());
    for trigger in &plan.fired {
        state.fired.insert(trigger.clone(), now);
    }
    if plan.log_size.is_some() {
        state.log_size = plan.log_size;
    }
    if let Some(unearned) = &plan.unearned {
        state.unearned.clone_from(unearned);
    }
    if let Some(text) = &plan.log {
        state.log.push(DreamLogLine {
            at: now,
            text: text.clone(),
            details: plan.details.iter().take(DETAILS_MAX).cloned().collect(),
        });
    }
    if plan.asked.is_none() {
        state.dreamt_at = Some(now);
    }
}

/// Edits of `MEMORY.md`, and the lines that they add and remove.
pub(super) struct Lines {
    pub(super) edits: Vec<Edit>,
    /// Ids of the added lines.
    pub(super) ids: BTreeSet<String>,
    /// The removed lines.
    pub(super) replaced: Vec<NoteLine<'static>>,
}

/// The edits of `MEMORY.md` that accept these candidates.
pub(super) fn lines_of(candidates: &[Candidate], memory: &MemoryText) -> Lines {
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
                out.replaced.extend(memory.line(found.number).cloned());
                Edit::Remove(id.to_owned())
            }
            Some((id, found)) => {
                out.replaced.extend(memory.line(found.number).cloned());
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

/// The line of a candidate, followed by the value that it replaces and the day on which that ended, if it was true.
fn new_line(candidate: &Candidate, older: Option<&CuratedLine>) -> NewLine {
    let names_older = matches!(
        candidate.proposal,
        Proposal::Supersede {
            value: OlderValue::Named,
            ..
        }
    );
    let text = match older.filter(|_| names_older) {
        None => candidate.finding.clone(),
        Some(older) => {
            // Drop the value before that one: the archive has it.
            let value = earlier_value(current_value(&older.text), &candidate.finding);
            let (text, day) = (without_stop(&candidate.finding), changed_on(candidate));
            if value.is_empty() {
                candidate.finding.clone()
            } else {
                format!("{text}{UNTIL}{day}: {value})")
            }
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
        // What the owner accepted, the owner answers for.
        origin: match candidate.status {
            Status::Accepted => Origin::Owner,
            Status::Pending | Status::Promoted | Status::Rejected | Status::Undone => {
                candidate.origin
            }
        },
        day: candidate.day,
    }
}

/// A sentence without its full stop, so that more text can follow; an abbreviation keeps its own.
pub(crate) fn without_stop(text: &str) -> &str {
    let bare = text.strip_suffix(['.', '\u{3002}']).unwrap_or(text);
    let last = bare.rsplit(char::is_whitespace).next().unwrap_or_default();
    if last.contains('.') { text } else { bare }
}

/// The day on which a change happened: the only day that its quote or its text names, if that is not later than the day
/// on which it was said, else that day.
fn changed_on(candidate: &Candidate) -> Day {
    let quotes = candidate
        .evidence
        .iter()
        .map(|own| (own.quote.as_str(), own.day));
    let texts = quotes.chain([(candidate.finding.as_str(), candidate.day)]);
    let named = texts.flat_map(|(text, day)| named_days(text, day));
    let named: BTreeSet<Day> = named.filter(|day| *day <= candidate.day).collect();
    let mut named = named.into_iter();
    match (named.next(), named.next()) {
        (Some(day), None) => day,
        (Some(_) | None, _) => candidate.day,
    }
}
