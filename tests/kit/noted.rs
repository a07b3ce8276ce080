//! A reply to a flush as a model writes it.
//!
//! Checks nothing.

use serde_json::json;

/// Notes as JSON: of each the text, the label that it cites and the quote.
pub fn noted(section: &str, notes: &[(&str, &str, &str)]) -> String {
    let notes: Vec<_> = notes
        .iter()
        .map(|(text, label, quote)| {
            json!({"section": section, "text": text, "evidence": [label], "quote": quote})
        })
        .collect();
    json!({ "notes": notes }).to_string()
}
