//! The bundled static model: a text's vector is the weighted sum of its tokens' rows.
//!
//! Needs no file, no network and no loading time.

use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile, WordVectors};
use pulp::Arch;

use super::near::NearWords;
use super::tokens::tokens;
use super::weights::StaticWeights;

/// The embedder that is always available.
#[derive(Debug, Clone, Copy)]
pub struct BundledEmbedder {
    weights: StaticWeights,
}

const NAME: &str = "bundled";

/// Names the model and its version; change it together with the weights.
const IDENTITY: &str = "bundled:all-MiniLM-L6-v2+e5:static-128:4";

/// A call has no fixed cost, so this only bounds memory.
const BATCH_MAX: usize = 1_024;

impl BundledEmbedder {
    /// The embedder; `None` if the program was built without valid weights.
    pub fn new() -> Option<Self> {
        Some(Self {
            weights: StaticWeights::bundled()?,
        })
    }

    /// Replaces the number of a token with its name.
    fn named(&self, (token, cosine): (usize, f32)) -> (String, f32) {
        (self.weights.name(token).to_owned(), cosine)
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.weights.dimensions];
        tokens(&self.weights, text, &mut |token| {
            let weight = self.weights.weight(token);
            for (sum, part) in sum.iter_mut().zip(self.weights.row(token)) {
                *sum += weight * f32::from(part);
            }
        });
        unit(&mut sum);
        sum
    }
}

impl Embedder for BundledEmbedder {
    fn profile(&self) -> EmbedderProfile {
        EmbedderProfile {
            name: NAME.into(),
            identity: IDENTITY.into(),
            dimensions: Some(self.weights.dimensions),
            batch_max: BATCH_MAX,
        }
    }

    fn embed(&self, _: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }

    fn words(&self) -> Option<&dyn WordVectors> {
        Some(self)
    }
}

impl WordVectors for BundledEmbedder {
    fn word(&self, word: &str) -> Option<Vec<f32>> {
        let vector = self.vector(word);
        vector.iter().any(|part| *part != 0.0).then_some(vector)
    }

    fn is_whole(&self, word: &str) -> bool {
        let mut parts = Vec::new();
        tokens(&self.weights, word, &mut |token| parts.push(token));
        matches!(parts.as_slice(), [_])
    }

    fn near(&self, word: &str) -> Vec<(String, f32)> {
        let mut parts = Vec::new();
        tokens(&self.weights, word, &mut |token| parts.push(token));
        let table = NearWords::bundled().filter(|near| near.n_tokens() == self.weights.n_tokens());
        // Subword parts seldom add up to the meaning of their word.
        match (parts.as_slice(), table) {
            ([token], Some(table)) => table.of(*token).map(|found| self.named(found)).collect(),
            _ => Vec::new(),
        }
    }

    fn nearest(&self, vector: &[f32], n_max: usize) -> Vec<(String, f32)> {
        let (asked, step) = in_steps(vector);
        let rows = self.weights.rows();
        let cosines: Vec<f32> =
            Arch::new().dispatch(|| rows.map(|row| cosine(row, &asked) * step).collect());
        let mut found: Vec<(usize, f32)> = Vec::new();
        for (token, cosine) in cosines.into_iter().enumerate() {
            if found.len() < n_max || found.last().is_some_and(|(_, last)| cosine > *last) {
                let name = self.weights.name(token);
                if name.starts_with("##") || !name.chars().all(char::is_alphanumeric) {
                    continue;
                }
                let at = found.partition_point(|(_, known)| *known >= cosine);
                found.insert(at, (token, cosine));
                found.truncate(n_max);
            }
        }
        found.into_iter().map(|found| self.named(found)).collect()
    }
}

/// The cosine of a row with a quantised unit vector, in steps.
#[expect(
    clippy::inline_always,
    reason = "it must use the CPU features of its caller"
)]
#[inline(always)]
fn cosine(row: &[u8], asked: &[i16]) -> f32 {
    let (mut dot, mut square) = (0_i32, 0_i32);
    for (byte, asked) in row.iter().zip(asked) {
        let part = i16::from(byte.cast_signed());
        dot += i32::from(part) * i32::from(*asked);
        square += i32::from(part) * i32::from(part);
    }
    single(dot) / single(square).sqrt().max(f32::MIN_POSITIVE)
}

/// Quantises a vector to integers; returns the step size. Integer arithmetic is much faster.
fn in_steps(vector: &[f32]) -> (Vec<i16>, f32) {
    let greatest = vector
        .iter()
        .fold(0.0_f32, |greatest, part| greatest.max(part.abs()));
    let step = greatest.max(f32::MIN_POSITIVE) / STEPS;
    (vector.iter().map(|part| whole(part / step)).collect(), step)
}

/// Steps of the largest component; a sum of products with bytes fits into 32 bits.
const STEPS: f32 = 4_096.0;

#[expect(
    clippy::cast_possible_truncation,
    reason = "clamped to the range of steps"
)]
fn whole(steps: f32) -> i16 {
    steps.round().clamp(-STEPS, STEPS) as i16
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a cosine needs no more precision"
)]
fn single(sum: i32) -> f32 {
    sum as f32
}

/// Normalises a vector to length 1; a zero vector stays unchanged.
fn unit(vector: &mut [f32]) {
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length > 0.0 {
        for part in vector {
            *part /= length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(left: &[f32], right: &[f32]) -> f32 {
        left.iter()
            .zip(right)
            .map(|(left, right)| left * right)
            .sum()
    }

    #[test]
    fn texts_about_the_same_are_nearer_than_others() {
        let embedder = BundledEmbedder::new().unwrap();
        let texts = ["the boat sails", "a ship at sea", "tax return form", ""];
        let vectors = embedder.embed(EmbedRole::Passage, &texts).unwrap();
        let [boat, ship, tax, nothing] = vectors.as_slice() else {
            panic!("four texts have four vectors");
        };
        assert!(likeness(boat, ship) > likeness(boat, tax) + 0.2);
        assert!((likeness(boat, boat) - 1.0).abs() < 1e-5);
        assert!(nothing.iter().all(|part| *part == 0.0));
    }

    #[test]
    fn words_have_near_words() {
        let embedder = BundledEmbedder::new().unwrap();
        let near = embedder.nearest(&embedder.word("boat").unwrap(), 6);
        let names: Vec<&str> = near.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.first(), Some(&"boat"));
        assert!(
            names.contains(&"boats") && names.contains(&"yacht"),
            "{names:?}"
        );
        assert!(embedder.word("\u{1f642}\u{1f642}").is_none());
        assert_eq!(embedder.near("\u{1f642}\u{1f642}"), []);
    }

    #[test]
    fn words_near_to_a_word_of_one_token_are_those_nearest_to_its_vector() {
        let embedder = BundledEmbedder::new().unwrap();
        let names = |near: Vec<(String, f32)>| -> Vec<String> {
            near.into_iter().map(|(name, _)| name).collect()
        };
        let near = names(embedder.near("boat"));
        assert_eq!(near, names(base::near_by_vector(&embedder, "boat")));
        assert!(near.len() > 1);
        assert_eq!(embedder.near("unaffable"), []);
    }
}
