//! What earlier dreams would have promoted and had no room for: it passed every gate, and comes first now.
//!
//! Pure; judges anew whatever may have changed since.

use std::cmp::Ordering;

use base::{Day, Timestamp};
use memory::candidates::{Beside, Candidate, CandidateId, FoundIn, Proposal};
use memory::curated::CuratedLine;

use crate::gate::{
    KNOWN_BY_NOW, OUTDATED_BY_NOW, PROMOTED_ENOUGH, Passing, SAID_BOTH, SAID_SINCE, SAYS_OTHERWISE,
    waits_because,
};
use crate::ground::grounded;
use crate::material::Source;
use crate::merge::{Relation, Said, Standing, relation, standing};
use crate::settle::Settling;
use crate::since::{Later, SaidLast, said_since};
use crate::words::{Words, words_under};

/// What becomes of those that waited for room alone.
#[derive(Debug, Default)]
pub(crate) struct LeftOver {
    /// What is let in now, the best first.
    pub(crate) promoted: Vec<Candidate>,
    /// What goes on waiting, for another reason than before.
    pub(crate) disputed: Vec<Candidate>,
}

/// Judges the candidates that waited for room alone; `new` is what this dream found itself.
pub(crate) fn left_over(
    settling: &Settling<'_>,
    (new, later): (&[&Words], &Later<'_>),
    lines: &[CuratedLine],
) -> LeftOver {
    let pending = &settling.state.pending;
    let may_pass: Vec<bool> = pending
        .iter()
        .map(|own| is_untouched(own) && passes_again(settling, own))
        .collect();
    let mut found = LeftOver::default();
    if !may_pass.contains(&true) {
        return found;
    }
    let waiting: Vec<Waiting<'_>> = pending.iter().map(Waiting::from).collect();
    for (own, may_pass) in waiting.iter().zip(may_pass) {
        if !may_pass || is_turned_down(settling, own.candidate) {
            continue;
        }
        let mut candidate = own.candidate.clone();
        let otherwise = said_otherwise(own, (new, &waiting), lines);
        match otherwise.or_else(|| overtaken(own, later)) {
            None => {
                candidate.staged_because = None;
                found.promoted.push(candidate);
            }
            Some((proposal, because)) => {
                candidate.proposal = proposal;
                candidate.staged_because = Some(because.to_owned());
                found.disputed.push(candidate);
            }
        }
    }
    found
        .promoted
        .sort_by_key(|own| (std::cmp::Reverse(own.score), own.day));
    found
}

/// A candidate that waits, with what it says.
struct Waiting<'a> {
    candidate: &'a Candidate,
    words: Words,
}

impl<'a> From<&'a Candidate> for Waiting<'a> {
    fn from(candidate: &'a Candidate) -> Self {
        let words = words_under(&candidate.section, &candidate.finding);
        Self { candidate, words }
    }
}

/// Whether it waits for nothing but room.
pub(crate) fn waits_for_room(own: &Candidate) -> bool {
    own.staged_because.as_deref() == Some(PROMOTED_ENOUGH)
}

/// Whether it waits for nothing but room, and the owner has not begun to decide on it.
fn is_untouched(own: &Candidate) -> bool {
    let whole = CandidateId::of(&own.finding, &own.evidence, |_| true);
    let is_as_found = whole.as_str().starts_with(own.id.as_str());
    waits_for_room(own)
        && own.missing_since.is_none()
        && own.proposal == Proposal::Add
        && is_as_found
}

/// Whether what is still there says so, and the gates let it through once more.
fn passes_again(settling: &Settling<'_>, own: &Candidate) -> bool {
    let is_cited = |source: &&Source| {
        let evidence = &mut own.evidence.iter();
        evidence.any(|evidence| evidence.path == source.path && evidence.key == source.key)
    };
    let sources: Vec<&Source> = settling
        .material
        .still_said
        .iter()
        .filter(is_cited)
        .collect();
    let Some(grounded) = grounded(&own.finding, &sources) else {
        return false;
    };
    let passing = Passing {
        origin: own.origin.max(grounded.origin),
        is_pasted: grounded.is_pasted,
        is_orphan: false,
        is_backfill: own.found_in == FoundIn::SessionReplay,
        said_since: None,
        proposal: &own.proposal,
        score: own.score,
    };
    waits_because(&passing, settling.settings.promotion).is_none()
}

/// Whether the owner turned the same down, or had it forgotten.
fn is_turned_down(settling: &Settling<'_>, own: &Candidate) -> bool {
    settling.state.was_rejected(&own.finding) || settling.tombstones.bars(&own.finding)
}

/// What memory, what was said since or what waits says otherwise, and why it goes on waiting for that.
fn said_otherwise(
    own: &Waiting<'_>,
    (new, waiting): (&[&Words], &[Waiting<'_>]),
    lines: &[CuratedLine],
) -> Option<(Proposal, &'static str)> {
    let words = &own.words;
    let of_new = new.iter().find_map(|new| match relation(new, words) {
        Relation::Apart | Relation::Same => None,
        Relation::Changed => Some((&new.text, SAID_SINCE)),
        Relation::Doubtful | Relation::Contradicts => Some((&new.text, SAID_BOTH)),
    });
    let of_waiting = || {
        let other = waiting.iter().find(|other| !holds_beside(own, other))?;
        let is_newer =
            said(other) > said(own) && relation(&other.words, words) == Relation::Changed;
        let why = if is_newer { SAID_SINCE } else { SAID_BOTH };
        Some((&other.candidate.finding, why))
    };
    if let Some((other, because)) = of_new.or_else(of_waiting) {
        let proposal = Proposal::Beside {
            other: other.clone(),
            why: Beside::SaidBoth,
        };
        return Some((proposal, because));
    }
    let said = Said {
        day: own.candidate.day,
        evidence: &own.candidate.evidence,
    };
    match standing(words, said, lines) {
        Standing::Proposed(Proposal::Add) => None,
        Standing::Known => Some((Proposal::Add, KNOWN_BY_NOW)),
        Standing::Outdated => Some((Proposal::Add, OUTDATED_BY_NOW)),
        Standing::Proposed(proposal @ (Proposal::Beside { .. } | Proposal::Supersede { .. })) => {
            Some((proposal, SAYS_OTHERWISE))
        }
    }
}

/// What the owner said since that may end it, be it noted or not.
fn overtaken(own: &Waiting<'_>, later: &Later<'_>) -> Option<(Proposal, &'static str)> {
    let evidence = own.candidate.evidence.first();
    let last = SaidLast {
        day: own.candidate.day,
        at: None,
        place: evidence.map(|own| (own.path.as_str(), (own.line, Some(usize::MAX)))),
    };
    let other = said_since(&own.words, last, later)?;
    let why = Beside::SaidBoth;
    Some((Proposal::Beside { other, why }, SAID_SINCE))
}

/// When it was said, as far as days and dreams tell.
fn said(own: &Waiting<'_>) -> (Day, Timestamp) {
    (own.candidate.day, own.candidate.proposed_at)
}

/// Whether it may be promoted though the other one waits: where they exclude one another, only the later of
/// two values may.
fn holds_beside(own: &Waiting<'_>, other: &Waiting<'_>) -> bool {
    let is_itself = own.candidate.id == other.candidate.id;
    // A page neither replaces nor disputes what the owner says in person.
    if is_itself || other.candidate.origin > own.candidate.origin {
        return true;
    }
    let own_to_other = || relation(&own.words, &other.words);
    let other_to_own = || relation(&other.words, &own.words);
    match said(own).cmp(&said(other)) {
        Ordering::Greater => matches!(own_to_other(), Relation::Apart | Relation::Changed),
        Ordering::Less => matches!(other_to_own(), Relation::Apart | Relation::Same),
        Ordering::Equal => own_to_other() == Relation::Apart && other_to_own() == Relation::Apart,
    }
}
