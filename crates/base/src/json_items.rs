//! Finds the JSON objects in what a model wrote, whatever it wrote around them.
//!
//! Never repairs a value: an object that does not parse is counted and left out.

use serde_json::Value;

/// Deeper lists are not opened.
const LIST_DEPTH_MAX: usize = 3;

/// The objects of a reply, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsonItems {
    /// Each object by itself; lists, and objects that only wrap a list, are opened.
    pub items: Vec<Value>,
    /// Pieces that begin like an object and do not parse, as they stand, shortened.
    pub broken: Vec<String>,
}

/// A broken piece is shown in this many characters.
const BROKEN_CHARS_MAX: usize = 80;

/// Reads the objects out of a reply: JSON Lines, a list, a wrapped list, fenced or between prose, whole or cut off.
///
/// # Examples
///
/// ```
/// let found = base::json_items("Here:\n```json\n{\"notes\": [{\"text\": \"a\"}, {\"text\": \"b\"}, {\"te");
/// assert_eq!(found.items.len(), 2);
/// assert_eq!(found.broken, ["{\"te"]);
/// ```
pub fn json_items(reply: &str) -> JsonItems {
    let mut found = JsonItems::default();
    let mut rest = reply;
    while let Some(at) = rest.find(['{', '[']) {
        let Some(from) = rest.get(at..) else { break };
        let mut values = serde_json::Deserializer::from_str(from).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            let end = values.byte_offset().max(1);
            open(value, 0, &mut found.items);
            rest = from.get(end..).unwrap_or_default();
            continue;
        }
        let (piece, behind) = unreadable(from);
        found.broken.extend(piece.map(str::to_owned));
        rest = behind;
    }
    found
}

/// Steps over the start of what does not parse: into a list or its wrapper, else past the broken object.
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
    // The next object begins at a brace; a broken one may hold none.
    let end = inside.find('{').map_or(from.len(), |at| at + 1);
    let piece = from.get(..end).unwrap_or(from).trim();
    let behind = from.get(end..).unwrap_or_default();
    (Some(crate::head(piece, BROKEN_CHARS_MAX)), behind)
}

fn open(value: Value, depth: usize, items: &mut Vec<Value>) {
    match value {
        Value::Array(values) if depth < LIST_DEPTH_MAX => {
            for value in values {
                open(value, depth + 1, items);
            }
        }
        Value::Object(mut object) => {
            let only = object.keys().next().cloned().filter(|_| object.len() == 1);
            let list = only.filter(|key| object.get(key).is_some_and(Value::is_array));
            match list.and_then(|key| object.remove(&key)) {
                Some(list) if depth < LIST_DEPTH_MAX => open(list, depth + 1, items),
                Some(_) => {}
                None => items.push(Value::Object(object)),
            }
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
#[path = "json_items_tests.rs"]
mod tests;
