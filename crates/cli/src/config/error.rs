//! Errors of settings.
//!
//! Each message names the key; most also name its place.

use std::fmt::Display;

use super::suggest::nearest;
use super::values::ValueOrigin;
use crate::error::{CliError, ErrorKind};

/// The group in another program's settings that contains the settings of each assistant.
const AGENTS: &str = "agents";

const AGENTS_HINT: &str = "give each assistant its own home: `openclaw --home DIR init` creates one with its own \
    config.yaml";

/// A hint that does not suggest `config show`, which would fail for the same reason.
const LISTING_HINT: &str = "check the spelling; `openclaw config schema` describes every setting";

/// The error for a key that is not a setting.
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

/// The error for an invalid value. `problem` says what was expected and what was found.
pub(super) fn wrong(key: &str, origin: &ValueOrigin, problem: &str) -> CliError {
    let (problem, meant) = plain_problem(problem);
    let message = format!("invalid value for {key}: {problem}");
    let failure = CliError::new(ErrorKind::Config, message).doing(format!("reading {origin}"));
    if let Some(meant) = meant {
        return failure.hint(format!("did you mean {meant}?"));
    }
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

/// The problem of a value in plain words, and the value that was probably meant.
fn plain_problem(problem: &str) -> (String, Option<String>) {
    let found_and_expected = |from: &str, to: &str| problem.strip_prefix(from)?.split_once(to);
    if let Some((found, known)) = found_and_expected("unknown variant `", "`, expected ") {
        let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
        let meant = nearest(found, known.iter().copied()).map(str::to_owned);
        return (format!("`{found}` is none of {}", known.join(", ")), meant);
    }
    let expected = ["invalid type: ", "invalid value: "];
    let mut expected = expected
        .into_iter()
        .filter_map(|it| found_and_expected(it, ", expected "));
    match expected.next() {
        Some((found, expected)) => {
            let kinds = [
                ("string", "the text"),
                ("integer", "the number"),
                ("floating point", "the number"),
                ("map", "a group"),
                ("sequence", "a list"),
            ];
            let own = kinds.iter().find(|(kind, _)| found.starts_with(kind));
            let found = own.map_or_else(
                || found.to_owned(),
                |(kind, told)| found.replacen(kind, told, 1),
            );
            (format!("expected {expected}, found {found}"), None)
        }
        None => (problem.to_owned(), None),
    }
}

/// The error for a file or a variable whose bytes are not UTF-8.
pub fn not_utf8(what: impl Display) -> CliError {
    CliError::new(ErrorKind::Config, format!("{what} is not UTF-8")).hint("encode it as UTF-8")
}
