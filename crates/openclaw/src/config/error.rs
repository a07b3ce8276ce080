//! Configuration errors.
//!
//! Each message names the key; most name its place.

use std::path::PathBuf;

use base::disk::DiskError;

use super::values::ValueOrigin;
use super::yaml::YamlError;
use crate::error::{CliError, ErrorKind};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("unknown setting {key}")]
    Unknown {
        /// The full key as written.
        key: String,
        origin: ValueOrigin,
        meant: Option<String>,
    },
    #[error("unknown setting {key}")]
    NoSuchSetting { key: String, meant: Option<String> },
    #[error("{key} is a group of settings")]
    Group { key: String, first: String },
    #[error("{key} cannot be set in {path} without changing other settings", path = path.display())]
    NotEditable { path: PathBuf, key: String },
    #[error("{key} cannot be removed from {path} without changing other settings", path = path.display())]
    NotRemovable { path: PathBuf, key: String },
    #[error("the variable {variable} does not match any setting")]
    UnknownVariable {
        variable: String,
        meant: Option<String>,
    },
    #[error("invalid value for {key}: {problem}")]
    Wrong {
        key: String,
        origin: ValueOrigin,
        /// What was expected and what was found.
        problem: String,
    },
    #[error(
        "{key} cannot be set by a workspace: it could send, start or read something, or widen the assistant's \
         permissions"
    )]
    NotOfWorkspace { key: String, origin: ValueOrigin },
    #[error(
        "{path} is not valid YAML at line {line}, column {column}: {problem}",
        path = path.display(), line = error.line, column = error.column, problem = error.problem
    )]
    Syntax { path: PathBuf, error: YamlError },
    #[error("the value of {origin} is not valid YAML: {problem}")]
    ValueSyntax {
        origin: ValueOrigin,
        problem: String,
    },
    #[error("{what} is not UTF-8")]
    NotUtf8 { what: String },
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// The group in another program's settings that holds the settings of each assistant.
const AGENTS: &str = "agents";

const AGENTS_HINT: &str = "give each assistant its own home: `openclaw --home DIR init` creates one with its own \
    config.yaml";

const LISTING_HINT: &str = "`openclaw config show` lists every setting";

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        let failure = Self::from_error(ErrorKind::Config, &error);
        let meant_or_listing = |meant: Option<String>| match meant {
            Some(meant) => format!("did you mean {meant}?"),
            None => LISTING_HINT.to_owned(),
        };
        let hint_for = |key: &str, meant| match key.split('.').next() {
            Some(AGENTS) => AGENTS_HINT.to_owned(),
            Some(_) | None => meant_or_listing(meant),
        };
        match error {
            ConfigError::Unknown {
                key, origin, meant, ..
            } => failure
                .doing(format!("reading {origin}"))
                .hint(hint_for(&key, meant)),
            ConfigError::NoSuchSetting { key, meant } => failure.hint(hint_for(&key, meant)),
            ConfigError::Group { first, .. } => {
                failure.hint(format!("name one of its settings, such as {first}"))
            }
            ConfigError::NotEditable { path, .. } => {
                failure.hint(format!("set it in an editor: {}", path.display()))
            }
            ConfigError::NotRemovable { path, .. } => {
                failure.hint(format!("remove it in an editor: {}", path.display()))
            }
            ConfigError::UnknownVariable { meant, .. } => failure
                .doing("reading the environment")
                .hint(meant_or_listing(meant)),
            ConfigError::NotOfWorkspace { key, origin } => failure
                .doing(format!("reading {origin}"))
                .hint(format!(
                    "remove the line; to set it for yourself, run `openclaw config set {key} VALUE`, which writes \
                     your own config.yaml"
                )),
            ConfigError::Wrong { origin, .. } => failure.doing(format!("reading {origin}")),
            ConfigError::Syntax { path, .. } => {
                failure.hint(format!("fix {} in an editor", path.display()))
            }
            ConfigError::ValueSyntax { .. } => {
                failure.hint("put the value in quotes if it is text")
            }
            ConfigError::NotUtf8 { .. } => failure.hint("encode it as UTF-8"),
            ConfigError::Disk(error) => error.into(),
        }
    }
}
