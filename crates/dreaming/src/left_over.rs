//! What earlier dreams would have promoted and had no room for: it passed every gate, and comes first now.
//!
//! Pure; judges anew only what may have changed since.

use memory::candidates::{Candidate, CandidateId, Proposal};
use memory::curated::CuratedLine;

use crate::gate::PROMOTED_ENOUGH;
use crate::merge::{Relation, Standing, relation, standing};
use crate::settings::Promotion;
use crate::settle::Settling;
use crate::words::{Words, words};

/// The candidates that waited for room alone, the best first; `new` is what this dream found itself.
pub(crate) fn left_over(
    settling: &Settling<'_>,
    new: &[&Words],
    lines: &[CuratedLine],
) -> Vec<Candidate> {
    if !settling.is_first_part || settling.settings.promotion == Promotion::Review {
        return Vec::new();
    }
    let waiting = settling.state.pending.iter();
    let mut found: Vec<Candidate> = waiting
        .filter(|own| is_untouched(own) && holds_still(settling, own, new, lines))
        .cloned()
        .collect();
    found.sort_by_key(|own| (std::cmp::Reverse(own.score), own.day));
    for own in &mut found {
        own.staged_because = None;
    }
    found
}

/// Whether it waits for nothing but room, and the owner has not begun to decide on it.
fn is_untouched(own: &Candidate) -> bool {
    let whole = CandidateId::of(&own.finding, &own.evidence, |_| true);
    let is_as_found = whole.as_str().starts_with(own.id.as_str());
    own.staged_because.as_deref() == Some(PROMOTED_ENOUGH)
        && own.missing_since.is_none()
        && own.proposal == Proposal::Add
        && is_as_found
}

/// Whether neither memory nor what was said since says otherwise.
fn holds_still(
    settling: &Settling<'_>,
    own: &Candidate,
    new: &[&Words],
    lines: &[CuratedLine],
) -> bool {
    let finding = words(&own.finding);
    let is_wanted =
        !settling.state.was_rejected(&own.finding) && !settling.tombstones.bars(&own.finding);
    let agrees = |new: &&Words| matches!(relation(new, &finding), Relation::Apart | Relation::Same);
    is_wanted
        && new.iter().all(agrees)
        && standing(&finding, own.day, lines) == Standing::Proposed(Proposal::Add)
}
