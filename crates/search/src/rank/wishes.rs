//! Finds the standing wishes nearest to a request for advice, even if they share no words.
//!
//! Compares the request with wishes only, so that other near passages cannot crowd them out.

use super::bounds::{Bounds, KnownStretch};
use super::meaning::QuestionVector;
use super::score::TermPlace;
use crate::index::{IndexError, IndexSnapshot, StretchId};
use crate::terms::Term;

/// Minimum cosine of a wish with a request that it concerns.
///
/// Measured: 1 in 30 matching pairs falls below it, and half of the unrelated pairs.
pub(super) const COSINE_MIN: f64 = 0.05;

/// Maximum number of wish stretches that are compared; if there are more, wishes are found only by words or meaning.
const LOOKED_AT: usize = 512;

/// How many of the nearest wish stretches join the shortlist.
const NEAREST: usize = 24;

/// The stretches with the wishes nearest to a request.
pub(super) fn near_wishes(
    snapshot: &IndexSnapshot<'_>,
    meaning: &QuestionVector,
    bounds: &Bounds<'_>,
) -> Result<Vec<i64>, IndexError> {
    let wishes = snapshot.postings.of_term(&Term::wish())?;
    let of_segment = |segment| {
        let docs = wishes.counts(segment);
        docs.map(move |(doc, _)| StretchId::new(segment, doc))
    };
    let stretches = (0..snapshot.postings.n_segments()).flat_map(of_segment);
    let mut stretches: Vec<StretchId> = stretches.take(LOOKED_AT + 1).collect();
    if stretches.len() > LOOKED_AT {
        return Ok(Vec::new());
    }
    if !bounds.allow_all() {
        let facts = snapshot.facts()?;
        stretches.retain(|stretch| {
            bounds.allow(KnownStretch {
                key: snapshot.postings.key(*stretch),
                source: facts.source(*stretch),
                day: facts.day(*stretch),
            })
        });
    }
    let places = snapshot.postings.places(&wishes, &stretches)?;
    let mut nearest: Vec<(f64, i64)> = Vec::new();
    for (stretch, hits) in stretches.iter().zip(places) {
        let key = snapshot.postings.key(*stretch);
        let Some(rows) = snapshot.vectors_of(key)? else {
            continue;
        };
        let cosines = meaning.cosines(&rows);
        let of_wishes = hits.places().filter_map(|place| match place {
            TermPlace::Piece(piece) => cosines.get(piece).copied(),
            TermPlace::Heading => None,
        });
        nearest.extend(of_wishes.max_by(f64::total_cmp).map(|best| (best, key)));
    }
    nearest.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    nearest.truncate(NEAREST);
    Ok(nearest.into_iter().map(|(_, key)| key).collect())
}
