//! Describes a tool call by its name and first argument.
//!
//! Reads the arguments as text, for they may be malformed JSON.

use base::ToolCall;

use crate::paragraph::fold;

/// Most characters shown of the argument.
const GIVEN_CHARS_MAX: usize = 80;

/// The tool's name and the first string among its arguments, as in `run cargo test`.
pub(crate) fn call(call: &ToolCall) -> String {
    let name = fold(&call.name);
    match given(&call.arguments) {
        Some(given) => format!("{name} {given}"),
        None => name,
    }
}

/// The first string value, up to the first JSON escape, cut at a word.
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
