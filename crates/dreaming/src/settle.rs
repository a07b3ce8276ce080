//! Settles what a dream proposes: ground, merge, score, gate, and the plan that memory applies.
//!
//! Pure: reads and writes nothing.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Timestamp, TokenCount, Tz, day};
use memory::Tombstones;
use memory::candidates::{
    Beside, Candidate, CandidateId, DreamPlan, DreamState, FoundIn, Proposal, Status,
};
use memory::curated::CuratedLine;

use crate::compared::compared_lines;
use crate::draft::{Draft, add, draft};
use crate::extract::Operation;
use crate::gate::{
    DREAM_LINES_MAX, ENDS_NOTHING, PENDING_MAX, PROMOTED_ENOUGH, PROMOTED_MAX, Passing, Refusal,
    SESSION_LINES_MAX, waits_because,
};
use crate::left_over::{LeftOver, left_over};
use crate::material::{Item, Material};
use crate::merge::{Relation, Said, Standing, relation, standing};
use crate::report::DreamReport;
use crate::score::{Looked, STAGED_MIN, signals, total};
use crate::settings::Settings;
use crate::since::{Later, said_since};
use crate::trigger::Due;
use crate::words::{Words, words};

/// What is known when a dream settles.
#[derive(Debug)]
pub struct Settling<'a> {
    /// What was read.
    pub material: &'a Material,
    /// What `MEMORY.md` says.
    pub memory: &'a str,
    /// What is known of dreams.
    pub state: &'a DreamState,
    /// What was forgotten.
    pub tombstones: &'a Tombstones,
    /// What the owner set.
    pub settings: &'a Settings,
    /// Now.
    pub now: Timestamp,
    /// Where the owner lives.
    pub timezone: Tz,
    /// What let the dream begin; nothing where the owner asked for it.
    pub due: Option<&'a Due>,
    /// What a model read and wrote.
    pub spent: (TokenCount, TokenCount),
}

/// Makes of the operations a plan and a report on it.
pub fn settle(settling: &Settling<'_>, operations: &[Operation]) -> (DreamPlan, DreamReport) {
    let mut report = DreamReport {
        n_read: settling.material.n_read,
        n_proposed: operations.len(),
        spent: settling.spent,
        ..DreamReport::default()
    };
    let later = Later::of(settling.material);
    let drafts = drafts(settling, (operations, &later), &mut report);
    let lines = compared_lines(settling.memory);
    let new: Vec<&Words> = drafts.iter().map(|draft| &draft.own).collect();
    let left_over = left_over(settling, (&new, &later), &lines);
    let candidates = candidates(settling, drafts, &lines, &mut report);
    let gated = gated(settling, left_over, candidates, &mut report);
    let (promoted, staged) = (gated.promoted, gated.staged);
    report.promoted = promoted.iter().map(Into::into).collect();
    report.staged = staged.iter().map(Into::into).collect();
    let due = settling.due;
    let mut plan = DreamPlan {
        promoted,
        staged,
        consumed: settling.material.consumed_but(&gated.unread),
        backfilled: settling.material.backfilled.clone(),
        fired: due.map(|due| due.triggers.clone()).unwrap_or_default(),
        idle: due
            .map(|due| due.idle.iter().cloned().collect())
            .unwrap_or_default(),
        log_size: due.and_then(|due| due.log_size),
        log: None,
    };
    plan.log = (!plan.promoted.is_empty() || !plan.staged.is_empty()).then(|| report.one_line());
    (plan, report)
}

/// The shape, ground and repetition of each operation, cheapest first.
fn drafts(
    settling: &Settling<'_>,
    (operations, later): (&[Operation], &Later<'_>),
    report: &mut DreamReport,
) -> Vec<Draft> {
    let by_label: BTreeMap<&str, &Item> = settling
        .material
        .items
        .iter()
        .map(|item| (item.label.as_str(), item))
        .collect();
    let mut drafts: Vec<Draft> = Vec::new();
    for operation in operations {
        match draft(operation, &by_label) {
            Ok(new) => add(&mut drafts, new, report),
            Err(refusal) => report.refuse(refusal),
        }
    }
    for draft in &mut drafts {
        // Where both sides wait already, each shows the other.
        if draft.disputed_by.is_none() {
            draft.said_since = said_since(&draft.own, draft.said_last(), later);
        }
    }
    drafts
}

/// Compares the drafts with what is known, and scores those that are new: newer values first, then the best.
fn candidates(
    settling: &Settling<'_>,
    drafts: Vec<Draft>,
    lines: &[CuratedLine],
    report: &mut DreamReport,
) -> Vec<(Candidate, Draft)> {
    let mut found: Vec<(Candidate, Draft)> = Vec::new();
    for draft in drafts {
        let taken: BTreeSet<CandidateId> = found.iter().map(|(own, _)| own.id.clone()).collect();
        match candidate(settling, &draft, lines, &taken) {
            Ok(candidate) => found.push((candidate, draft)),
            Err(refusal) => report.refuse(refusal),
        }
    }
    found.sort_by(|(left, _), (right, _)| {
        // A newer value comes before any plain addition: it takes no room, and what it replaces is wrong.
        let is_new = |own: &Candidate| !matches!(own.proposal, Proposal::Supersede { .. });
        let key = |own: &Candidate| (is_new(own), std::cmp::Reverse(own.score), own.day);
        key(left).cmp(&key(right))
    });
    found
}

fn candidate(
    settling: &Settling<'_>,
    draft: &Draft,
    lines: &[CuratedLine],
    taken: &BTreeSet<CandidateId>,
) -> Result<Candidate, Refusal> {
    let state = settling.state;
    if state.was_rejected(&draft.finding) || settling.tombstones.bars(&draft.finding) {
        return Err(Refusal::Rejected);
    }
    let said = Said {
        day: draft.day,
        evidence: &draft.grounded.evidence,
    };
    let proposal = match standing(&draft.own, said, lines) {
        Standing::Known => return Err(Refusal::Known),
        Standing::Outdated => return Err(Refusal::Outdated),
        // Leave to do what was never forbidden says nothing.
        Standing::Proposed(Proposal::Add) if draft.own.allows_again() => {
            return Err(Refusal::Empty);
        }
        Standing::Proposed(Proposal::Add) => disputed(draft),
        Standing::Proposed(proposal) => proposal,
    };
    let says_the_same =
        |own: &Candidate| relation(&draft.own, &words(&own.finding)) == Relation::Same;
    if state.pending.iter().any(says_the_same) {
        return Err(Refusal::Waiting);
    }
    let decided = state.history.iter().rev().find(|own| says_the_same(own));
    match decided.map(|own| own.status) {
        // The other side of a choice may hold one day: what is said anew after it is meant anew.
        Some(Status::Rejected)
            if decided.is_some_and(|own| own.decided_because.is_none() || draft.day <= own.day) =>
        {
            return Err(Refusal::Rejected);
        }
        // What is said anew after it was taken out may be meant anew.
        Some(Status::Promoted | Status::Accepted)
            if decided.is_some_and(|own| draft.day <= own.day) =>
        {
            return Err(Refusal::TakenOut);
        }
        Some(Status::Promoted | Status::Accepted | Status::Pending | Status::Rejected) | None => {}
    }
    let signals = signals(&Looked {
        importance: draft.importance,
        section: &draft.section,
        n_days: draft.days.len(),
        n_said: draft.n_said,
        grounded_percent: draft.grounded.percent,
        said_on: draft.day,
        today: day(settling.now, settling.timezone),
    });
    let score = total(&signals);
    if score < STAGED_MIN {
        return Err(Refusal::LowScore);
    }
    let is_taken = |id: &CandidateId| state.knows(id) || taken.contains(id);
    Ok(Candidate {
        id: CandidateId::of(&draft.finding, &draft.grounded.evidence, is_taken),
        finding: draft.finding.clone(),
        section: draft.section.clone(),
        proposal,
        evidence: draft.grounded.evidence.clone(),
        origin: draft.grounded.origin,
        found_in: draft.found_in,
        day: draft.day,
        proposed_at: settling.now,
        score,
        signals,
        staged_because: None,
        status: Status::Pending,
        decided_at: None,
        decided_because: None,
        missing_since: None,
        is_shown: false,
    })
}

/// A new line, or one beside another that cannot hold with it.
fn disputed(draft: &Draft) -> Proposal {
    let other = draft.disputed_by.clone();
    let other = other.or_else(|| draft.said_since.clone());
    other.map_or(Proposal::Add, |other| Proposal::Beside {
        other,
        why: Beside::SaidBoth,
    })
}

/// What became of all candidates.
struct Gated {
    promoted: Vec<Candidate>,
    staged: Vec<Candidate>,
    /// The notes of what was refused for want of room: the next dream reads them again.
    unread: BTreeSet<(Day, String)>,
}

/// Promotes, stages, or refuses for want of room; what was left over comes before all that is new.
fn gated(
    settling: &Settling<'_>,
    mut left_over: LeftOver,
    candidates: Vec<(Candidate, Draft)>,
    report: &mut DreamReport,
) -> Gated {
    left_over.promoted.truncate(PROMOTED_MAX);
    let mut n_added = left_over.promoted.len();
    let n_waited = settling.state.pending.len() - n_added;
    let (mut promoted, mut staged) = (left_over.promoted, Vec::new());
    let mut unread = BTreeSet::new();
    let mut of_session: BTreeMap<String, usize> = BTreeMap::new();
    let mut replaced: BTreeSet<String> = BTreeSet::new();
    for (mut candidate, draft) in candidates {
        let path = candidate.evidence.first().map(|own| own.path.clone());
        let path = path.unwrap_or_default();
        if of_session
            .get(&path)
            .is_some_and(|own| *own >= SESSION_LINES_MAX)
        {
            report.refuse(Refusal::SessionFull);
            unread.extend(draft.notes);
            continue;
        }
        if promoted.len() + staged.len() >= DREAM_LINES_MAX {
            report.refuse(Refusal::DreamFull);
            unread.extend(draft.notes);
            continue;
        }
        let passing = Passing {
            origin: candidate.origin,
            is_pasted: draft.grounded.is_pasted,
            is_orphan: draft.is_orphan,
            is_backfill: candidate.found_in == FoundIn::SessionReplay,
            said_since: draft.said_since.as_deref(),
            proposal: &candidate.proposal,
            score: candidate.score,
        };
        let mut why = waits_because(&passing, settling.settings.promotion);
        let ends_nothing = candidate.proposal == Proposal::Add && !draft.is_newer;
        if why.is_none() && ends_nothing && draft.own.is_end_alone() {
            why = Some(ENDS_NOTHING.to_owned());
        }
        let is_newer = matches!(candidate.proposal, Proposal::Supersede { .. });
        if why.is_none() && !is_newer && n_added >= PROMOTED_MAX {
            why = Some(PROMOTED_ENOUGH.to_owned());
        }
        // Two newer values for one line: the better one replaces it, the owner sees to the other.
        if let Proposal::Supersede { line, .. } = &candidate.proposal
            && why.is_none()
            && !replaced.insert(line.clone())
        {
            why = Some("another newer value was promoted in the same dream".to_owned());
        }
        let n_waiting = n_waited + staged.len();
        if why.is_some() && n_waiting >= PENDING_MAX {
            report.refuse(Refusal::QueueFull);
            continue;
        }
        *of_session.entry(path).or_default() += 1;
        candidate.staged_because = why;
        if candidate.staged_because.is_none() {
            n_added += usize::from(!is_newer);
            promoted.push(candidate);
        } else {
            staged.push(candidate);
        }
    }
    staged.extend(left_over.disputed);
    Gated {
        promoted,
        staged,
        unread,
    }
}

#[cfg(test)]
#[path = "settle_tests.rs"]
mod tests;
