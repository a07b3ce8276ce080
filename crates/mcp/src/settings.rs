//! What must be known of a tool server: how it is reached, which of its tools may be called, how patiently.
//!
//! Opens nothing and shows no secret.

use std::fmt;
use std::time::Duration;

use base::tool_server::Consent;

/// A tool server as the owner set it up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// Its name, of small letters, digits and dashes; the names of its tools begin with it.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
    /// Names of tools that may be called; `*` stands for any characters.
    pub allow: Vec<String>,
    /// Whether the owner is asked before each call.
    pub consent: Consent,
    /// How long it is waited for: until it has started, and for each answer.
    pub patience: Duration,
}

/// How a tool server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// It is a program that is started, and spoken to through its standard input and output.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// What it sees of the environment...
        variables: Vec<(String, String)>,
        /// ...with what may be shown to nobody else.
        secrets: Vec<(String, Hidden)>,
    },
    /// It runs already, and is spoken to by streamable HTTP.
    Http {
        /// Where.
        url: String,
        /// The token that it wants.
        token: Option<Hidden>,
    },
}

/// A text that may be a secret; its debug form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(String);

impl Hidden {
    /// Hides a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Takes this very text out of another, where it is long enough to be a secret.
    pub(crate) fn strike_from(&self, text: &str) -> String {
        if self.0.len() < SECRET_BYTES_MIN {
            return text.to_owned();
        }
        text.replace(&self.0, "[REDACTED]")
    }
}

/// A shorter value, such as a flag, stands in many texts without being a secret.
const SECRET_BYTES_MIN: usize = 8;

impl fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hidden")
    }
}

impl Reach {
    /// Takes what is hidden here out of a text that a server, or a library, said.
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
