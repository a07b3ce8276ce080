//! The settings of a tool server: how to reach it, its allowed tools, and its timeout.
//!
//! Opens nothing, and never prints a secret.

use std::fmt;
use std::time::Duration;

use base::tool_server::Consent;

/// A tool server as the owner configured it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// The name: lower-case letters, digits and dashes. It prefixes the names of the server's tools.
    pub name: String,
    /// How to reach the server.
    pub reach: Reach,
    /// Names of tools that may be called; `*` matches any characters.
    pub allow: Vec<String>,
    /// Whether the owner is asked before each call.
    pub consent: Consent,
    /// The timeout for starting the server, for listing its tools, and for each call.
    pub patience: Duration,
}

/// How to reach a tool server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// A child process, connected by stdin and stdout.
    Program {
        /// The program.
        command: String,
        arguments: Vec<String>,
        /// Its environment variables that are not secret.
        variables: Vec<(String, String)>,
        /// Its environment variables that contain secrets.
        secrets: Vec<(String, Hidden)>,
    },
    /// A running server, connected by streamable HTTP.
    Http {
        /// The URL of the endpoint.
        url: String,
        /// The bearer token.
        token: Option<Hidden>,
    },
}

/// A text that may be a secret; `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(String);

impl Hidden {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Redacts this value in a text, if the value is long enough to be a secret.
    pub(crate) fn strike_from(&self, text: &str) -> String {
        if self.0.len() < SECRET_BYTES_MIN {
            return text.to_owned();
        }
        text.replace(&self.0, "[REDACTED]")
    }
}

/// The length of the shortest value that is redacted, in bytes. Shorter values, such as flags, occur in many texts
/// and are not secrets.
const SECRET_BYTES_MIN: usize = 8;

impl fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hidden")
    }
}

impl Reach {
    /// Redacts the secrets of this server in a text from the server or a library.
    pub(crate) fn strike_from(&self, text: &str) -> String {
        let hidden: Vec<&Hidden> = match self {
            Self::Program { secrets, .. } => secrets.iter().map(|(_, value)| value).collect(),
            Self::Http { token, .. } => token.iter().collect(),
        };
        let struck = hidden
            .into_iter()
            .fold(text.to_owned(), |text, hidden| hidden.strike_from(&text));
        base::redact(&struck).into_owned()
    }
}
