//! Semantic similarity of passages to a question, by embedding vectors.
//!
//! Contributes nothing where vectors are missing: words then decide alone.

use std::sync::Arc;

use base::{EmbedRole, Embedder, WordVectors};
use pulp::Arch;

use super::bounds::{Bounds, KnownStretch};
use super::model::Degraded;
use crate::index::{
    EmbedderRow, Index, IndexError, IndexSnapshot, PackedStretch, PackedVectors, SCALE, VectorRow,
    signs,
};

/// Weight of neighbouring pieces' cosines, by distance.
const NEIGHBOURS: [f64; 2] = [0.4, 0.2];

/// Minimum number of stretches shortlisted by meaning, besides those found by words.
const SHORTLIST_MIN: usize = 64;

/// How many pieces are compared exactly after the search by signs.
const LOOKED_AT: usize = 2_048;

/// Half of the mean is subtracted at this many vectors. Content that all passages share carries no information, but a
/// few passages may share the content that the question asks for.
const MEAN_OF: f64 = 64.0;

/// Accumulators per loop, so that the compiler can vectorise it.
const LANES: usize = 16;

/// Value of one quantisation step.
const STEP: f32 = 1.0 / SCALE;

/// A question's vector, comparable with those of the index.
#[derive(Debug)]
pub(crate) struct QuestionVector {
    /// Unit length, mean subtracted.
    question: Vec<f32>,
    mean: Vec<f32>,
    embedder: Option<Arc<dyn Embedder>>,
}

impl QuestionVector {
    /// Embeds a question; `Ok(None)` without an embedder or vectors, a [`Degraded`] reason if it cannot be used now.
    pub(crate) fn of(
        index: &Index,
        snapshot: &IndexSnapshot<'_>,
        question: &str,
    ) -> Result<Option<Self>, Degraded> {
        let Some(embedder) = &index.embedder else {
            return Ok(None);
        };
        let identity = embedder.profile().identity;
        let row = snapshot.vectors.as_ref().map(|vectors| &vectors.embedder);
        let row = row.filter(|row| row.identity == identity && row.is_complete);
        let Some(row) = row else {
            return Err(Degraded::VectorsIncomplete);
        };
        if row.n_vectors == 0 {
            // Nothing to compare with: skip the embedder call.
            return Ok(None);
        }
        let vectors = embedder.embed(EmbedRole::Question, &[question]);
        let vector = vectors.ok().and_then(|vectors| vectors.into_iter().next());
        match vector {
            Some(vector) if vector.len() == row.dimensions => Ok(Some(Self {
                embedder: Some(Arc::clone(embedder)),
                ..Self::centred(vector, row)
            })),
            _ => Err(Degraded::EmbedderFailed),
        }
    }

    fn centred(mut question: Vec<f32>, row: &EmbedderRow) -> Self {
        let mean = row.mean_of(MEAN_OF);
        let length = |vector: &[f32]| vector.iter().map(|part| part * part).sum::<f32>().sqrt();
        let whole = length(&question).max(f32::MIN_POSITIVE);
        for (part, mean) in question.iter_mut().zip(&mean) {
            *part = *part / whole - mean;
        }
        let rest = length(&question).max(f32::MIN_POSITIVE);
        for part in &mut question {
            *part /= rest;
        }
        Self {
            question,
            mean,
            embedder: None,
        }
    }

    /// Vectors of single words, if the embedder has them.
    pub(crate) fn words(&self) -> Option<&dyn WordVectors> {
        self.embedder.as_deref()?.words()
    }

    /// The cosine of each row with the question.
    pub(crate) fn cosines(&self, rows: &[u8]) -> Vec<f64> {
        self.cosines_of(rows.chunks_exact(self.question.len().max(1)))
    }

    /// The same for rows that are not contiguous.
    fn cosines_of<'r>(&self, rows: impl Iterator<Item = &'r [u8]>) -> Vec<f64> {
        Arch::new().dispatch(|| rows.map(|row| f64::from(self.cosine(row))).collect())
    }

    /// The cosine of the sum of all rows with the question.
    pub(crate) fn whole(&self, rows: &[u8]) -> f64 {
        let mut sum = vec![0.0_f32; self.question.len()];
        for row in rows.chunks_exact(self.question.len().max(1)) {
            let parts = || {
                row.iter()
                    .zip(&self.mean)
                    .map(|(byte, mean)| f32::from(byte.cast_signed()) * STEP - mean)
            };
            let length = parts().map(|part| part * part).sum::<f32>().sqrt();
            for (sum, part) in sum.iter_mut().zip(parts()) {
                *sum += part / length.max(f32::MIN_POSITIVE);
            }
        }
        let dot: f32 = sum
            .iter()
            .zip(&self.question)
            .map(|(part, asked)| part * asked)
            .sum();
        let length = sum.iter().map(|part| part * part).sum::<f32>().sqrt();
        f64::from(dot / length.max(f32::MIN_POSITIVE))
    }

    #[expect(
        clippy::inline_always,
        reason = "it must use the CPU features of its caller"
    )]
    #[inline(always)]
    fn cosine(&self, row: &[u8]) -> f32 {
        let (rows, row_rest) = row.as_chunks::<LANES>();
        let (questions, question_rest) = self.question.as_chunks::<LANES>();
        let (means, mean_rest) = self.mean.as_chunks::<LANES>();
        let (mut dots, mut squares) = ([0.0_f32; LANES], [0.0_f32; LANES]);
        for ((row, question), mean) in rows.iter().zip(questions).zip(means) {
            let parts = row.iter().zip(question).zip(mean);
            for ((dot, square), ((byte, question), mean)) in
                dots.iter_mut().zip(&mut squares).zip(parts)
            {
                let part = f32::from(byte.cast_signed()) * STEP - mean;
                *dot += part * question;
                *square += part * part;
            }
        }
        let (mut dot, mut square) = (dots.iter().sum::<f32>(), squares.iter().sum::<f32>());
        for ((byte, question), mean) in row_rest.iter().zip(question_rest).zip(mean_rest) {
            let part = f32::from(byte.cast_signed()) * STEP - mean;
            dot += part * question;
            square += part * part;
        }
        dot / square.sqrt().max(f32::MIN_POSITIVE)
    }

    /// Compares the vectors in the store; [`Sight::nearest`] scans those in the pack.
    pub(crate) fn sight<'s>(
        &'s self,
        snapshot: &'s IndexSnapshot<'_>,
        bounds: &'s Bounds<'s>,
    ) -> Result<Sight<'s>, IndexError> {
        let mut best = NearestStretches::default();
        let visit = |found: VectorRow| {
            let day = found.day.as_deref().filter(|_| bounds.ask_for_days());
            let known = KnownStretch {
                key: found.key,
                source: Some(found.source),
                day: day.and_then(|day| day.parse().ok()),
            };
            if bounds.allow(known) {
                for cosine in self.cosines(&found.rows) {
                    best.add(cosine, found.key);
                }
            }
        };
        snapshot.store().each_vectors(visit)?;
        let vectors = snapshot.vectors.as_ref();
        Ok(Sight {
            meaning: self,
            bounds,
            packed: vectors.and_then(|vectors| vectors.packed.as_ref()),
            n_exact: if snapshot.is_exact() {
                usize::MAX
            } else {
                LOOKED_AT
            },
            best,
        })
    }
}

/// Stretches by the cosine of their best piece; pieces of a stretch must be added consecutively.
#[derive(Debug, Default)]
struct NearestStretches(Vec<(f64, i64)>);

impl NearestStretches {
    fn add(&mut self, cosine: f64, key: i64) {
        match self.0.last_mut() {
            Some((known, of)) if *of == key => *known = known.max(cosine),
            Some(_) | None => self.0.push((cosine, key)),
        }
    }

    /// The keys of the best stretches, best first.
    fn best(mut self, n_best: usize) -> Vec<i64> {
        // Keys derive from places, so ties break the same way in every index of the same documents.
        let by_nearness = |left: &(f64, i64), right: &(f64, i64)| {
            right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
        };
        if self.0.len() > n_best {
            self.0.select_nth_unstable_by(n_best, by_nearness);
            self.0.truncate(n_best);
        }
        self.0.sort_by(by_nearness);
        self.0.into_iter().map(|(_, key)| key).collect()
    }
}

/// A search by meaning whose store part is done; the rest needs only the pack and can run on another thread.
#[derive(Debug)]
pub(crate) struct Sight<'s> {
    meaning: &'s QuestionVector,
    bounds: &'s Bounds<'s>,
    packed: Option<&'s PackedVectors>,
    /// How many pieces of the pack are compared exactly.
    n_exact: usize,
    best: NearestStretches,
}

impl Sight<'_> {
    /// Whether scanning the pack is long enough to be worth a thread.
    pub(crate) fn is_long(&self) -> bool {
        self.packed.is_some_and(|packed| packed.pack.is_long())
    }

    /// The best stretches within the bounds, by the cosine of their best piece.
    pub(crate) fn nearest(mut self) -> Result<Vec<i64>, IndexError> {
        if let Some(PackedVectors { pack, gone }) = self.packed {
            let known = |it: &PackedStretch| KnownStretch {
                key: it.key,
                source: it.source,
                day: if self.bounds.ask_for_days() {
                    it.day()
                } else {
                    None
                },
            };
            let is_open =
                |it: &PackedStretch| self.bounds.allow(known(it)) && !gone.contains(&it.key);
            let asked = signs(self.meaning.question.iter().copied());
            let near = pack.nearest(&asked, self.n_exact, &is_open)?;
            let cosines = self.meaning.cosines_of(near.iter().map(|near| near.row));
            for (near, cosine) in near.iter().zip(cosines) {
                self.best.add(cosine, near.key);
            }
        }
        let n_best = SHORTLIST_MIN.max(self.bounds.options.limit);
        Ok(self.best.best(n_best))
    }
}

/// Cosines with the neighbours' shares added.
pub(crate) fn in_context(cosines: &[f64]) -> Vec<f64> {
    let mut near = cosines.to_vec();
    for (distance, share) in (1..).zip(NEIGHBOURS) {
        for (idx, cosine) in cosines.iter().enumerate() {
            let before = idx.checked_sub(distance);
            for neighbour in before.into_iter().chain([idx + distance]) {
                if let Some(near) = near.get_mut(neighbour) {
                    *near += share * cosine;
                }
            }
        }
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centred_meaning_ignores_direction_shared_by_passages() {
        let row = EmbedderRow {
            identity: String::new(),
            dimensions: 2,
            is_complete: true,
            n_vectors: 1_000_000,
            // Nearly all passages point along the first axis.
            sums: vec![127_000_000, 0],
        };
        let meaning = QuestionVector::centred(vec![0.8, 0.6], &row);
        let rows: Vec<u8> = [127, 0, 102, 76, 102, -76_i8]
            .map(i8::cast_unsigned)
            .to_vec();
        let cosines = meaning.cosines(&rows);
        let [same, near, far] = cosines.as_slice() else {
            panic!("three rows have three cosines");
        };
        assert!(
            *near > 0.99 && *far < -0.7 && same.abs() < 0.6,
            "{cosines:?}"
        );
    }

    #[test]
    fn rows_are_compared_together_as_single_direction() {
        let row = EmbedderRow {
            identity: String::new(),
            dimensions: 2,
            is_complete: true,
            n_vectors: 0,
            sums: vec![0, 0],
        };
        let meaning = QuestionVector::centred(vec![0.6, 0.8], &row);
        // (1, 0) and (0, 1) point along (1, 1), however long they are: (0.6 + 0.8) / sqrt(2).
        let rows: Vec<u8> = [127, 0, 0, 63_i8].map(i8::cast_unsigned).to_vec();
        let whole = meaning.whole(&rows);
        assert!((whole - 0.989_949_5).abs() < 1e-6, "{whole}");
        assert!(meaning.whole(&[]).abs() < 1e-9);
    }

    #[test]
    fn meaning_in_context_adds_share_of_neighbours() {
        let near = in_context(&[1.0, 0.0, 0.0, 0.0, 2.0]);
        let expected = [1.0, 0.4, 0.2 + 0.4, 0.8, 2.0];
        let differs = |(left, right): (&f64, &f64)| (left - right).abs() > 1e-9;
        assert!(!near.iter().zip(&expected).any(differs), "{near:?}");
    }
}
