//! Values of an answer, as tests look at them.
//!
//! Judges nothing by itself.

use serde_json::Value;

/// A text without the ends of its lines.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// What each item of a list holds at a place, a JSON pointer.
#[track_caller]
pub fn each(items: &[Value], place: &str) -> Vec<Value> {
    let at_place = |item: &Value| item.pointer(place).unwrap().clone();
    items.iter().map(at_place).collect()
}

/// What an object holds under these keys, as a list.
pub fn fields<const N: usize>(object: &Value, keys: [&str; N]) -> Value {
    let held = keys.map(|key| object.get(key).cloned().unwrap_or_default());
    held.into_iter().collect()
}
