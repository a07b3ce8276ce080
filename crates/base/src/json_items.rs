//! Finds the JSON objects in a model's reply, whatever text surrounds them.
//!
//! Never repairs a value: an object that cannot be parsed is reported as broken.

use serde_json::{Map, Value};

/// The objects of a reply, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsonItems {
    /// The objects, unwrapped from lists and wrapper objects.
    pub items: Vec<Value>,
    /// Pieces that begin like an object but cannot be parsed, shortened.
    pub broken: Vec<String>,
}

/// Maximum length of a broken piece, in characters.
const BROKEN_CHARS_MAX: usize = 80;

/// Parses JSON Lines, a list, or wrapped objects, fenced or between prose, complete or cut off.
///
/// An object without `own_key`, the key that every item has, is a wrapper: its contents are read instead.
///
/// # Examples
///
/// ```
/// let found = base::json_items("Here:\n```json\n{\"notes\": [{\"text\": \"a\"}, {\"text\": \"b\"}, {\"te", "text");
/// assert_eq!(found.items.len(), 2);
/// assert_eq!(found.broken, ["{\"te"]);
/// ```
pub fn json_items(reply: &str, own_key: &str) -> JsonItems {
    let mut found = JsonItems::default();
    let mut rest = reply;
    while let Some(at) = rest.find(['{', '[']) {
        let Some(from) = rest.get(at..) else { break };
        let mut values = serde_json::Deserializer::from_str(from).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            let end = values.byte_offset().max(1);
            found.items.extend(opened(value, own_key));
            rest = from.get(end..).unwrap_or_default();
            continue;
        }
        let (piece, behind) = unreadable(from);
        found.broken.extend(piece.map(str::to_owned));
        rest = behind;
    }
    found
}

/// Skips text that cannot be parsed: enters a list or its wrapper, otherwise continues after the broken object.
fn unreadable(from: &str) -> (Option<&str>, &str) {
    let inside = from.get(1..).unwrap_or_default();
    let is_list = from.starts_with('[');
    let wraps_list = inside.find('[').is_some_and(|at| {
        let before = inside.get(..at).unwrap_or_default().trim();
        before.starts_with('"') && before.ends_with(':') && before.matches('"').count() == 2
    });
    if is_list || wraps_list {
        return (None, inside);
    }
    // Continues at the next brace; without one, the rest is broken.
    let end = inside.find('{').map_or(from.len(), |at| at + 1);
    let piece = from.get(..end).unwrap_or(from).trim();
    let behind = from.get(end..).unwrap_or_default();
    (Some(crate::head(piece, BROKEN_CHARS_MAX)), behind)
}

/// The items in a value. The parser's depth limit bounds the recursion.
fn opened(value: Value, own_key: &str) -> Vec<Value> {
    match value {
        Value::Array(values) => {
            let values = values.into_iter();
            values.flat_map(|value| opened(value, own_key)).collect()
        }
        Value::Object(object) if object.contains_key(own_key) => vec![Value::Object(object)],
        Value::Object(object) => unwrapped(object, own_key),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// The items inside a wrapper object, or the object itself if it wraps none.
fn unwrapped(object: Map<String, Value>, own_key: &str) -> Vec<Value> {
    let is_item = |value: &Value| value.get(own_key).is_some();
    let is_only = object.len() == 1;
    let mut has_lists = false;
    let mut holds_anything = false;
    let mut items = Vec::new();
    for value in object.values() {
        has_lists |= value.is_array();
        holds_anything |= value.as_array().is_some_and(|list| !list.is_empty());
        holds_anything |= value.is_object();
        let inside = opened(value.clone(), own_key);
        // A wrapper may also contain objects with metadata about the reply.
        if is_only || inside.iter().any(is_item) {
            items.extend(inside);
        }
    }
    let is_empty_list = has_lists && !holds_anything;
    if items.is_empty() && !is_empty_list {
        items.push(Value::Object(object));
    }
    items
}

#[cfg(test)]
#[path = "json_items_tests.rs"]
mod tests;
