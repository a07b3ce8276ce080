//! The error of a document that could not be read.

use std::error::Error;

/// The reason why a document or directory could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}")]
pub struct SourceError {
    /// The document or directory.
    pub path: String,
    #[source]
    pub cause: Box<dyn Error + Send + Sync>,
}

impl SourceError {
    /// The error for the document at `path`.
    pub fn new(path: impl Into<String>, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            path: path.into(),
            cause: cause.into(),
        }
    }
}
