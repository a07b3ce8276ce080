//! Connection settings of a model: address, key, timeouts.
//!
//! Opens nothing.

use std::num::NonZeroUsize;
use std::time::Duration;

use base::TokenCount;
use reqwest::Url;

use super::set_up_error::SetUpError;
use super::{ApiKey, Dialect, address};

/// A model and how to reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The protocol of the server.
    pub dialect: Dialect,
    /// The model, as the server names it.
    pub model: String,
    /// The server; `None` means the default of the dialect.
    pub base_url: Option<String>,
    /// The key, if needed.
    pub key: Option<ApiKey>,
    /// Where the key comes from, for error messages: `the variable OPENAI_API_KEY`.
    pub key_source: String,
    /// The window, if known.
    pub context_window: Option<TokenCount>,
    /// Maximum concurrent calls.
    pub concurrency: NonZeroUsize,
    /// Timeouts and retries.
    pub patience: Patience,
}

/// Timeouts and retries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Timeout for connecting.
    pub connect: Duration,
    /// Timeout for the first piece of a reply, and between two pieces.
    pub silence: Duration,
    /// Wait before the second attempt; doubles each time.
    pub first_wait: Duration,
    /// Tries after the first.
    pub n_retries: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Self::LONG
    }
}

impl Patience {
    /// The timeout is long because local models read a long request for minutes before their first word.
    pub(crate) const LONG: Self = Self {
        connect: Duration::from_secs(10),
        silence: Duration::from_mins(12),
        first_wait: Duration::from_secs(1),
        n_retries: 4,
    };

    /// Timeouts for embedding servers, which answer quickly or never.
    pub fn for_vectors() -> Self {
        Self {
            silence: Duration::from_mins(1),
            ..Self::default()
        }
    }
}

/// Default concurrent calls.
const CONCURRENCY_DEFAULT: NonZeroUsize = NonZeroUsize::MIN.saturating_add(9);

impl Connection {
    /// A connection with defaults.
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

    /// The base address of the dialect's paths; it ends in a slash.
    pub(crate) fn address(&self) -> Result<Url, SetUpError> {
        let usual = self.dialect.default_base_url();
        let text = self.base_url.as_deref().or(usual);
        address(text.ok_or(SetUpError::NoBaseUrl)?)
    }
}
