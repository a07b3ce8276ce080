//! Parses the transcript in a flush request, and builds a model's reply to it.
//!
//! Checks nothing.

use base::Message;
use base::model::Request;
use serde_json::json;

/// A line of the transcript in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownLine {
    /// The label by which a note can cite it.
    pub label: String,
    /// The date and time.
    pub at: String,
    /// The text of the message.
    pub text: String,
}

/// Parses the transcript lines in a request.
pub fn shown_lines(request: &Request) -> Vec<ShownLine> {
    let mut found: Vec<ShownLine> = Vec::new();
    let material: Vec<String> = request.messages.iter().map(Message::text).collect();
    for line in material.join("\n").lines() {
        let heading = line.strip_prefix('[').and_then(|rest| {
            let (label, rest) = rest.split_once("] ")?;
            let (heading, text) = rest.split_once(':').and_then(|(hour, rest)| {
                let (minute, text) = rest.split_once(':')?;
                Some((format!("{hour}:{minute}"), text))
            })?;
            let (_, at) = heading.rsplit_once(", ")?;
            Some((label.to_owned(), at.to_owned(), text.trim().to_owned()))
        });
        match (heading, found.last_mut()) {
            (Some((label, at, text)), _) => found.push(ShownLine { label, at, text }),
            (None, Some(last)) if line.starts_with("  ") => {
                last.text.push('\n');
                last.text.push_str(line.trim());
            }
            (None, _) => {}
        }
    }
    found
}

/// A reply with notes as JSON. Each note is given as its text, the label that it cites, and the quote.
pub fn noted(section: &str, notes: &[(&str, &str, &str)]) -> String {
    let notes: Vec<_> = notes
        .iter()
        .map(|(text, label, quote)| {
            json!({"section": section, "text": text, "evidence": [label], "quote": quote})
        })
        .collect();
    json!({ "notes": notes }).to_string()
}
