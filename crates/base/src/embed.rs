//! The embedder port: texts become vectors, and words tell which words they are near to.
//!
//! Knows no model by name and no index.

use std::fmt::Debug;

/// Turns texts into vectors.
pub trait Embedder: Send + Sync + Debug {
    /// What the caller must know before it compares vectors.
    fn profile(&self) -> EmbedderProfile;

    /// Vectors of texts, one each, in order; all have the same dimensions, those of the profile where it
    /// names them.
    ///
    /// The same text gives the same vector for as long as the profile stays the same.
    ///
    /// # Errors
    ///
    /// [`EmbedError`]; then none of the texts has a vector.
    fn embed(&self, role: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Vectors of single words, for the matching of words that are not the same; every embedder can
    /// lend those of another.
    fn words(&self) -> Option<&dyn WordVectors> {
        None
    }
}

/// What the caller must know of an embedder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderProfile {
    /// The name that people see, such as `bundled`.
    pub name: String,
    /// Says which vectors can be compared: another model or another version has another identity.
    pub identity: String,
    /// Numbers in a vector, where that is known before the first one is here.
    pub dimensions: Option<usize>,
    /// Most texts of one call.
    pub batch_max: usize,
}

/// Why a text is embedded; some models want to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmbedRole {
    /// It is searched.
    Passage,
    /// It is looked for.
    Question,
}

/// Texts could not be embedded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The embedder is not there or does not answer.
    #[error("the embedder {name} does not answer: {reason}")]
    Unavailable {
        /// Its name.
        name: String,
        /// What was found, without secrets.
        reason: String,
    },
    /// It answered something else than vectors of its dimensions.
    #[error("the embedder {name} gave something else than vectors: {reason}")]
    Unusable {
        /// Its name.
        name: String,
        /// What was found.
        reason: String,
    },
}

/// Numbers that are added side by side, so that a machine may add them at once.
const LANES: usize = 16;

/// The sum of the products of two vectors; what one has more than the other counts for nothing.
///
/// The order of the additions is always the same, so that the sum is.
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    let n_common = left.len().min(right.len());
    let (left, left_rest) = left
        .get(..n_common)
        .unwrap_or_default()
        .as_chunks::<LANES>();
    let (right, right_rest) = right
        .get(..n_common)
        .unwrap_or_default()
        .as_chunks::<LANES>();
    let mut lanes = [0.0_f32; LANES];
    for (left, right) in left.iter().zip(right) {
        for ((lane, left), right) in lanes.iter_mut().zip(left).zip(right) {
            *lane += left * right;
        }
    }
    let rest = left_rest
        .iter()
        .zip(right_rest)
        .map(|(left, right)| left * right);
    lanes.iter().sum::<f32>() + rest.sum::<f32>()
}

/// So many words are told at most of those near to a word: some are forms of the word itself.
pub const NEAR_MAX: usize = 20;

/// What is less near to a word is another matter.
pub const NEAR_COSINE_MIN: f32 = 0.5;

/// Vectors of single words.
pub trait WordVectors: Send + Sync + Debug {
    /// The vector of a word in lower case, of length 1; `None` for a word that is not known.
    fn word(&self, word: &str) -> Option<Vec<f32>>;

    /// Whether a word in lower case stands in the vocabulary as it is written, and not only in parts.
    fn is_whole(&self, word: &str) -> bool {
        self.word(word).is_some()
    }

    /// The known words nearest to a vector of length 1, nearest first, with their cosines.
    fn nearest(&self, vector: &[f32], n_max: usize) -> Vec<(String, f32)>;

    /// The known words that are near to a word in lower case, itself among them, nearest first, with their
    /// cosines: at most [`NEAR_MAX`], none below [`NEAR_COSINE_MIN`].
    fn near(&self, word: &str) -> Vec<(String, f32)> {
        near_by_vector(self, word)
    }
}

/// What [`WordVectors::near`] tells, found by the vector of the word.
pub fn near_by_vector<W: WordVectors + ?Sized>(words: &W, word: &str) -> Vec<(String, f32)> {
    let Some(vector) = words.word(word) else {
        return Vec::new();
    };
    let mut near = words.nearest(&vector, NEAR_MAX);
    near.retain(|(_, cosine)| *cosine >= NEAR_COSINE_MIN);
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_that_of_all_common_numbers() {
        let left: Vec<f32> = (1_u8..=40).map(f32::from).collect();
        let right = vec![2.0; 37];
        // Twice the sum of 1 to 37.
        assert!((dot(&left, &right) - 1_406.0).abs() < 1e-3);
        assert!((dot(&left[..3], &right) - 12.0).abs() < 1e-6);
        assert!(dot(&[], &right).abs() < 1e-9);
    }
}
