//! The error of a document that could not be read.

use std::error::Error;

/// A document or directory could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}")]
pub struct SourceError {
    /// The document or directory.
    pub path: String,
    /// The cause.
    #[source]
    pub cause: Box<dyn Error + Send + Sync>,
}

impl SourceError {
    /// The document at `path` could not be read because of `cause`.
    pub fn new(path: impl Into<String>, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            path: path.into(),
            cause: cause.into(),
        }
    }
}
