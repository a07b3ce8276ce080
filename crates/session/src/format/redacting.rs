//! Redacts words in a line and pads the line to its old length; structural fields do not change.
//!
//! Never makes a line longer, so that offsets into the file stay valid.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use super::surrogates;

/// The part of a line to redact.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RedactionScope<'a> {
    /// All content of the entry.
    All,
    /// These texts, anywhere in the line, in this order.
    Texts(&'a [RedactedText<'a>]),
}

/// A text to redact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RedactedText<'a> {
    pub(crate) text: &'a str,
    pub(crate) extent: Extent,
}

/// Where a text is redacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everywhere, also inside of a longer word: a secret.
    Anywhere,
    /// Where no letter or digit continues it: a sentence.
    WholeWords,
}

impl RedactedText<'_> {
    /// The first place of the text in `line`, from `from` on.
    fn find(&self, line: &str, from: usize) -> Option<usize> {
        let mut from = from;
        // An empty text is nowhere.
        self.text.chars().next()?;
        while let Some(at) = line.get(from..)?.find(self.text).map(|at| from + at) {
            if self.extent == Extent::Anywhere || self.is_whole_at(line, at) {
                return Some(at);
            }
            from = at + self.text.chars().next()?.len_utf8();
        }
        None
    }

    fn is_whole_at(&self, line: &str, at: usize) -> bool {
        let joins = |left: Option<char>, right: Option<char>| {
            left.is_some_and(char::is_alphanumeric) && right.is_some_and(char::is_alphanumeric)
        };
        let (before, rest) = line.split_at(at);
        let after = rest.get(self.text.len()..).unwrap_or_default();
        let (first, last) = (self.text.chars().next(), self.text.chars().next_back());
        !joins(before.chars().next_back(), first) && !joins(last, after.chars().next())
    }

    /// The line with `mark` in the place of each occurrence.
    fn replaced(&self, line: &str, mark: &str) -> String {
        let mut replaced = String::with_capacity(line.len());
        let mut from = 0;
        while let Some(at) = self.find(line, from) {
            replaced.push_str(line.get(from..at).unwrap_or_default());
            replaced.push_str(mark);
            from = at + self.text.len();
        }
        replaced.push_str(line.get(from..).unwrap_or_default());
        replaced
    }
}

/// Replacements for redacted text; the first that fits is used.
const MARKS: [&str; 3] = ["[redacted]", "*", ""];

/// Structural fields, which never contain conversation text.
const STRUCTURE: [&str; 33] = [
    "type",
    "version",
    "id",
    "parentId",
    "timestamp",
    "cwd",
    "parentSession",
    "role",
    "origin",
    "hash",
    "session",
    "entry",
    "toolCallId",
    "toolName",
    "stopReason",
    "mimeType",
    "provider",
    "model",
    "api",
    "customType",
    "firstKeptEntryId",
    "span",
    "entryId",
    "entryIds",
    "state",
    "strategy",
    "rung",
    "failedRungs",
    "sessionId",
    "targetId",
    "flushedThroughEntryId",
    "memoryFlushAt",
    "lastCompactionAt",
];

/// Fields of a message that remain when all its content is redacted.
const OF_A_MESSAGE: [&str; 10] = [
    "role",
    "content",
    "timestamp",
    "usage",
    "stopReason",
    "toolCallId",
    "toolName",
    "isError",
    "provider",
    "model",
];

/// The redacted line, padded to its length; `None` if there is nothing to redact.
///
/// An unreadable line that contains one of the texts is blanked entirely, because its structure is unknown.
pub(crate) fn redact(bytes: &[u8], goes: RedactionScope<'_>) -> Option<Vec<u8>> {
    let read = std::str::from_utf8(bytes).ok().and_then(|text| {
        let mended = surrogates::mend(text);
        let text = mended.as_deref().unwrap_or(text);
        serde_json::from_str::<Map<String, Value>>(text.trim_start_matches('\u{feff}')).ok()
    });
    let Some(line) = read else {
        return holds_text(bytes, goes).then(|| vec![b' '; bytes.len()]);
    };
    let mut redacted = MARKS.iter().map(|mark| without(&line, goes, mark));
    // Only the first mark is needed to see whether anything changes.
    if redacted.clone().next()? == line {
        return None;
    }
    let fitting = redacted.find_map(|line| padded(&line, bytes.len()));
    Some(fitting.unwrap_or_else(|| vec![b' '; bytes.len()]))
}

/// Whether a line that is not JSON contains one of the texts.
fn holds_text(bytes: &[u8], goes: RedactionScope<'_>) -> bool {
    match goes {
        RedactionScope::All => true,
        RedactionScope::Texts(texts) => {
            let line = String::from_utf8_lossy(bytes);
            texts.iter().any(|own| own.find(&line, 0).is_some())
        }
    }
}

fn without(line: &Map<String, Value>, goes: RedactionScope<'_>, mark: &str) -> Map<String, Value> {
    let mut line = line.clone();
    match goes {
        RedactionScope::Texts(texts) => {
            replace_in_group(&mut line, &|text| without_texts(text, texts, mark));
        }
        RedactionScope::All => {
            if let Some(Value::Object(message)) = line.get_mut("message") {
                message.retain(|name, _| OF_A_MESSAGE.contains(&name.as_str()));
                if let Some(content) = message.get_mut("content") {
                    blank(content, mark);
                }
            } else {
                line.remove("details");
                replace_in_group(&mut line, &|_| mark.to_owned());
            }
        }
    }
    line
}

/// Replaces every string in an object, except in structural fields.
fn replace_in_group(group: &mut Map<String, Value>, with: &impl Fn(&str) -> String) {
    for (name, value) in group {
        if !STRUCTURE.contains(&name.as_str()) {
            replace_in(value, with);
        }
    }
}

fn replace_in(value: &mut Value, with: &impl Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = with(text),
        Value::Array(list) => list.iter_mut().for_each(|value| replace_in(value, with)),
        Value::Object(group) => replace_in_group(group, with),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Removes the texts from a line. A mark is never longer than the text that it replaces, so the line cannot grow.
fn without_texts(line: &str, texts: &[RedactedText<'_>], longest: &str) -> String {
    texts.iter().fold(line.to_owned(), |line, own| {
        let n_bytes_max = own.text.len().min(longest.len());
        let mut marks = MARKS.iter().copied();
        let mark = marks.find(|mark| mark.len() <= n_bytes_max && !mark.contains(own.text));
        let mut line = own.replaced(&line, mark.unwrap_or_default());
        // After a removal, the text before and after it may join to the same text again.
        while own.find(&line, 0).is_some() {
            line = own.replaced(&line, "");
        }
        line
    })
}

/// Blanks the content of a message, but keeps its tool calls without their arguments, because results refer to them.
fn blank(content: &mut Value, mark: &str) {
    let Value::Array(blocks) = content else {
        *content = Value::String(mark.to_owned());
        return;
    };
    let mut kept: Vec<Value> = Vec::new();
    let is_call = |block: &Value| block.get("type").is_some_and(|kind| kind == "toolCall");
    if blocks.iter().any(|block| !is_call(block)) {
        kept.push(json!({"type": "text", "text": mark}));
    }
    for block in blocks.iter().filter(|block| is_call(block)) {
        let part = |name: &str| block.get(name).cloned().unwrap_or_default();
        kept.push(
            json!({"type": "toolCall", "id": part("id"), "name": part("name"), "arguments": {}}),
        );
    }
    *blocks = kept;
}

/// The line padded with spaces to `n_bytes`; `None` if it is longer.
fn padded(line: &Map<String, Value>, n_bytes: usize) -> Option<Vec<u8>> {
    let mut bytes = serde_json::to_vec(&InOrder(line)).ok()?;
    if bytes.len() > n_bytes {
        return None;
    }
    bytes.resize(n_bytes, b' ');
    Some(bytes)
}

/// Serializes a line with type, id, parent and time first, as in all lines of this program.
struct InOrder<'a>(&'a Map<String, Value>);

const FIRST: [&str; 4] = ["type", "id", "parentId", "timestamp"];

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for name in FIRST {
            if let Some(value) = self.0.get(name) {
                map.serialize_entry(name, value)?;
            }
        }
        for (name, value) in self.0 {
            if !FIRST.contains(&name.as_str()) {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

#[cfg(test)]
#[path = "redacting_tests.rs"]
mod tests;
