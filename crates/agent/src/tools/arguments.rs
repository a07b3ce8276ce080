//! Reads the arguments of a call.
//!
//! What cannot be read is told in words that help the model to call again.

use serde::de::DeserializeOwned;

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
