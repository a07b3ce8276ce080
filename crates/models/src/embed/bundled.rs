//! The static model in the program: the vector of a text is the weighted sum of its tokens' rows.
//!
//! Needs no file, no network and no time to load.

use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile, WordVectors};

use super::tokens::tokens;
use super::weights::Weights;

/// The embedder that is always there.
#[derive(Debug, Clone, Copy)]
pub struct BundledEmbedder {
    weights: Weights,
}

/// Its name, for people.
const NAME: &str = "bundled";

/// Says which model it is; another file of weights must have another one.
const IDENTITY: &str = "bundled:all-MiniLM-L6-v2:static-128:2";

/// Texts cost nothing each, so that batches bring nothing but room.
const BATCH_MAX: usize = 1_024;

impl BundledEmbedder {
    /// The embedder; `None` where the program was put together with something else than the weights.
    pub fn new() -> Option<Self> {
        Some(Self {
            weights: Weights::bundled()?,
        })
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

    fn nearest(&self, vector: &[f32], n_max: usize) -> Vec<(String, f32)> {
        let mut found: Vec<(usize, f32)> = Vec::new();
        for token in 0..self.weights.n_tokens() {
            let (mut dot, mut square) = (0.0_f32, 0.0_f32);
            for (left, part) in vector.iter().zip(self.weights.row(token)) {
                let right = f32::from(part);
                dot += left * right;
                square += right * right;
            }
            let cosine = dot / square.sqrt().max(f32::MIN_POSITIVE);
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
        let name = |(token, cosine): (usize, f32)| (self.weights.name(token).to_owned(), cosine);
        found.into_iter().map(name).collect()
    }
}

/// Gives a vector the length 1; one of nothing stays as it is.
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

    fn cosine(left: &[f32], right: &[f32]) -> f32 {
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
        assert!(cosine(boat, ship) > cosine(boat, tax) + 0.2);
        assert!((cosine(boat, boat) - 1.0).abs() < 1e-5);
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
    }
}
