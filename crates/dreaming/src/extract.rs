//! The extract stage: asks a model what deserves to last, and reads its operations.
//!
//! Trusts nothing: an operation is data that later stages check.

use base::model::{Excerpt, MemoryReach, Purpose, Recalled, Request};
use base::{
    Locator, MEMORY_SECTIONS, Message, NOTHING_TO_KEEP, Origin, Timestamp, TokenCount, Tz, day,
    estimate_text,
};
use memory::curated::CuratedLine;
use serde::Deserialize;

use crate::material::Item;

const PROMPT: &str = include_str!("prompts/consolidate.md");

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
}

/// What is to be done; the last three name a line of long-term memory by its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationKind {
    /// A new line.
    Add,
    /// It belongs to a line that is there.
    Merge(usize),
    /// It holds in the place of a line that is there.
    Supersede(usize),
    /// It says otherwise than a line that is there.
    Contradict(usize),
}

#[derive(Debug, Deserialize)]
struct OperationWire {
    op: String,
    #[serde(default)]
    section: String,
    text: String,
    #[serde(default)]
    importance: Option<f64>,
    #[serde(default)]
    evidence: Vec<String>,
    #[serde(default)]
    line: Option<String>,
}

/// Requests that together show all items, each with long-term memory as it is.
pub fn consolidate_requests(
    items: &[Item],
    lines: &[CuratedLine],
    window: TokenCount,
    timezone: Tz,
) -> Vec<Request> {
    let output_max = OUTPUT_MAX.min(TokenCount(window.0 / 4));
    let today = items.last().map(|item| item.day);
    let system = PROMPT
        .replace(
            "{{sections}}",
            &MEMORY_SECTIONS.map(|name| format!("- {name}")).join("\n"),
        )
        .replace("{{nothing}}", NOTHING_TO_KEEP)
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
    let requests = batches.into_iter().map(|batch| Request {
        purpose: Purpose::Consolidate,
        system: system.trim_end().to_owned(),
        messages: vec![Message::user(shown(&known, batch, timezone))],
        excerpts: excerpts(lines, batch),
        reach: MemoryReach::Whole,
        tools: Vec::new(),
        output_max,
        sampling: base::model::Sampling::Usual,
    });
    requests.collect()
}

fn batches(items: &[Item], room: TokenCount) -> Vec<&[Item]> {
    let mut batches = Vec::new();
    let mut rest = items;
    while !rest.is_empty() {
        let mut taken = TokenCount::ZERO;
        let n_items = rest.iter().take_while(|item| {
            taken += estimate_text(&item.text) + TokenCount(16);
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

fn shown(known: &str, items: &[Item], timezone: Tz) -> String {
    let known = if known.is_empty() { "(empty)" } else { known };
    let mut text = format!("Long-term memory:\n\n{known}\n\nNew notes:\n\n");
    for item in items {
        let own = base::head(&item.text, ITEM_CHARS_MAX).replace('\n', "\n  ");
        let line = format!(
            "[{}] {} {}: {own}\n",
            item.label,
            day(item.at, timezone),
            item.origin
        );
        text.push_str(&line);
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

/// Reads operations, one a line; gives them with the number of lines that are none.
pub fn parse_operations(reply: &str) -> (Vec<Operation>, usize) {
    let mut operations = Vec::new();
    let mut n_unreadable = 0;
    for line in reply.lines().map(str::trim) {
        let is_frame = line.is_empty() || line.starts_with("```") || line == NOTHING_TO_KEEP;
        if is_frame || operations.len() >= OPERATIONS_MAX {
            continue;
        }
        match serde_json::from_str::<OperationWire>(line)
            .ok()
            .and_then(read)
        {
            Some(operation) => operations.push(operation),
            None => n_unreadable += 1,
        }
    }
    (operations, n_unreadable)
}

fn read(wire: OperationWire) -> Option<Operation> {
    let line = || {
        let label = wire.line.as_deref()?.trim_start_matches('[');
        label.strip_prefix('m')?.trim_end_matches(']').parse().ok()
    };
    let kind = match wire.op.as_str() {
        "add" => OperationKind::Add,
        "merge" => OperationKind::Merge(line()?),
        "supersede" => OperationKind::Supersede(line()?),
        "contradict" => OperationKind::Contradict(line()?),
        _ => return None,
    };
    let known = MEMORY_SECTIONS
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(wire.section.trim()));
    let last = MEMORY_SECTIONS.last().copied().unwrap_or_default();
    Some(Operation {
        kind,
        section: known.unwrap_or(last).to_owned(),
        text: wire.text,
        importance: importance(wire.importance),
        evidence: wire.evidence,
    })
}

/// A whole number from 1 to 10; the middle where nothing sensible is said.
fn importance(said: Option<f64>) -> u8 {
    let said = said.filter(|said| said.is_finite()).unwrap_or(5.0);
    (1..=10_u8)
        .min_by(|left, right| {
            let distance = |own: u8| (f64::from(own) - said).abs();
            distance(*left).total_cmp(&distance(*right))
        })
        .unwrap_or(5)
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
