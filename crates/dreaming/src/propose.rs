//! Parses the operations on long-term memory that a model or the offline engine proposes.
//!
//! Never trusts an operation: later stages check it.

use base::{MEMORY_SECTIONS, NOTHING_TO_KEEP, json_items};
use memory::curated::CuratedLine;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::request::KnownMemory;

/// Length limit of a line of `MEMORY.md` in characters.
pub(crate) const LINE_CHARS_MAX: usize = 240;

/// Maximum number of operations per reply.
const OPERATIONS_MAX: usize = 400;

/// A proposed change of long-term memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The kind of change.
    pub kind: OperationKind,
    /// The heading in `MEMORY.md`.
    pub section: String,
    /// The text of the line.
    pub text: String,
    /// 1 to 10.
    pub importance: u8,
    /// The labels of the items that it cites.
    pub evidence: Vec<String>,
    /// The words quoted from a message.
    pub quote: String,
    /// The text of the waiting candidate that it replaces, as the model saw it.
    pub waiting: Option<String>,
    /// Why a line changes.
    pub reason: ChangeReason,
    /// Who proposed it.
    pub proposer: Proposer,
}

/// Why a line of `MEMORY.md` is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChangeReason {
    /// It was true and has changed.
    #[default]
    Changed,
    /// It was never true.
    Corrected,
    /// It is still true; the new line says more.
    Extended,
}

impl ChangeReason {
    /// The reason that a model names; `it changed` if the word is unknown.
    pub fn named(word: &str) -> Self {
        match word.trim().to_lowercase().as_str() {
            "corrected" | "was_wrong" => Self::Corrected,
            "more_detail" => Self::Extended,
            _ => Self::Changed,
        }
    }
}

/// The kind of change, with the line of `MEMORY.md` as the model saw it: the file may have changed before the reply
/// arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationKind {
    /// Add a line.
    Add,
    /// Replace a line; add one if none is named.
    Update(Option<CuratedLine>),
    /// Add a line that replaces a note of a log, which is given as a line.
    Renew(CuratedLine),
    /// Remove a line that no longer holds.
    Retire(Option<CuratedLine>),
}

impl OperationKind {
    /// The line that it replaces or removes.
    pub fn line(&self) -> Option<&CuratedLine> {
        match self {
            Self::Add => None,
            Self::Renew(note) => Some(note),
            Self::Update(line) | Self::Retire(line) => line.as_ref(),
        }
    }
}

/// The author of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposer {
    /// A model, which understands the text.
    Model,
    /// The offline engine, which only selects and quotes.
    Engine {
        /// Whether the owner explicitly asked to keep it or gave a standing instruction.
        is_asked: bool,
    },
}

/// The parsed reply.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposals {
    /// The operations, in order.
    pub operations: Vec<Operation>,
    /// Parts of the reply that are not valid operations, shortened.
    pub unreadable: Vec<String>,
    /// The labels of items that a truncated reply did not reach.
    pub cut_off: Vec<String>,
}

/// An operation as models write it; unknown keys are ignored.
#[derive(Debug, Deserialize)]
struct OperationWire {
    op: String,
    #[serde(default)]
    section: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    importance: Value,
    #[serde(default, deserialize_with = "labels")]
    evidence: Vec<String>,
    #[serde(default)]
    quote: Option<String>,
    #[serde(default)]
    line: Value,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    asked: bool,
}

/// The author of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyFrom {
    /// A model, which judges.
    Model,
    /// The offline engine, which only selects.
    Engine,
}

/// Parses each operation of a reply by itself; line labels refer to `shown`, the memory that the model saw.
pub fn parse_proposals(reply: &str, from: ReplyFrom, shown: KnownMemory<'_>) -> Proposals {
    let mut found = Proposals::default();
    let read = json_items(reply, "op");
    found.unreadable = read.broken;
    let mut says_nothing =
        reply.trim().is_empty() || reply.contains(NOTHING_TO_KEEP) || holds_empty_list(reply);
    for item in read.items.into_iter().take(OPERATIONS_MAX) {
        let piece = base::head(&item.to_string(), LINE_CHARS_MAX).to_owned();
        match serde_json::from_value::<OperationWire>(item)
            .ok()
            .map(|wire| operation(wire, from, shown))
        {
            Some(ParsedReply::Operation(operation)) => found.operations.push(*operation),
            Some(ParsedReply::Nothing) => says_nothing = true,
            Some(ParsedReply::Unreadable) | None => found.unreadable.push(piece),
        }
    }
    if found.operations.is_empty() && found.unreadable.is_empty() && !says_nothing {
        found
            .unreadable
            .push(base::head(reply.trim(), LINE_CHARS_MAX).to_owned());
    }
    found
}

/// Whether a reply contains an empty list.
fn holds_empty_list(reply: &str) -> bool {
    let mut lists = reply.split('[').skip(1);
    lists.any(|behind| behind.trim_start().starts_with(']'))
}

enum ParsedReply {
    Operation(Box<Operation>),
    Nothing,
    Unreadable,
}

fn operation(wire: OperationWire, from: ReplyFrom, shown: KnownMemory<'_>) -> ParsedReply {
    let (mut line, mut waiting) = (None, None);
    match label(&wire.line) {
        Some((LINE_LETTER, place)) => line = shown.lines.get(place).cloned(),
        Some((WAITING_LETTER, place)) => waiting = shown.waiting.get(place).cloned(),
        // The label of a note names neither.
        Some(_) | None => {}
    }
    // Also accept synonyms from schemas that models know.
    let kind = match wire.op.trim().to_lowercase().as_str() {
        "add" => OperationKind::Add,
        "update" | "merge" | "supersede" => OperationKind::Update(line),
        "retire" | "remove" | "delete" => OperationKind::Retire(line),
        "none" | "noop" => return ParsedReply::Nothing,
        _ => return ParsedReply::Unreadable,
    };
    let quote = wire.quote.unwrap_or_default();
    let text = wire.text.filter(|text| !text.trim().is_empty());
    let text = match (text, &kind) {
        (Some(text), _) => text,
        // A removal without text is described by its quote.
        (None, OperationKind::Retire(_)) => quote.clone(),
        (None, OperationKind::Add | OperationKind::Update(_) | OperationKind::Renew(_)) => {
            return ParsedReply::Unreadable;
        }
    };
    let section = wire.section.unwrap_or_default();
    let known = MEMORY_SECTIONS
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(section.trim()));
    let last = MEMORY_SECTIONS.last().copied().unwrap_or_default();
    let (quote, proposer) = match from {
        ReplyFrom::Model => (quote, Proposer::Model),
        ReplyFrom::Engine => {
            let is_asked = wire.asked;
            let quote = Some(quote).filter(|quote| !quote.is_empty());
            let quote = quote.unwrap_or_else(|| without_reckoned_dates(&text));
            (quote, Proposer::Engine { is_asked })
        }
    };
    ParsedReply::Operation(Box::new(Operation {
        kind,
        section: known.unwrap_or(last).to_owned(),
        text,
        importance: importance(&wire.importance),
        evidence: wire.evidence,
        quote,
        waiting,
        reason: wire
            .reason
            .as_deref()
            .map_or_else(Default::default, ChangeReason::named),
        proposer,
    }))
}

/// Deserializes labels from a list or from one string with several.
fn labels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let texts: Vec<String> = match value {
        Value::Array(values) => values
            .iter()
            .map(|own| own.as_str().map_or_else(|| own.to_string(), str::to_owned))
            .collect(),
        Value::String(text) => vec![text],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    };
    let is_part = |c: char| !c.is_alphanumeric();
    let parts = texts.iter().flat_map(|text| text.split(is_part));
    let labels = parts.filter(|part| !part.is_empty());
    Ok(labels.map(str::to_lowercase).collect())
}

/// The letter of the labels of lines of `MEMORY.md`, which a model may leave out.
pub(crate) const LINE_LETTER: char = 'm';

/// The letter of the labels of waiting candidates.
pub(crate) const WAITING_LETTER: char = 'w';

/// Parses the letter of a label and its place, from 0, in `m2`, `[w2]` or 2.
fn label(line: &Value) -> Option<(char, usize)> {
    let text = match line {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().trim_matches(['[', ']']).to_lowercase(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let letter = text.chars().next().filter(|letter| letter.is_alphabetic());
    let number: usize = text.trim_start_matches(char::is_alphabetic).parse().ok()?;
    Some((letter.unwrap_or(LINE_LETTER), number.checked_sub(1)?))
}

/// Rounds to a whole number from 1 to 10; 5 if the value is not a number.
fn importance(said: &Value) -> u8 {
    let number = said.as_f64().or_else(|| said.as_str()?.trim().parse().ok());
    let said = number.filter(|said| said.is_finite()).unwrap_or(5.0);
    (1..=10_u8)
        .min_by(|left, right| {
            let distance = |own: u8| (f64::from(own) - said).abs();
            distance(*left).total_cmp(&distance(*right))
        })
        .unwrap_or(5)
}

/// Removes computed dates in parentheses, as in `tomorrow (2026-04-21)`.
pub fn without_reckoned_dates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('(') {
        out.push_str(before);
        match after.split_once(')') {
            Some((inside, behind)) if is_dates(inside) => rest = behind,
            Some(_) | None => {
                out.push('(');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn is_dates(inside: &str) -> bool {
    let plain = inside.replace("week of", "").replace("..", " ");
    let mut parts = plain.split_whitespace().peekable();
    let is_date =
        |part: &str| part.contains('-') && part.chars().all(|c| c.is_ascii_digit() || c == '-');
    parts.peek().is_some() && parts.all(is_date)
}

#[cfg(test)]
#[path = "propose_tests.rs"]
mod tests;
