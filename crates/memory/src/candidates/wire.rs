//! How the records of dreams are written: JSON with a version.
//!
//! What stands in a record is for the types themselves to say.

use base::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};

use super::model::Candidate;
use super::pending::Change;

/// The version that this program writes.
pub(super) const VERSION: u32 = 1;

/// A record that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum WireError {
    #[error("it has version {found}; this program knows {VERSION}")]
    TooNew { found: u32 },
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

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

/// A change that was begun, as it is read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Begun {
    pub(super) at: Timestamp,
    pub(super) expected_hash: String,
    pub(super) change_id: u64,
    #[serde(flatten)]
    pub(super) change: Change,
}

/// Candidates as they were before they were forgotten.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) candidates: Vec<Candidate>,
}

pub(super) fn to_json(record: &impl Serialize) -> Result<Vec<u8>, WireError> {
    let version = VERSION;
    Ok(serde_json::to_vec_pretty(&WithVersion { version, record })?)
}

pub(super) fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    let Versioned { version: found } = serde_json::from_slice(bytes)?;
    if found > VERSION {
        return Err(WireError::TooNew { found });
    }
    Ok(serde_json::from_slice(bytes)?)
}

/// Writes a record that stands in another one.
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
