//! What every tool takes and gives: JSON arguments, and text.
//!
//! Knows no tool.

use serde::de::DeserializeOwned;

/// What a tool says: its answer, or why there is none.
pub type Answer = Result<String, String>;

/// The arguments as `T`; no text at all is an empty object.
pub(super) fn read<T: DeserializeOwned>(arguments: &str) -> Result<T, String> {
    let text = match arguments.trim() {
        "" => "{}",
        text => text,
    };
    serde_json::from_str(text).map_err(|error| {
        format!("The arguments cannot be read: {error}. Call again with one JSON object.")
    })
}
