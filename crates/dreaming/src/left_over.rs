//! What earlier dreams would have promoted and had no room for: it passed every gate, and comes first now.
//!
//! Pure; judges anew whatever may have changed since.

use std::cmp::Ordering;

use memory::candidates::{Candidate, CandidateId, FoundIn, Proposal};
use memory::curated::CuratedLine;

use crate::gate::{PROMOTED_ENOUGH, Passing, waits_because};
use crate::ground::grounded;
use crate::material::Source;
use crate::merge::{Relation, Standing, relation, standing};
use crate::settle::Settling;
use crate::words::{Words, words_under};

/// The candidates that waited for room alone, the best first; `new` is what this dream found itself.
pub(crate) fn left_over(
    settling: &Settling<'_>,
    new: &[&Words],
    lines: &[CuratedLine],
) -> Vec<Candidate> {
    let may_pass = |own: &&Candidate| is_untouched(own) && passes_again(settling, own);
    let found: Vec<&Candidate> = settling.state.pending.iter().filter(may_pass).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let waiting: Vec<Waiting<'_>> = settling.state.pending.iter().map(Waiting::from).collect();
    let mut found: Vec<Candidate> = waiting
        .iter()
        .filter(|own| found.contains(&own.candidate))
        .filter(|own| holds_still(settling, own, (new, &waiting), lines))
        .map(|own| own.candidate.clone())
        .collect();
    found.sort_by_key(|own| (std::cmp::Reverse(own.score), own.day));
    for own in &mut found {
        own.staged_because = None;
    }
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
        proposal: &own.proposal,
        score: own.score,
    };
    waits_because(&passing, settling.settings.promotion).is_none()
}

/// Whether neither memory, nor what was said since, nor what waits says otherwise.
fn holds_still(
    settling: &Settling<'_>,
    own: &Waiting<'_>,
    (new, waiting): (&[&Words], &[Waiting<'_>]),
    lines: &[CuratedLine],
) -> bool {
    let Waiting { candidate, words } = own;
    let finding = &candidate.finding;
    let is_wanted = !settling.state.was_rejected(finding) && !settling.tombstones.bars(finding);
    let agrees = |new: &&Words| matches!(relation(new, words), Relation::Apart | Relation::Same);
    is_wanted
        && new.iter().all(agrees)
        && waiting.iter().all(|other| holds_beside(own, other))
        && standing(words, candidate.day, lines) == Standing::Proposed(Proposal::Add)
}

/// Whether it may be promoted though the other one waits: where they exclude one another, only the later of
/// two values may.
fn holds_beside(own: &Waiting<'_>, other: &Waiting<'_>) -> bool {
    let is_itself = own.candidate.id == other.candidate.id;
    // A page neither replaces nor disputes what the owner says in person.
    if is_itself || other.candidate.origin > own.candidate.origin {
        return true;
    }
    let said = |own: &Waiting<'_>| (own.candidate.day, own.candidate.proposed_at);
    let own_to_other = || relation(&own.words, &other.words);
    let other_to_own = || relation(&other.words, &own.words);
    match said(own).cmp(&said(other)) {
        Ordering::Greater => matches!(own_to_other(), Relation::Apart | Relation::Changed),
        Ordering::Less => matches!(other_to_own(), Relation::Apart | Relation::Same),
        Ordering::Equal => own_to_other() == Relation::Apart && other_to_own() == Relation::Apart,
    }
}
