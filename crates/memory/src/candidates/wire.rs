//! The format of the dream records: JSON with a version.

use serde::{Deserialize, Serialize, Serializer};

use crate::FileError;

/// What to do about records that cannot be parsed.
const FIX: &str = "move that file away: waiting candidates are lost with it, but MEMORY.md is not";

/// The record version that this program writes.
pub(super) const VERSION: u32 = 1;

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

#[derive(Serialize)]
struct WithVersion<'a, T> {
    version: u32,
    #[serde(flatten)]
    record: &'a T,
}

/// Serializes a record; `name` is its path relative to `state/`, for errors.
pub(super) fn to_json(name: &str, record: &impl Serialize) -> Result<Vec<u8>, FileError> {
    let version = VERSION;
    let written = serde_json::to_vec_pretty(&WithVersion { version, record });
    written.map_err(|error| damaged(name, &error))
}

pub(super) fn from_json<'a, T: Deserialize<'a>>(
    name: &str,
    bytes: &'a [u8],
) -> Result<T, FileError> {
    let version = serde_json::from_slice(bytes).map(|Versioned { version }| version);
    match version.map_err(|error| damaged(name, &error))? {
        found if found > VERSION => Err(FileError::TooNew(format!("state/{name}"), found)),
        _ => serde_json::from_slice(bytes).map_err(|error| damaged(name, &error)),
    }
}

/// The error for a record, or a part of one, that cannot be parsed.
pub(super) fn damaged(name: &str, error: &serde_json::Error) -> FileError {
    FileError::Damaged {
        file: format!("state/{name}"),
        line: None,
        cause: error.to_string(),
        fix: FIX,
    }
}

/// Serializes a nested record with its version.
pub(super) fn with_version<T: Serialize, S: Serializer>(
    record: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let version = VERSION;
    WithVersion { version, record }.serialize(serializer)
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
