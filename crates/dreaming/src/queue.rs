//! The owner's queue: which candidates wait for review, and which are not worth the owner's time.
//!
//! Pure.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use base::Day;
use memory::candidates::Candidate;

use crate::gate::is_important;
use crate::settings::DreamSettings;

/// Splits candidates into those that wait, the most useful first, and the others.
///
/// At most `reviewPerDay` of the waiting candidates come from one day, and at most `reviewWaiting` candidates wait in
/// all. A candidate of little importance waits only while no more than `reviewPerDay` wait in all. A candidate that the
/// owner has reworded stays.
pub(crate) fn offered(
    mut all: Vec<Candidate>,
    settings: &DreamSettings,
) -> (Vec<Candidate>, Vec<Candidate>) {
    // Stable: of equals, the one found first stays first, whatever its id.
    all.sort_by_key(|own| {
        let is_as_proposed = own.proposed_as.is_none();
        (is_as_proposed, Reverse(own.score), Reverse(own.day))
    });
    let mut of_day: BTreeMap<Day, usize> = BTreeMap::new();
    let mut n_kept = 0;
    all.into_iter().partition(|own| {
        let n_of_day = of_day.entry(own.day).or_default();
        let has_room = n_kept < settings.review_waiting
            && *n_of_day < settings.review_per_day
            && (is_important(own) || n_kept < settings.review_per_day);
        let stays = has_room || own.proposed_as.is_some();
        if stays {
            *n_of_day += 1;
            n_kept += 1;
        }
        stays
    })
}
