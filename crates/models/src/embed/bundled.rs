//! The bundled static model: a text's vector is the weighted sum of its tokens' rows.
//!
//! Needs no file, no network and no loading time.

use base::{EmbedError, EmbedRole, Embedder, EmbedderProfile, WordVectors};

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

    fn parts(&self, word: &str) -> Vec<usize> {
        let mut parts = Vec::new();
        tokens(&self.weights, word, &mut |token| parts.push(token));
        parts
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
        self.parts(word).len() == 1
    }

    fn near(&self, word: &str) -> Vec<(String, f32)> {
        let parts = self.parts(word);
        let table = NearWords::bundled().filter(|near| near.n_tokens() == self.weights.n_tokens());
        // Subword parts seldom add up to the meaning of their word.
        match (parts.as_slice(), table) {
            ([token], Some(table)) => table.of(*token).map(|found| self.named(found)).collect(),
            _ => Vec::new(),
        }
    }
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

    #[test]
    fn bundled_embedder_puts_related_texts_nearer() {
        let embedder = BundledEmbedder::new().unwrap();
        let texts = ["the boat sails", "a ship at sea", "tax return form", ""];
        let vectors = embedder.embed(EmbedRole::Passage, &texts).unwrap();
        let [boat, ship, tax, nothing] = vectors.as_slice() else {
            panic!("four texts have four vectors");
        };
        assert!(base::dot(boat, ship) > base::dot(boat, tax) + 0.2);
        assert!((base::dot(boat, boat) - 1.0).abs() < 1e-5);
        assert!(nothing.iter().all(|part| *part == 0.0));
    }

    #[test]
    fn bundled_near_words_include_word_and_synonyms() {
        let embedder = BundledEmbedder::new().unwrap();
        let near = embedder.near("boat");
        let names: Vec<&str> = near.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.first(), Some(&"boat"));
        assert!(["boats", "yacht"].iter().all(|it| names.contains(it)));
        // Of several tokens, and of none.
        assert_eq!(embedder.near("unaffable"), []);
        assert!(embedder.word("\u{1f642}\u{1f642}").is_none());
        assert_eq!(embedder.near("\u{1f642}\u{1f642}"), []);
    }
}
