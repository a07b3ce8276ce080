//! Extracts message and codes from the error bodies of providers.
//!
//! Pure; does not classify the error.

use serde_json::Value;

/// Maximum characters of a message.
const MESSAGE_CHARS_MAX: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ServerMessage {
    /// The message, on one line.
    pub(crate) message: String,
    /// Error codes, such as `context_length_exceeded`, in lower case.
    pub(crate) codes: Vec<String>,
}

/// Parses an error body of any format.
pub(crate) fn said(body: &str) -> ServerMessage {
    match serde_json::from_str(body) {
        Ok(value) => said_in(&value),
        Err(_) => ServerMessage {
            message: one_line(body),
            codes: Vec::new(),
        },
    }
}

/// Parses an error body in JSON.
///
/// Anthropic, OpenAI and Google put an object under `error`, Google sometimes in a list; Ollama puts a string there;
/// `FastAPI` servers use `detail`.
pub(super) fn said_in(body: &Value) -> ServerMessage {
    let body = body.get(0).unwrap_or(body);
    let error = body.get("error").unwrap_or(body);
    let of_body = ["message", "detail"].map(|name| body.get(name));
    let words = [error.get("message"), Some(error)].into_iter();
    let mut words = words.chain(of_body).flatten().filter_map(Value::as_str);
    let message = words.next();
    let message = message.map_or_else(|| error.to_string(), str::to_owned);
    let codes = ["code", "type", "status"].into_iter();
    let codes = codes.filter_map(|name| error.get(name)?.as_str());
    ServerMessage {
        message: one_line(&message),
        codes: codes.map(str::to_ascii_lowercase).collect(),
    }
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let mut short: String = line.chars().take(MESSAGE_CHARS_MAX).collect();
    if short.len() < line.len() {
        short.push_str("...");
    }
    short
}

impl ServerMessage {
    /// Whether a code contains `part`.
    pub(crate) fn has_code(&self, part: &str) -> bool {
        self.codes.iter().any(|code| code.contains(part))
    }
}

#[cfg(test)]
#[path = "said_tests.rs"]
mod tests;
