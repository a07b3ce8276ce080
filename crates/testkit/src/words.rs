//! Helpers that extract values from an answer.
//!
//! Asserts nothing by itself.

use serde_json::Value;

/// A text with its line breaks removed.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The value at a JSON pointer in each item of a list.
#[track_caller]
pub fn each(items: &[Value], place: &str) -> Vec<Value> {
    let at_place = |item: &Value| item.pointer(place).unwrap().clone();
    items.iter().map(at_place).collect()
}

/// The values of an object under these keys, as a list.
pub fn fields<const N: usize>(object: &Value, keys: [&str; N]) -> Value {
    let held = keys.map(|key| object.get(key).cloned().unwrap_or_default());
    held.into_iter().collect()
}
