//! The plan stage: checks, grounds, reconciles, scores and gates each proposal, and plans the changes to memory.
//!
//! Pure.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Origin, Timestamp, TokenCount, Tz, day, strictest_scope};
use memory::candidates::{
    Candidate, CandidateId, DreamPlan, DreamState, Evidence, EvidenceRef, Proposal, Status,
};
use memory::curated::CuratedLine;
use memory::{MemoryText, Tombstones};

use crate::conversations::TextReading;
use crate::doubt::{Doubt, KnownWords};
use crate::draft::{FindingDraft, draft};
use crate::earned::Earned;
use crate::gate::{PASS_LINES_MAX, SECOND_CHANGE, signals, total, waits_because};
use crate::ground::typed_words;
use crate::material::{Material, MaterialItem, resting};
use crate::propose::{Operation, Proposals};
use crate::queue::offered;
use crate::reconcile::{compared_lines, current, reconcile};
use crate::refusal::Refusal;
use crate::report::DreamReport;
use crate::said_again::said_again;
use crate::settings::DreamSettings;
use crate::trigger::DueDream;
use crate::wording::Wording;

/// The input for judging proposals.
#[derive(Debug)]
pub struct PlanInput<'a> {
    /// The material that the dream read.
    pub material: &'a Material,
    /// The content of `MEMORY.md`.
    pub memory: &'a MemoryText,
    /// The state of dreams.
    pub state: &'a DreamState,
    pub tombstones: &'a Tombstones,
    /// How many past questions the lines and the proposals help to answer.
    pub earned: &'a Earned,
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
    for own in &input.material.untrue {
        report.refuse(Refusal::TakenBack, &own.text);
    }
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
    let operations = operations.into_iter();
    let operations = operations.map(|own| said_again(own, input.memory, input.state));
    let drafts = drafts(input, &operations.collect::<Vec<_>>(), &mut report);
    let known = KnownTexts::of(input);
    let candidates = candidates(input, drafts, &known, &mut report);
    gate(input, candidates, &mut gated, &mut report);
    queue(input, &mut gated, &mut report);
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
        withdrawn: gated.withdrawn,
        consumed: input.material.consumed_but(&gated.unread),
        backfilled: input.material.backfilled_but(&gated.left),
        fired: due.triggers,
        idle: due.idle.into_iter().collect(),
        log_size: due.log_size,
        unearned: (input.earned).unearned(input.memory, day(input.now, input.timezone)),
        ..DreamPlan::default()
    };
    if report.did_anything() {
        (plan.log, plan.details) = (Some(report.one_line()), report.details());
    }
    (plan, report)
}

/// A reason to ask a model again for an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// The index of the operation.
    pub place: usize,
    /// Whether nothing can be written of the operation as it is.
    pub is_refused: bool,
    /// The reason, addressed to the model; empty if a model cannot fix it.
    pub because: String,
}

/// The operations that fail the checks of shape and ground, or that their messages do not bear out.
pub fn objections(
    operations: &[Operation],
    (items, lines): (&[MaterialItem], &[CuratedLine]),
    today: Day,
    reading: &TextReading,
) -> Vec<Objection> {
    let by_label = by_label(items);
    let known = known_words(items, lines.iter(), reading);
    let judged = operations.iter().enumerate();
    judged
        .filter_map(|(place, own)| {
            let (is_refused, because) = match draft(own, &by_label, reading) {
                Err(refusal) => (true, refusal.for_model().unwrap_or_default().to_owned()),
                Ok(draft) => {
                    // The owner decides about anything else in any case.
                    let doubts = draft.doubts((&known, today), reading);
                    let doubts = doubts.iter().filter(|_| draft.is_said_in_person());
                    let doubts: Vec<String> = doubts.map(Doubt::for_model).collect();
                    (false, doubts.join("; "))
                }
            };
            (is_refused || !because.is_empty()).then_some(Objection {
                place,
                is_refused,
                because,
            })
        })
        .collect()
}

/// The owner's words in the items, the words of the lines of memory, and, separately, the words of others.
fn known_words<'a>(
    items: &[MaterialItem],
    lines: impl Iterator<Item = &'a CuratedLine>,
    reading: &TextReading,
) -> KnownWords {
    let sources = || items.iter().flat_map(|item| &item.sources);
    let owners = sources().filter(|own| own.origin == Origin::Owner);
    let said = owners.map(|own| typed_words(&own.text, reading));
    let others = sources().filter(|own| matches!(own.origin, Origin::Owner | Origin::Untrusted));
    KnownWords::of(said.chain(lines.map(|line| line.text.clone())), reading)
        .beside(others.map(|own| own.text.as_str()))
        .beside(items.iter().flat_map(|item| &item.heard))
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
        drafts.push(new);
    }
    drafts
}

/// The texts that a finding may repeat, split once for all comparisons.
struct KnownTexts<'a> {
    lines: Vec<(CuratedLine, Wording)>,
    words: KnownWords,
    pending: Vec<(&'a Candidate, Vec<Wording>)>,
    history: Vec<(&'a Candidate, Vec<Wording>)>,
}

impl<'a> KnownTexts<'a> {
    fn of(input: &PlanInput<'a>) -> Self {
        let lines = compared_lines(input.memory);
        let words = known_words(&input.material.items, lines.iter(), input.reading);
        let lines = lines.into_iter();
        let split = |own: &'a Candidate| (own, own.wordings().map(Wording::of).collect());
        Self {
            words,
            lines: lines
                .map(|line| {
                    let wording = Wording::of(current(&line));
                    (line, wording)
                })
                .collect(),
            pending: input.state.pending.iter().map(split).collect(),
            history: input.state.history.iter().map(split).collect(),
        }
    }

    /// Refuses a draft that is pending already, or was decided and not said again since.
    fn check(&self, state: &DreamState, draft: &FindingDraft) -> Result<(), Refusal> {
        let says_so = |(_, words): &&(&Candidate, Vec<Wording>)| {
            words.iter().any(|words| draft.repeats(words))
        };
        if self.pending.iter().any(|own| says_so(&own)) {
            return Err(Refusal::Waiting);
        }
        let is_there = |own: &Candidate| {
            let mut lines = self.lines.iter();
            lines.any(|(line, _)| line.id() == Some(own.id.as_str()))
        };
        match self.history.iter().rev().find(says_so).map(|(own, _)| *own) {
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
}

/// Reconciles the drafts with memory and scores the new ones: changes first, then by score.
fn candidates(
    input: &PlanInput<'_>,
    drafts: Vec<FindingDraft>,
    known: &KnownTexts<'_>,
    report: &mut DreamReport,
) -> Vec<(Candidate, FindingDraft)> {
    let mut taken: BTreeSet<CandidateId> = BTreeSet::new();
    let mut found: Vec<(Candidate, FindingDraft)> = Vec::new();
    for draft in drafts {
        match candidate(input, &draft, known, &taken) {
            Ok(candidate) => {
                taken.insert(candidate.id.clone());
                found.push((candidate, draft));
            }
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
    known: &KnownTexts<'_>,
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
    let (proposal, wrong_line) = reconcile(draft, &known.lines, input.reading)?;
    let today = day(input.now, input.timezone);
    let doubts = draft.doubts((&known.words, today), input.reading);
    let doubts: Vec<String> = doubts.iter().map(Doubt::for_owner).collect();
    let doubt = (!doubts.is_empty()).then(|| doubts.join("; "));
    let doubt = doubt.or(wrong_line.map(str::to_owned));
    if forgotten_at.is_some() && doubt.is_some() {
        return Err(Refusal::Rejected);
    }
    known.check(state, draft)?;
    let signals = signals(draft, input.earned.times(&draft.operation.text), today);
    let score = total(&signals);
    let is_taken = |id: &CandidateId| state.knows(id) || taken.contains(id);
    Ok(Candidate {
        id: CandidateId::of(&draft.operation.text, &draft.grounded.evidence, is_taken),
        finding: draft.operation.text.clone(),
        proposed_as: None,
        section: draft.operation.section.clone(),
        evidence: evidence(draft, &proposal),
        proposal,
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

/// The evidence of a candidate. A candidate that replaces text of a repository stays in that repository.
fn evidence(draft: &FindingDraft, proposal: &Proposal) -> Vec<Evidence> {
    let mut evidence = draft.grounded.evidence.clone();
    let replaced = draft.operation.kind.line();
    let replaced = replaced.filter(|_| proposal.is_change());
    let scopes = replaced.into_iter().flat_map(CuratedLine::evidence);
    let scopes: Vec<&str> = scopes.filter_map(EvidenceRef::own_scope).collect();
    if !scopes.is_empty() {
        for own in &mut evidence {
            own.scope = strictest_scope(own.own_scope().into_iter().chain(scopes.iter().copied()));
        }
    }
    evidence
}

/// The result of the gates.
#[derive(Default)]
struct Gated {
    promoted: Vec<Candidate>,
    staged: Vec<Candidate>,
    /// Candidates that no longer wait.
    withdrawn: BTreeSet<CandidateId>,
    /// Newer candidates, each with one whose place in the queue it takes.
    replaced: Vec<(CandidateId, Candidate)>,
    /// Notes that must be read again because of a limit.
    unread: BTreeSet<(Day, String)>,
    /// Sessions that must be read again because of a limit, each with the byte from which.
    left: BTreeMap<String, u64>,
}

impl Gated {
    /// Leaves notes for the next pass, and sessions from these messages on.
    fn leave(
        &mut self,
        notes: impl IntoIterator<Item = (Day, String)>,
        places: impl IntoIterator<Item = (String, u64)>,
    ) {
        self.unread.extend(notes);
        for (path, offset) in places {
            let left = self.left.entry(path).or_insert(offset);
            *left = offset.min(*left);
        }
    }

    fn leave_item(&mut self, item: &MaterialItem) {
        self.leave(item.note(), item.place());
    }
}

/// Promotes, stages or postpones each candidate.
fn gate(
    input: &PlanInput<'_>,
    candidates: Vec<(Candidate, FindingDraft)>,
    gated: &mut Gated,
    report: &mut DreamReport,
) {
    let mut changed: BTreeSet<String> = BTreeSet::new();
    for (mut candidate, draft) in candidates {
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
        if why.is_none() && is_plain && gated.promoted.len() >= PASS_LINES_MAX {
            report.refuse(Refusal::DreamFull, &candidate.finding);
            gated.leave(draft.notes, draft.places);
            continue;
        }
        candidate.staged_because = why;
        let older = replaced(input.state, &candidate, &draft);
        let pairs = older.map(|older| (candidate.id.clone(), older.clone()));
        gated.replaced.extend(pairs);
        if candidate.staged_because.is_none() {
            gated.promoted.push(candidate);
        } else {
            gated.staged.push(candidate);
        }
    }
}

/// The waiting candidates whose place a newer one takes: the one that the model named, and changes of the same line. A
/// candidate that itself waits replaces another only with the owner's word, and no candidate replaces one that the
/// owner reworded.
fn replaced<'a>(
    state: &'a DreamState,
    newer: &'a Candidate,
    draft: &'a FindingDraft,
) -> impl Iterator<Item = &'a Candidate> {
    let named = draft.operation.waiting.as_deref();
    let line = newer.proposal.changed_line();
    let may_replace = newer.staged_because.is_none() || newer.origin == Origin::Owner;
    state.pending.iter().filter(move |own| {
        let is_same_line = line.is_some() && own.proposal.changed_line() == line;
        let is_named = named.is_some_and(|named| named == own.finding);
        may_replace
            && (is_same_line || is_named)
            && own.day <= newer.day
            && own.proposed_as.is_none()
    })
}

/// Leaves the most useful candidates in the queue of the owner. A newer candidate for which there is no room does not
/// replace another.
fn queue(input: &PlanInput<'_>, gated: &mut Gated, report: &mut DreamReport) {
    let known: BTreeSet<&CandidateId> = input.state.pending.iter().map(|own| &own.id).collect();
    let (kept, left) = loop {
        let is_replaced = |own: &&Candidate| {
            let mut replaced = gated.replaced.iter();
            replaced.any(|(_, older)| older.id == own.id)
        };
        let pending = input.state.pending.iter().filter(|own| !is_replaced(own));
        let all = pending.chain(&gated.staged).cloned().collect();
        let (kept, left) = offered(all, input.settings);
        let lost: BTreeSet<&CandidateId> = left.iter().map(|own| &own.id).collect();
        let n_replaced = gated.replaced.len();
        gated.replaced.retain(|(newer, _)| !lost.contains(newer));
        if gated.replaced.len() == n_replaced {
            break (kept, left);
        }
    };
    for (_, older) in &gated.replaced {
        if gated.withdrawn.insert(older.id.clone()) {
            report.refuse(Refusal::Replaced, &older.finding);
        }
    }
    for own in left {
        report.refuse(Refusal::NotOffered, &own.finding);
        if known.contains(&own.id) {
            gated.withdrawn.insert(own.id);
        }
    }
    let kept = kept.into_iter();
    gated.staged = kept.filter(|own| !known.contains(&own.id)).collect();
}
