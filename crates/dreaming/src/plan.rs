//! The plan stage: checks, grounds, reconciles, scores and gates each proposal, and plans the changes to memory.
//!
//! Pure.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Timestamp, TokenCount, Tz, day};
use memory::Tombstones;
use memory::candidates::{Candidate, CandidateId, DreamPlan, DreamState, Status};
use memory::curated::CuratedLine;

use crate::conversations::TextReading;
use crate::draft::{FindingDraft, draft};
use crate::gate::{
    DREAM_LINES_MAX, EVIDENCE_LINES_MAX, PENDING_MAX, PROMOTED_MAX, SECOND_CHANGE,
    SESSION_LINES_MAX, STAGED_MIN, signals, total, waits_because,
};
use crate::ground::{Doubt, doubt};
use crate::material::{Material, MaterialItem, resting};
use crate::propose::{Operation, OperationKind, Proposals, Proposer};
use crate::reconcile::{compared_lines, reconcile};
use crate::refusal::Refusal;
use crate::report::DreamReport;
use crate::settings::DreamSettings;
use crate::trigger::DueDream;

/// The input for judging proposals.
#[derive(Debug)]
pub struct PlanInput<'a> {
    /// The material that the dream read.
    pub material: &'a Material,
    /// The content of `MEMORY.md`.
    pub memory: &'a str,
    /// The state of dreams.
    pub state: &'a DreamState,
    /// The tombstones.
    pub tombstones: &'a Tombstones,
    /// The owner's settings.
    pub settings: &'a DreamSettings,
    /// The analysis of texts.
    pub reading: &'a TextReading,
    /// The current time.
    pub now: Timestamp,
    /// The owner's time zone.
    pub timezone: Tz,
    /// The triggers that started the dream; `None` if the owner did.
    pub due: Option<&'a DueDream>,
    /// Input and output tokens of the model.
    pub spent: (TokenCount, TokenCount),
}

/// Turns proposals into a plan and a report.
pub fn plan_promotions(input: &PlanInput<'_>, proposals: &Proposals) -> (DreamPlan, DreamReport) {
    let operations = proposals.operations.as_slice();
    let mut report = DreamReport {
        n_read: input.material.n_read,
        n_proposed: operations.len(),
        spent: input.spent,
        ..DreamReport::default()
    };
    for piece in &proposals.unreadable {
        report.refuse(Refusal::Unreadable, piece);
    }
    let mut gated = Gated::default();
    let (operations, lost) = resting(operations, input.material, input.tombstones);
    for own in &lost {
        report.refuse(Refusal::Gone, &own.text);
    }
    // Gone items may come back: the next dream reads them again.
    for item in input.material.cited_by(&lost) {
        gated.leave_item(item);
    }
    let drafts = drafts(input, &operations, &mut report);
    let lines = compared_lines(input.memory);
    let candidates = candidates(input, drafts, &lines, &mut report);
    gate(input, candidates, &mut gated, &mut report);
    let is_cut_off = |item: &&MaterialItem| proposals.cut_off.contains(&item.label);
    for item in input.material.items.iter().filter(is_cut_off) {
        report.refuse(Refusal::CutOff, &item.text);
        gated.leave_item(item);
    }
    if !lost.is_empty() || !input.material.gone.is_empty() {
        // Any part of the reply may repeat forgotten text.
        report.hide_refused();
    }
    report.promoted.clone_from(&gated.promoted);
    report.staged.clone_from(&gated.staged);
    report.not_proposed = input.material.not_proposed(proposals);
    let due = input.due.cloned().unwrap_or_default();
    let mut plan = DreamPlan {
        promoted: gated.promoted,
        staged: gated.staged,
        consumed: input.material.consumed_but(&gated.unread),
        postponed: gated.postponed,
        backfilled: input.material.backfilled_but(&gated.left),
        fired: due.triggers,
        idle: due.idle.into_iter().collect(),
        log_size: due.log_size,
        ..DreamPlan::default()
    };
    if report.did_anything() {
        (plan.log, plan.details) = (Some(report.one_line()), report.details());
    }
    (plan, report)
}

/// The operations that fail the checks of shape and ground, by index, for a retry request.
pub fn refusals(
    operations: &[Operation],
    items: &[MaterialItem],
    reading: &TextReading,
) -> Vec<(usize, Refusal)> {
    let by_label = by_label(items);
    let judged = operations.iter().enumerate();
    judged
        .filter_map(|(place, own)| Some((place, draft(own, &by_label, reading).err()?)))
        .collect()
}

fn by_label(items: &[MaterialItem]) -> BTreeMap<&str, &MaterialItem> {
    items
        .iter()
        .map(|item| (item.label.as_str(), item))
        .collect()
}

/// Checks shape and ground of each operation. Merges an operation that repeats an earlier one into it.
fn drafts(
    input: &PlanInput<'_>,
    operations: &[Operation],
    report: &mut DreamReport,
) -> Vec<FindingDraft> {
    let by_label = by_label(&input.material.items);
    let mut n_lines: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut drafts: Vec<FindingDraft> = Vec::new();
    for operation in operations {
        let new = match draft(operation, &by_label, input.reading) {
            Ok(new) => new,
            Err(refusal) => {
                report.refuse(refusal, &operation.text);
                continue;
            }
        };
        if let Some(same) = drafts.iter_mut().find(|old| old.says_same(&new)) {
            // Keep the one that names a line.
            let repeated =
                if new.operation.kind.line().is_some() && same.operation.kind.line().is_none() {
                    std::mem::replace(same, new)
                } else {
                    new
                };
            report.refuse(Refusal::Repeated, &repeated.operation.text);
            same.strengthen(repeated);
            continue;
        }
        // A model may derive many lines from one sentence; the offline engine only quotes.
        if let (Proposer::Model, Some(first)) =
            (new.operation.proposer, new.grounded.evidence.first())
        {
            let place = (first.path.clone(), first.key.clone());
            let n_own = n_lines.entry(place).or_default();
            *n_own += 1;
            if *n_own > EVIDENCE_LINES_MAX {
                report.refuse(Refusal::EvidenceSpent, &new.operation.text);
                continue;
            }
        }
        drafts.push(new);
    }
    drafts
}

/// Reconciles the drafts with memory and scores the new ones: changes first, then by score.
fn candidates(
    input: &PlanInput<'_>,
    drafts: Vec<FindingDraft>,
    lines: &[CuratedLine],
    report: &mut DreamReport,
) -> Vec<(Candidate, FindingDraft)> {
    let mut found: Vec<(Candidate, FindingDraft)> = Vec::new();
    for draft in drafts {
        let taken: BTreeSet<CandidateId> = found.iter().map(|(own, _)| own.id.clone()).collect();
        match candidate(input, &draft, lines, &taken) {
            Ok(candidate) => found.push((candidate, draft)),
            Err(refusal) => report.refuse(refusal, &draft.operation.text),
        }
    }
    // Changes first: they need no room, and the line they replace is wrong. Of two changes, the later first.
    found.sort_by_cached_key(|(own, draft)| {
        let is_plain = !own.proposal.is_change();
        let score = if is_plain { own.score } else { 0 };
        (is_plain, Reverse(score), Reverse(draft.said_at()))
    });
    found
}

fn candidate(
    input: &PlanInput<'_>,
    draft: &FindingDraft,
    lines: &[CuratedLine],
    taken: &BTreeSet<CandidateId>,
) -> Result<Candidate, Refusal> {
    let state = input.state;
    let tombstones = input.tombstones;
    let forgotten_at = tombstones.hidden_since(&draft.operation.text);
    let is_hidden =
        forgotten_at.is_some_and(|at| !draft.grounded.is_said_since(at, input.timezone));
    if is_hidden
        || state.was_rejected(&draft.operation.text)
        || tombstones.rejects(&draft.operation.text)
    {
        return Err(Refusal::Rejected);
    }
    let (proposal, doubt) = reconcile(draft, lines, input.reading)?;
    let doubt = doubtful(input.reading, draft).or(doubt.map(str::to_owned));
    if forgotten_at.is_some() && doubt.is_some() {
        return Err(Refusal::Rejected);
    }
    check_known(state, draft, lines)?;
    let signals = signals(draft, day(input.now, input.timezone));
    let score = total(&signals);
    if score < STAGED_MIN && !proposal.is_change() {
        return Err(Refusal::LowScore);
    }
    let is_taken = |id: &CandidateId| state.knows(id) || taken.contains(id);
    Ok(Candidate {
        id: CandidateId::of(&draft.operation.text, &draft.grounded.evidence, is_taken),
        finding: draft.operation.text.clone(),
        proposed_as: None,
        section: draft.operation.section.clone(),
        proposal,
        evidence: draft.grounded.evidence.clone(),
        origin: draft.grounded.origin,
        found_in: draft.found_in,
        day: draft.day,
        proposed_at: input.now,
        score,
        signals,
        staged_because: doubt,
        status: Status::Pending,
        decided_at: None,
        missing_since: None,
        is_shown: false,
    })
}

/// Why a draft may not follow from what was said and from the line that it would change. `None` for a removal, which
/// writes no text; reconciling checks its line.
fn doubtful(reading: &TextReading, draft: &FindingDraft) -> Option<String> {
    if matches!(draft.operation.kind, OperationKind::Retire(_)) {
        return None;
    }
    let older = draft.operation.kind.line().map(|line| line.text.as_str());
    let said = format!("{}\n{}", draft.grounded.said, older.unwrap_or_default());
    let found = doubt(
        &draft.operation.text,
        &draft.operation.quote,
        (&said, draft.day),
        reading,
    );
    found.as_ref().map(Doubt::in_words)
}

/// Refuses a draft that is pending already, or was decided and not said again since.
fn check_known(
    state: &DreamState,
    draft: &FindingDraft,
    lines: &[CuratedLine],
) -> Result<(), Refusal> {
    let says_so = |own: &&Candidate| own.wordings().any(|words| draft.repeats(words));
    if state.pending.iter().any(|own| says_so(&own)) {
        return Err(Refusal::Waiting);
    }
    let is_there = |own: &Candidate| lines.iter().any(|line| line.id() == Some(own.id.as_str()));
    match state.history.iter().rev().find(says_so) {
        Some(own) if is_there(own) => Err(Refusal::Known),
        // A rejection without a hash was not the owner's: the fact may be proposed again once it is said again.
        Some(own)
            if own.status == Status::Rejected
                && (state.was_rejected(&own.finding) || draft.day <= own.day) =>
        {
            Err(Refusal::Rejected)
        }
        // Removed from memory: may be proposed again once it is said again.
        Some(own) if draft.day <= own.day => Err(Refusal::TakenOut),
        Some(_) | None => Ok(()),
    }
}

/// The result of the gates.
#[derive(Default)]
struct Gated {
    promoted: Vec<Candidate>,
    staged: Vec<Candidate>,
    /// Notes that the next dream must read again because of a limit.
    unread: BTreeSet<(Day, String)>,
    /// Those of them that met a full queue.
    postponed: BTreeSet<(Day, String)>,
    /// Sessions that the next backfill must read again because of a limit.
    left: BTreeSet<String>,
}

impl Gated {
    /// Leaves the notes for the next dream; if there are none, the session for the next backfill.
    fn leave(&mut self, notes: impl IntoIterator<Item = (Day, String)>, path: Option<&str>) {
        let mut notes = notes.into_iter().peekable();
        if notes.peek().is_none() {
            self.left.extend(path.map(str::to_owned));
        }
        self.unread.extend(notes);
    }

    fn leave_item(&mut self, item: &MaterialItem) {
        self.leave(item.note(), item.sources.first().map(|own| &*own.path));
    }
}

/// Promotes, stages or postpones each candidate.
fn gate(
    input: &PlanInput<'_>,
    candidates: Vec<(Candidate, FindingDraft)>,
    gated: &mut Gated,
    report: &mut DreamReport,
) {
    let mut n_added = 0;
    let mut of_session: BTreeMap<String, usize> = BTreeMap::new();
    let mut changed: BTreeSet<String> = BTreeSet::new();
    for (mut candidate, draft) in candidates {
        let path = candidate.evidence.first().map(|own| own.path.clone());
        let path = path.unwrap_or_default();
        let n_of_session = of_session.get(&path).copied().unwrap_or(0);
        let mut why = candidate.staged_because.take();
        why = why.or_else(|| waits_because(&candidate, &draft, input.settings.promotion));
        // The later of two changes takes effect; the owner decides about the other.
        if let Some(line) = candidate.proposal.changed_line()
            && why.is_none()
            && !changed.insert(line.to_owned())
        {
            why = Some(SECOND_CHANGE.to_owned());
        }
        let is_plain = !candidate.proposal.is_change();
        let full = if n_of_session >= SESSION_LINES_MAX {
            Some(Refusal::SessionFull)
        } else if gated.promoted.len() + gated.staged.len() >= DREAM_LINES_MAX
            || why.is_none() && is_plain && n_added >= PROMOTED_MAX
        {
            Some(Refusal::DreamFull)
        } else if why.is_some() && input.state.pending.len() + gated.staged.len() >= PENDING_MAX {
            Some(Refusal::QueueFull)
        } else {
            None
        };
        if let Some(refusal) = full {
            report.refuse(refusal, &candidate.finding);
            if refusal == Refusal::QueueFull {
                gated.postponed.extend(draft.notes.iter().cloned());
            }
            gated.leave(draft.notes, Some(&path));
            continue;
        }
        *of_session.entry(path).or_default() += 1;
        candidate.staged_because = why;
        if candidate.staged_because.is_none() {
            n_added += usize::from(is_plain);
            gated.promoted.push(candidate);
        } else {
            gated.staged.push(candidate);
        }
    }
}
