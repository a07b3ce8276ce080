//! The interface of all tools: JSON arguments in, text out.

use serde::de::DeserializeOwned;

/// A tool's answer, or why there is none.
pub type ToolReply = Result<String, String>;

/// Parses the arguments; empty text means an empty object.
pub(super) fn read<T: DeserializeOwned>(arguments: &str) -> Result<T, String> {
    let text = match arguments.trim() {
        "" => "{}",
        text => text,
    };
    serde_json::from_str(text).map_err(|error| {
        format!("The arguments cannot be read: {error}. Call again with one JSON object.")
    })
}
