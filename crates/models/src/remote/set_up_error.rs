//! Why a model cannot be asked as it is set.
//!
//! Names what is wrong; how to set it right is for the command line to say.

/// A model that cannot be asked as it is set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetUpError {
    /// The dialect has no usual server.
    #[error("no server is named for the model")]
    NoBaseUrl,
    /// The address is none.
    #[error("the address {url:?} of the model is wrong: {problem}")]
    BaseUrl {
        /// The address.
        url: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The provider answers nobody without a key.
    #[error("the model needs a key, and {0}")]
    NoKey(String),
    /// No HTTP client can be made.
    #[error("no connection can be made from this machine: {0}")]
    Client(String),
}
