//! Objects for programs: one a line, keys in camelCase.
//!
//! Knows the envelope of errors and nothing of what succeeds.

use serde::Serialize;

use crate::error::CliError;

/// A failure as a program reads it.
#[derive(Debug, Serialize)]
pub(super) struct ErrorEnvelope<'a> {
    error: ErrorObject<'a>,
}

#[derive(Debug, Serialize)]
struct ErrorObject<'a> {
    kind: &'static str,
    message: String,
    hints: &'a [String],
}

impl<'a> ErrorEnvelope<'a> {
    /// The failure with its causes in one message.
    pub(super) fn of(error: &'a CliError) -> Self {
        Self {
            error: ErrorObject {
                kind: error.kind.name(),
                message: error.one_line(),
                hints: &error.hints,
            },
        }
    }
}

/// The object and a line break.
pub(super) fn line(object: &impl Serialize) -> serde_json::Result<String> {
    let mut line = serde_json::to_string(object)?;
    line.push('\n');
    Ok(line)
}
