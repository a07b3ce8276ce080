//! The embedder port: vectors of texts, and vectors of single words for finding near words.
//!
//! Independent of any particular model or index.

use std::fmt::Debug;

/// Turns texts into vectors.
pub trait Embedder: Send + Sync + Debug {
    /// The limits of the embedder, and the identity that says which vectors are comparable.
    fn profile(&self) -> EmbedderProfile;

    /// Embeds texts. Returns one vector per text, in order, each with the profile's number of dimensions if it has
    /// one.
    ///
    /// The same text gives the same vector while the profile is unchanged.
    ///
    /// # Errors
    ///
    /// [`EmbedError`]; there are no partial results.
    fn embed(&self, role: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Vectors of single words, for matching near words. An embedder may provide those of another embedder.
    fn words(&self) -> Option<&dyn WordVectors> {
        None
    }
}

/// Name, identity and limits of an embedder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderProfile {
    /// The display name, such as `bundled`.
    pub name: String,
    /// Vectors are comparable only if their identity is the same. Another model or version has another identity.
    pub identity: String,
    /// Number of dimensions of a vector, if it is known before the first call.
    pub dimensions: Option<usize>,
    /// Maximum number of texts per call.
    pub batch_max: usize,
}

/// The role of a text; some models encode the two roles differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmbedRole {
    /// A text to search in.
    Passage,
    /// A text to search for.
    Question,
}

/// The reason why texts could not be embedded.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The embedder is missing or does not respond.
    #[error("the embedder {name} is unavailable: {reason}")]
    Unavailable {
        name: String,
        /// The cause, without secrets.
        reason: String,
    },
    /// The response does not consist of vectors with the expected dimensions.
    #[error("the embedder {name} returned unusable vectors: {reason}")]
    Unusable {
        name: String,
        /// What is wrong with the answer.
        reason: String,
    },
}

/// Number of independent partial sums, so that the compiler can vectorise.
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

/// Maximum number of near words of a word. Some of them are inflections of the word itself.
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

    /// The known words near a lower-case word, including the word itself, nearest first, with their cosines. At most
    /// [`NEAR_MAX`] words, and none below [`NEAR_COSINE_MIN`].
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
