//! What must be known to speak with a model: where, as whom, how patiently.
//!
//! Opens nothing.

use std::num::NonZeroUsize;
use std::time::Duration;

use base::TokenCount;

use super::{ApiKey, Dialect};

/// Where a model is and how it is spoken with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// How the server wants to be spoken to.
    pub dialect: Dialect,
    /// The model, as the server names it.
    pub model: String,
    /// The server; the usual place of the dialect where it is `None`.
    pub base_url: Option<String>,
    /// The key, where one is needed.
    pub key: Option<ApiKey>,
    /// Where the key comes from, for whoever must mend it: `the variable OPENAI_API_KEY`.
    pub key_source: String,
    /// The window, where it is known.
    pub context_window: Option<TokenCount>,
    /// The most calls at a time.
    pub concurrency: NonZeroUsize,
    /// How long it is waited.
    pub patience: Patience,
}

/// How long it is waited for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For the first sign of a reply, and between two pieces of it.
    pub silence: Duration,
    /// Before the second try; each further wait is twice as long.
    pub first_wait: Duration,
    /// Tries after the first.
    pub n_retries: usize,
}

impl Default for Patience {
    /// Local models read a long request for minutes before their first word.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            silence: Duration::from_mins(12),
            first_wait: Duration::from_secs(1),
            n_retries: 4,
        }
    }
}

impl Patience {
    /// Vectors come at once or not at all.
    pub fn for_vectors() -> Self {
        Self {
            silence: Duration::from_mins(1),
            ..Self::default()
        }
    }
}

/// Calls at a time where nothing else is set.
const CONCURRENCY_DEFAULT: NonZeroUsize = NonZeroUsize::MIN.saturating_add(9);

impl Connection {
    /// A connection with nothing but what it cannot do without.
    pub fn new(dialect: Dialect, model: impl Into<String>) -> Self {
        Self {
            dialect,
            model: model.into(),
            base_url: None,
            key: None,
            key_source: "no key was given".to_owned(),
            context_window: None,
            concurrency: CONCURRENCY_DEFAULT,
            patience: Patience::default(),
        }
    }
}
