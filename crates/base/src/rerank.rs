//! The port for models that compare a question with each passage.

use std::fmt::Debug;

/// A model that reads a question and a passage together, such as a cross-encoder.
pub trait Reranker: Send + Sync + Debug {
    /// How well each passage answers the question, in their order: higher is better, on a scale of the model's own.
    ///
    /// # Errors
    ///
    /// [`RerankError`]; no partial results.
    fn scores(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError>;
}

/// A failure to compare passages.
#[derive(Debug, thiserror::Error)]
#[error("the reranker {name} is unavailable: {reason}")]
pub struct RerankError {
    /// The reranker's name.
    pub name: String,
    /// The cause.
    pub reason: String,
}
