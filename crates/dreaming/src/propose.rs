//! The propose stage: asks a model what deserves to last, and reads its operations.
//!
//! Trusts nothing: an operation is data that later stages check.

use base::model::{Excerpt, Format, Purpose, Recalled, Request, Sampling};
use base::{
    Locator, MEMORY_SECTIONS, Message, NOTHING_TO_KEEP, Origin, Timestamp, TokenCount, Tz, day,
    estimate_text, json_items,
};
use memory::curated::CuratedLine;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::gate::{LINE_CHARS_MAX, Refusal};
use crate::material::Item;

const PROMPT: &str = include_str!("prompts/consolidate.md");
const RETRY: &str = include_str!("prompts/consolidate_retry.md");

/// The most that one reply may take.
const OUTPUT_MAX: TokenCount = TokenCount(4_000);

/// The most that one request shows of new notes.
const MATERIAL_MAX: TokenCount = TokenCount(16_000);

/// More operations are not taken from one reply.
const OPERATIONS_MAX: usize = 400;

/// What is to be done with long-term memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What.
    pub kind: OperationKind,
    /// The heading.
    pub section: String,
    /// The line.
    pub text: String,
    /// From 1 to 10.
    pub importance: u8,
    /// The labels that it cites.
    pub evidence: Vec<String>,
    /// The words of the message that say so.
    pub quote: String,
    /// Who proposes it.
    pub proposer: Proposer,
}

/// What is to be done; a line of long-term memory is named by its number, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    /// A new line.
    Add,
    /// It holds in the place of a line; a new line where none is named.
    Update(Option<usize>),
    /// A line holds no longer, and nothing takes its place.
    Retire(Option<usize>),
}

/// Who proposes an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposer {
    /// A model, which understands what was said.
    Model,
    /// The offline engine, which only selects and quotes.
    Engine {
        /// Whether the owner asked in so many words that it be kept, or gave a standing instruction.
        is_asked: bool,
    },
}

/// What a reply proposes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposals {
    /// The operations, in order.
    pub operations: Vec<Operation>,
    /// Pieces of the reply that are none, shortened.
    pub unreadable: Vec<String>,
}

/// An operation as models write it; unknown keys are left out.
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
    asked: bool,
}

/// The schema of a reply.
fn format() -> Format {
    let operation = json!({
        "type": "object",
        "properties": {
            "op": {"type": "string", "enum": ["add", "update", "retire", "none"]},
            "line": {"type": ["string", "null"], "description": "label of the line of long-term memory, such as m2"},
            "section": {"type": "string", "enum": MEMORY_SECTIONS},
            "text": {"type": "string", "description": "the line to write"},
            "importance": {"type": "integer", "description": "1 to 10"},
            "evidence": {"type": "array", "items": {"type": "string"}, "description": "labels such as e3"},
            "quote": {"type": "string", "description": "words of the owner, copied"},
            "reason": {"type": "string", "enum": ["new", "changed", "corrected", "ended", "more_detail"]},
        },
        "required": ["op", "line", "section", "text", "importance", "evidence", "quote", "reason"],
        "additionalProperties": false,
    });
    let schema = json!({
        "type": "object",
        "properties": {"operations": {"type": "array", "items": operation}},
        "required": ["operations"],
        "additionalProperties": false,
    });
    Format {
        name: "operations",
        schema: schema.to_string(),
    }
}

/// Requests that together show all items, each with long-term memory as it is and with the same as evidence.
pub fn consolidate_requests(
    items: &[Item],
    lines: &[CuratedLine],
    window: TokenCount,
    timezone: Tz,
) -> Vec<(Request, Vec<Excerpt>)> {
    let output_max = OUTPUT_MAX.min(TokenCount(window.0 / 4));
    let today = items.last().map(|item| item.day);
    let system = PROMPT
        .replace("{{sections}}", &MEMORY_SECTIONS.join(", "))
        .replace(
            "{{day}}",
            &today.map(|day| day.to_string()).unwrap_or_default(),
        );
    let known: Vec<String> = (1_usize..)
        .zip(lines)
        .map(|(number, line)| format!("[m{number}] {}", line.text))
        .collect();
    let known = known.join("\n");
    let room = window
        .saturating_sub(output_max)
        .saturating_sub(estimate_text(&system))
        .saturating_sub(estimate_text(&known))
        .percent(90)
        .min(MATERIAL_MAX);
    let batches = batches(items, room);
    let request = |batch: &[Item]| Request {
        purpose: Purpose::Consolidate,
        system: system.trim_end().to_owned(),
        messages: vec![Message::user(shown(&known, batch, timezone))],
        tools: Vec::new(),
        format: Some(format()),
        output_max,
        sampling: Sampling::Likeliest,
    };
    let batches = batches.into_iter();
    batches
        .map(|batch| (request(batch), excerpts(lines, batch)))
        .collect()
}

/// Asks once more for what a reply got wrong; `wrong` says of each piece why it cannot be taken.
pub fn retry_request(request: &Request, reply: &str, wrong: &[(String, String)]) -> Request {
    let list: Vec<String> = wrong
        .iter()
        .map(|(piece, why)| format!("- {}: {why}", base::head(piece, LINE_CHARS_MAX)))
        .collect();
    let mut again = request.clone();
    again.messages.push(Message::assistant(reply));
    again.messages.push(Message::user(
        RETRY.trim_end().replace("{{wrong}}", &list.join("\n")),
    ));
    again
}

/// Whether a model that is told may do better.
pub fn is_worth_a_retry(refusal: Refusal) -> bool {
    matches!(
        refusal,
        Refusal::NoEvidence | Refusal::NoQuote | Refusal::NotGrounded | Refusal::TooLong
    )
}

fn batches(items: &[Item], room: TokenCount) -> Vec<&[Item]> {
    let mut batches = Vec::new();
    let mut rest = items;
    while !rest.is_empty() {
        let mut taken = TokenCount::ZERO;
        let n_items = rest.iter().take_while(|item| {
            taken += estimate_text(&shown_item(item)) + TokenCount(16);
            taken <= room
        });
        let n_items = n_items.count().max(1);
        let (batch, after) = rest.split_at_checked(n_items).unwrap_or((rest, &[]));
        batches.push(batch);
        rest = after;
    }
    batches
}

/// An item is shown in at most this many characters.
const ITEM_CHARS_MAX: usize = 6_000;

/// Each message behind a note is shown in at most this many.
const SOURCE_CHARS_MAX: usize = 1_200;

fn shown(known: &str, items: &[Item], timezone: Tz) -> String {
    let known = if known.is_empty() { "(empty)" } else { known };
    let mut text = format!("Long-term memory:\n\n{known}\n\nNew notes:\n\n");
    for item in items {
        let day = day(item.at, timezone);
        let line = format!(
            "[{}] {day} {}: {}\n",
            item.label,
            item.origin,
            shown_item(item)
        );
        text.push_str(&line);
    }
    text
}

/// What an item says, and the messages behind it where they say it in other words.
fn shown_item(item: &Item) -> String {
    let indented = |text: &str, n_chars: usize| base::head(text, n_chars).replace('\n', "\n  ");
    let mut text = indented(&item.text, ITEM_CHARS_MAX);
    for source in item.sources.iter().filter(|own| own.text != item.text) {
        let said = indented(&source.text, SOURCE_CHARS_MAX);
        text.push_str(&format!("\n  {} said: {said}", source.origin));
    }
    text
}

/// The lines of long-term memory, and what is new.
fn excerpts(lines: &[CuratedLine], batch: &[Item]) -> Vec<Excerpt> {
    let Some(newest) = batch.last() else {
        return Vec::new();
    };
    let known = (1_usize..).zip(lines);
    let known = known.map(|(number, line)| known_excerpt(number, line, newest.at));
    known.chain(batch.iter().map(excerpt)).collect()
}

/// A line of long-term memory: no evidence, and what is new may be about what it names.
fn known_excerpt(number: usize, line: &CuratedLine, at: Timestamp) -> Excerpt {
    Excerpt {
        label: format!("m{number}"),
        entry: None,
        at,
        origin: Origin::System,
        message: Message::user(line.text.clone()),
        recalled: None,
    }
}

fn excerpt(item: &Item) -> Excerpt {
    let source = item.sources.first();
    Excerpt {
        label: item.label.clone(),
        entry: None,
        at: item.at,
        origin: item.origin,
        message: match item.origin {
            Origin::Owner | Origin::Untrusted => Message::user(item.text.clone()),
            Origin::Agent | Origin::System => Message::assistant(item.text.clone()),
        },
        recalled: source.map(|source| Recalled {
            place: Locator {
                path: source.path.clone(),
                start_line: source.line,
                end_line: source.line,
            },
            day: Some(item.day),
        }),
    }
}

/// Reads the operations of a reply, each by itself.
pub fn parse_proposals(reply: &str, is_offline: bool) -> Proposals {
    let mut found = Proposals::default();
    let read = json_items(reply);
    found.unreadable = read.broken;
    for item in read.items.into_iter().take(OPERATIONS_MAX) {
        let shown = base::head(&item.to_string(), LINE_CHARS_MAX).to_owned();
        match serde_json::from_value::<OperationWire>(item)
            .ok()
            .map(|wire| operation(wire, is_offline))
        {
            Some(Parsed::Operation(operation)) => found.operations.push(*operation),
            Some(Parsed::Nothing) => {}
            Some(Parsed::Unreadable) | None => found.unreadable.push(shown),
        }
    }
    let says_nothing =
        reply.trim().is_empty() || reply.contains(NOTHING_TO_KEEP) || reply.contains('[');
    if found.operations.is_empty() && found.unreadable.is_empty() && !says_nothing {
        found
            .unreadable
            .push(base::head(reply.trim(), LINE_CHARS_MAX).to_owned());
    }
    found
}

enum Parsed {
    Operation(Box<Operation>),
    Nothing,
    Unreadable,
}

fn operation(wire: OperationWire, is_offline: bool) -> Parsed {
    let line = label_number(&wire.line);
    // The words that models use for the same, in their own schemas.
    let kind = match wire.op.trim().to_lowercase().as_str() {
        "add" => OperationKind::Add,
        "update" | "merge" | "supersede" => OperationKind::Update(line),
        "retire" | "remove" | "delete" => OperationKind::Retire(line),
        "none" | "noop" => return Parsed::Nothing,
        _ => return Parsed::Unreadable,
    };
    let quote = wire.quote.unwrap_or_default();
    let text = wire.text.filter(|text| !text.trim().is_empty());
    let text = match (text, kind) {
        (Some(text), _) => text,
        // What ended is told by the quote where the model writes no line for it.
        (None, OperationKind::Retire(_)) => quote.clone(),
        (None, OperationKind::Add | OperationKind::Update(_)) => return Parsed::Unreadable,
    };
    let section = wire.section.unwrap_or_default();
    let known = MEMORY_SECTIONS
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(section.trim()));
    let last = MEMORY_SECTIONS.last().copied().unwrap_or_default();
    let (quote, proposer) = if is_offline {
        let is_asked = wire.asked;
        (without_reckoned_dates(&text), Proposer::Engine { is_asked })
    } else {
        (quote, Proposer::Model)
    };
    Parsed::Operation(Box::new(Operation {
        kind,
        section: known.unwrap_or(last).to_owned(),
        text,
        importance: importance(&wire.importance),
        evidence: wire.evidence,
        quote,
        proposer,
    }))
}

/// Labels as a list, or as one text with several.
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

/// The number of `m2`, `[m2]` or 2.
fn label_number(line: &Value) -> Option<usize> {
    match line {
        Value::Number(number) => number
            .as_u64()
            .and_then(|number| usize::try_from(number).ok()),
        Value::String(text) => {
            let bare = text.trim().trim_matches(['[', ']']);
            bare.trim_start_matches(['m', 'M']).parse().ok()
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A whole number from 1 to 10; the middle where nothing sensible is said.
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

/// A text without the dates that were reckoned and put behind its words, as in `tomorrow (2026-04-21)`.
fn without_reckoned_dates(text: &str) -> String {
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
