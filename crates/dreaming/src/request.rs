//! Builds the requests that ask a model for operations.
//!
//! Never exceeds the model's window.

use base::model::{Excerpt, Purpose, Recalled, ReplyFormat, Request, Sampling};
use base::{
    LineRange, Locator, MEMORY_SECTIONS, Message, Origin, TokenCount, Tz, day, estimate_text,
    sentences,
};
use memory::curated::CuratedLine;
use serde_json::{Value, json};

use crate::material::{MaterialItem, MaterialSource};
use crate::propose::{
    LINE_CHARS_MAX, LINE_LETTER, Operation, WAITING_LETTER, without_reckoned_dates,
};
use crate::wording::{bare, nearest_first};

const PROMPT: &str = include_str!("prompts/consolidate.md");
const SENTENCE: &str = include_str!("prompts/consolidate_sentence.md");
const RETRY: &str = include_str!("prompts/consolidate_retry.md");

/// Token limit of a reply, and of a reply about a single sentence.
const OUTPUT_MAX: TokenCount = TokenCount(4_000);
const SENTENCE_OUTPUT_MAX: TokenCount = TokenCount(400);

/// Token limit of new notes in one request.
const MATERIAL_MAX: TokenCount = TokenCount(16_000);

/// Share of the window for known lines, in percent; the nearest ones are shown.
const KNOWN_PERCENT: u64 = 40;

/// Number of lines of `MEMORY.md` shown with a single sentence.
const SENTENCE_LINES_MAX: usize = 3;

/// Length limit of an item in characters, and of an item shown with a single sentence.
const ITEM_CHARS_MAX: usize = 6_000;
const NEIGHBOUR_CHARS_MAX: usize = 800;

/// Length limit of each message behind a note, in characters.
const SOURCE_CHARS_MAX: usize = 1_200;

/// Known text that a model is shown along with new notes.
#[derive(Debug, Clone, Copy, Default)]
pub struct KnownMemory<'a> {
    /// The lines of `MEMORY.md`.
    pub lines: &'a [CuratedLine],
    /// The texts of pending candidates.
    pub waiting: &'a [String],
}

/// The schema of an operation.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "op": {"type": "string", "enum": ["add", "update", "retire", "none"], "description": "none: not worth a line, or known"},
            "line": {"type": ["string", "null"], "description": "label of the line to update or retire, such as m2, or of an undecided proposal, such as w1"},
            "section": {"type": "string", "enum": MEMORY_SECTIONS},
            "text": {"type": "string", "description": "the line to write"},
            "importance": {"type": "integer", "description": "1 to 10, on the scale of the instructions"},
            "evidence": {"type": "array", "items": {"type": "string"}, "description": "labels such as e3"},
            "quote": {"type": "string", "description": "words of the owner, copied"},
            "reason": {"type": "string", "enum": ["new", "changed", "corrected", "ended", "more_detail"]},
        },
        "required": ["op", "line", "section", "text", "importance", "evidence", "quote", "reason"],
        "additionalProperties": false,
    })
}

/// The schema of a reply with any number of operations.
fn list_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"operations": {"type": "array", "items": schema()}},
        "required": ["operations"],
        "additionalProperties": false,
    })
}

fn request(prompt: &str, material: String, (schema, output_max): (Value, TokenCount)) -> Request {
    Request {
        purpose: Purpose::Consolidate,
        system: prompt.trim_end().to_owned(),
        messages: vec![Message::user(material)],
        tools: Vec::new(),
        format: Some(ReplyFormat {
            name: "operations",
            schema: schema.to_string(),
        }),
        output_max,
        sampling: Sampling::Likeliest,
    }
}

fn filled(prompt: &str, items: &[MaterialItem]) -> String {
    let today = items.last().map(|item| item.day.to_string());
    prompt
        .replace("{{sections}}", &MEMORY_SECTIONS.join(", "))
        .replace("{{day}}", &today.unwrap_or_default())
}

/// Builds requests that together show all items; each includes the known text and comes with its items as excerpts.
pub fn consolidate_requests(
    items: &[MaterialItem],
    known: KnownMemory<'_>,
    window: TokenCount,
    timezone: Tz,
) -> Vec<(Request, Vec<Excerpt>)> {
    let output_max = OUTPUT_MAX.min(TokenCount(window.0 / 4));
    let system = filled(PROMPT, items);
    let known = shown_known(known, items, window.percent(KNOWN_PERCENT));
    let room = window
        .saturating_sub(output_max)
        .saturating_sub(estimate_text(&system))
        .saturating_sub(estimate_text(&list_schema().to_string()))
        .saturating_sub(estimate_text(&known))
        .percent(90)
        .min(MATERIAL_MAX);
    let asked = |batch: &[MaterialItem]| {
        let material = format!(
            "{known}New notes:\n\n{}",
            shown(batch, timezone, ITEM_CHARS_MAX)
        );
        request(&system, material, (list_schema(), output_max))
    };
    let batches = batches(items, room).into_iter();
    batches
        .map(|batch| (asked(batch), batch.iter().map(excerpt).collect()))
        .collect()
}

/// Asks a small model about one sentence that the offline engine chose, with its context and the nearest lines of
/// `MEMORY.md`; `None` if it cites no known item.
pub fn sentence_request(
    chosen: &Operation,
    items: &[MaterialItem],
    lines: &[CuratedLine],
    timezone: Tz,
) -> Option<Request> {
    let label = chosen.evidence.first()?;
    let place = items.iter().position(|item| item.label == *label)?;
    let around = items.get(place.saturating_sub(1)..items.len().min(place + 2))?;
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let mut near = nearest_first(&chosen.text, &texts);
    near.truncate(SENTENCE_LINES_MAX);
    near.sort_unstable();
    let material = format!(
        "Long-term memory:\n\n{}\n\nNotes:\n\n{}\nThe sentence, of [{label}]: {}",
        listed(LINE_LETTER, &texts, &near),
        shown(around, timezone, NEIGHBOUR_CHARS_MAX),
        chosen.text
    );
    let system = filled(SENTENCE, around);
    Some(request(&system, material, (schema(), SENTENCE_OUTPUT_MAX)))
}

/// Asks again for the rejected parts of a reply; `wrong` holds each part with its reason.
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

fn batches(items: &[MaterialItem], room: TokenCount) -> Vec<&[MaterialItem]> {
    let mut batches = Vec::new();
    let mut rest = items;
    while !rest.is_empty() {
        let mut taken = TokenCount::ZERO;
        let n_items = rest.iter().take_while(|item| {
            taken += estimate_text(&shown_item(item, ITEM_CHARS_MAX)) + TokenCount(16);
            taken <= room
        });
        let n_items = n_items.count().max(1);
        let (batch, after) = rest.split_at_checked(n_items).unwrap_or((rest, &[]));
        batches.push(batch);
        rest = after;
    }
    batches
}

/// Renders lines of `MEMORY.md` and pending candidates; if there is no room for all, those nearest to the items.
fn shown_known(known: KnownMemory<'_>, items: &[MaterialItem], room: TokenCount) -> String {
    let about: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
    let about = about.join("\n");
    let lines: Vec<&str> = known.lines.iter().map(|line| line.text.as_str()).collect();
    let waiting: Vec<&str> = known.waiting.iter().map(String::as_str).collect();
    let mut left = room;
    let mut part = |letter: char, texts: &[&str]| {
        let mut near = nearest_first(&about, texts);
        near.retain(|place| {
            let text = texts.get(*place).copied().unwrap_or_default();
            let cost = estimate_text(text) + TokenCount(4);
            let fits = cost <= left;
            left = if fits {
                left.saturating_sub(cost)
            } else {
                left
            };
            fits
        });
        near.sort_unstable();
        listed(letter, texts, &near)
    };
    let mut text = format!("Long-term memory:\n\n{}\n\n", part(LINE_LETTER, &lines));
    if !waiting.is_empty() {
        let waiting = part(WAITING_LETTER, &waiting);
        text = format!("{text}Proposed before, not decided yet:\n\n{waiting}\n\n");
    }
    text
}

/// Lists the texts at these indexes with their labels.
fn listed(letter: char, texts: &[&str], places: &[usize]) -> String {
    let listed: Vec<String> = places
        .iter()
        .filter_map(|place| Some(format!("[{letter}{}] {}", place + 1, texts.get(*place)?)))
        .collect();
    if listed.is_empty() {
        return "(empty)".to_owned();
    }
    listed.join("\n")
}

fn shown(items: &[MaterialItem], timezone: Tz, n_chars: usize) -> String {
    let line = |item: &MaterialItem| {
        let day = day(item.at, timezone);
        let text = shown_item(item, n_chars);
        format!("[{}] {day} {}: {text}\n", item.label, item.origin)
    };
    items.iter().map(line).collect()
}

/// Renders an item, followed by the messages behind it that are worded differently.
fn shown_item(item: &MaterialItem, n_chars: usize) -> String {
    let indented = |text: &str, n_chars: usize| base::head(text, n_chars).replace('\n', "\n  ");
    let mut text = indented(&item.text, n_chars);
    for source in item.sources.iter().filter(|own| own.text != item.text) {
        let said = indented(&source.text, SOURCE_CHARS_MAX.min(n_chars));
        text = format!("{text}\n  {} said: {said}", source.origin);
    }
    text
}

fn excerpt(item: &MaterialItem) -> Excerpt {
    let source = item.sources.first();
    let text = as_said(item).unwrap_or(&item.text).to_owned();
    Excerpt {
        label: item.label.clone(),
        entry: None,
        at: item.at,
        origin: item.origin,
        message: match item.origin {
            Origin::Owner | Origin::Untrusted => Message::user(text),
            Origin::Agent | Origin::System => Message::assistant(text),
        },
        recalled: source.map(|source| Recalled {
            place: Locator::new(source.path.clone(), LineRange::line(source.line)),
            day: Some(item.day),
            planned_for: None,
            renews: None,
        }),
    }
}

/// The owner's sentence whose end a note repeats: the note may lack the words that asked for it.
fn as_said(item: &MaterialItem) -> Option<&str> {
    let noted = bare(&without_reckoned_dates(&item.text));
    let is_owners =
        |own: &&MaterialSource| own.origin == Origin::Owner && item.origin == Origin::Owner;
    let said = item.sources.iter().filter(is_owners);
    let mut said = said.flat_map(|own| sentences(&own.text));
    said.find(|sentence| !noted.is_empty() && bare(sentence).ends_with(&noted))
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
