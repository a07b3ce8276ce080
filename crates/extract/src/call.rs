//! Names a call of a tool by what it was given.
//!
//! Reads the arguments as text; they may be malformed.

use base::ToolCall;

use crate::paragraph::fold;

/// The most characters that are shown of what a tool was given.
const GIVEN_CHARS_MAX: usize = 80;

/// The name of the tool and the first text among its arguments, as in `run cargo test`.
pub(crate) fn call(call: &ToolCall) -> String {
    let name = fold(&call.name);
    match given(&call.arguments) {
        Some(given) => format!("{name} {given}"),
        None => name,
    }
}

/// The first value that is a text, up to a character that JSON escapes, in whole words.
fn given(arguments: &str) -> Option<String> {
    let mut rest = arguments;
    while let Some((_, after)) = rest.split_once(':') {
        rest = after;
        let Some(value) = after.trim_start().strip_prefix('"') else {
            continue;
        };
        let text = value.split(['"', '\\']).next().unwrap_or_default();
        let text = whole_words(&fold(text)).to_owned();
        return Some(text).filter(|text| text.chars().any(char::is_alphanumeric));
    }
    None
}

fn whole_words(text: &str) -> &str {
    let head = base::head(text, GIVEN_CHARS_MAX);
    if head.len() == text.len() {
        return text;
    }
    head.rsplit_once(' ').map_or("", |(words, _)| words)
}

#[cfg(test)]
#[path = "call_tests.rs"]
mod tests;
