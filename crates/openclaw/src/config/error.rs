//! Errors of settings.
//!
//! Each message names the key; most name its place.

use std::fmt::Display;

use super::values::ValueOrigin;
use crate::error::{CliError, ErrorKind};

/// The group in another program's settings that holds the settings of each assistant.
const AGENTS: &str = "agents";

const AGENTS_HINT: &str = "give each assistant its own home: `openclaw --home DIR init` creates one with its own \
    config.yaml";

/// `config show` would fail for the same reason.
const LISTING_HINT: &str = "correct or remove it; `openclaw config schema` describes every setting";

/// No setting has this key, as written.
pub(super) fn unknown(key: &str, meant: Option<String>) -> CliError {
    let failure = CliError::new(ErrorKind::Config, format!("unknown setting {key}"));
    failure.hint(match key.split('.').next() {
        Some(AGENTS) => AGENTS_HINT.to_owned(),
        Some(_) | None => meant_or_listing(meant),
    })
}

pub(super) fn meant_or_listing(meant: Option<String>) -> String {
    match meant {
        Some(meant) => format!("did you mean {meant}?"),
        None => LISTING_HINT.to_owned(),
    }
}

/// The value of a setting is invalid; `problem` says what was expected and what was found.
pub(super) fn wrong(key: &str, origin: &ValueOrigin, problem: &str) -> CliError {
    let message = format!("invalid value for {key}: {problem}");
    let failure = CliError::new(ErrorKind::Config, message).doing(format!("reading {origin}"));
    if super::find(key).is_err() {
        return failure;
    }
    match origin {
        ValueOrigin::User { .. } => failure.hint(format!(
            "correct it, or restore the default with `openclaw config unset {key}`"
        )),
        ValueOrigin::Environment { variable } => {
            failure.hint(format!("correct it, or remove it with `unset {variable}`"))
        }
        ValueOrigin::Set { .. } => {
            failure.hint("`openclaw config schema` describes the values of each setting")
        }
        ValueOrigin::Default | ValueOrigin::Workspace { .. } => failure,
    }
}

/// A file or a variable has bytes that are not UTF-8.
pub(crate) fn not_utf8(what: impl Display) -> CliError {
    CliError::new(ErrorKind::Config, format!("{what} is not UTF-8")).hint("encode it as UTF-8")
}
