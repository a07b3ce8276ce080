//! The embedder port: vectors of texts, and of single words to find near words.
//!
//! Knows no particular model and no index.

use std::fmt::Debug;

/// Turns texts into vectors.
pub trait Embedder: Send + Sync + Debug {
    /// Limits, and the identity that says which vectors are comparable.
    fn profile(&self) -> EmbedderProfile;

    /// Embeds texts: one vector each, in order, all of the profile's dimensions if it names them.
    ///
    /// The same text gives the same vector while the profile is unchanged.
    ///
    /// # Errors
    ///
    /// [`EmbedError`]; no partial results.
    fn embed(&self, role: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Vectors of single words, for matching near words; an embedder may lend those of another.
    fn words(&self) -> Option<&dyn WordVectors> {
        None
    }
}

/// Name, identity and limits of an embedder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderProfile {
    /// The display name, such as `bundled`.
    pub name: String,
    /// Vectors are comparable only within one identity; another model or version has another one.
    pub identity: String,
    /// Length of a vector, if known before the first call.
    pub dimensions: Option<usize>,
    /// Maximum texts per call.
    pub batch_max: usize,
}

/// Why a text is embedded; some models encode the two roles differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmbedRole {
    /// A text to search in.
    Passage,
    /// A text to search for.
    Question,
}

/// A failure to embed texts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The embedder is missing or does not answer.
    #[error("the embedder {name} is unavailable: {reason}")]
    Unavailable {
        /// Its name.
        name: String,
        /// The cause, without secrets.
        reason: String,
    },
    /// The answer is not vectors of the expected dimensions.
    #[error("the embedder {name} returned unusable vectors: {reason}")]
    Unusable {
        /// Its name.
        name: String,
        /// What is wrong with the answer.
        reason: String,
    },
}

/// Independent partial sums, so that the compiler can vectorise.
const LANES: usize = 16;

/// The dot product of the common length of two vectors.
///
/// The order of additions is fixed, so the result is reproducible.
#[expect(
    clippy::inline_always,
    reason = "it must use the CPU features of its caller"
)]
#[inline(always)]
pub fn dot<'v>(left: &'v [f32], right: &'v [f32]) -> f32 {
    let n_common = left.len().min(right.len());
    let part = |vector: &'v [f32]| vector.get(..n_common).unwrap_or_default();
    let (left, left_rest) = part(left).as_chunks::<LANES>();
    let (right, right_rest) = part(right).as_chunks::<LANES>();
    let mut lanes = [0.0_f32; LANES];
    for (left, right) in left.iter().zip(right) {
        for ((lane, left), right) in lanes.iter_mut().zip(left).zip(right) {
            *lane += left * right;
        }
    }
    let rest = left_rest.iter().zip(right_rest);
    let rest = rest.map(|(left, right)| left * right);
    lanes.iter().sum::<f32>() + rest.sum::<f32>()
}

/// Maximum near words of a word; some of them are inflections of the word itself.
pub const NEAR_MAX: usize = 20;

/// Minimum cosine of a near word.
pub const NEAR_COSINE_MIN: f32 = 0.5;

/// Vectors of single words.
pub trait WordVectors: Send + Sync + Debug {
    /// The unit vector of a word in lower case; `None` for an unknown word.
    fn word(&self, word: &str) -> Option<Vec<f32>>;

    /// Whether a word in lower case is in the vocabulary as a whole, not only as subword parts.
    fn is_whole(&self, word: &str) -> bool {
        self.word(word).is_some()
    }

    /// The known words near a word in lower case, itself included, nearest first, with their cosines: at most
    /// [`NEAR_MAX`], none below [`NEAR_COSINE_MIN`].
    fn near(&self, word: &str) -> Vec<(String, f32)>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_multiplies_common_length() {
        let left: Vec<f32> = (1_u8..=40).map(f32::from).collect();
        let right = vec![2.0; 37];
        // Twice the sum of 1 to 37.
        assert!((dot(&left, &right) - 1_406.0).abs() < 1e-3);
        assert!((dot(&left[..3], &right) - 12.0).abs() < 1e-6);
        assert!(dot(&[], &right).abs() < 1e-9);
    }
}
