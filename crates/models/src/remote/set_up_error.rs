//! Configuration errors of a model.
//!
//! Names the problem; the command line suggests the fix.

use super::client::shown_address;

/// A model configuration that cannot work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetUpError {
    /// The dialect has no default server, and none is set.
    #[error("no model server is configured")]
    NoBaseUrl,
    /// An error for an invalid address.
    #[error("invalid model address {url:?}: {problem}")]
    BaseUrl {
        /// The address.
        url: String,
        problem: String,
    },
    /// The provider requires a key.
    #[error("the model needs a key: {0}")]
    NoKey(String),
    /// The HTTP client cannot be created.
    #[error("cannot create an HTTP client: {0}")]
    Client(String),
}

impl SetUpError {
    /// The address is invalid.
    pub(super) fn address(text: &str, problem: &impl ToString) -> Self {
        Self::BaseUrl {
            url: shown_address(text),
            problem: problem.to_string(),
        }
    }
}
