//! The volatile suffix: the time on the owner's clock, pauses, the latest notes, what was recalled.
//!
//! Stands after the conversation, so that the cached prefix stays whole; is never stored.

use base::model::MemoryReach;
use base::{Timestamp, Tz};
use memory::{RecentLog, SearchResult};

use super::parts::Part;
use super::pause::{self, local};
use crate::fence::{Fence, fenced};
use crate::recall;

/// What the suffix is made of.
#[derive(Debug)]
pub(super) struct Volatile<'a> {
    pub(super) now: Timestamp,
    pub(super) timezone: Tz,
    pub(super) pauses: Vec<(Timestamp, Timestamp)>,
    pub(super) logs: &'a [RecentLog],
    pub(super) passages: Vec<&'a SearchResult>,
    pub(super) reach: MemoryReach,
}

/// Said to a model, which would else take silence for a memory that holds nothing.
const NOT_SEARCHED: &str = "<memory>The search of memory failed for this message; what memory holds about it is not known.</memory>";

/// The parts of the suffix, in order; each after the first begins with a line end.
pub(super) fn parts(volatile: &Volatile<'_>) -> Vec<Part> {
    let Volatile { now, timezone, .. } = volatile;
    let now = format!("<now>{} ({timezone})</now>", local(*now, *timezone));
    let pauses = pause::render(&volatile.pauses, *timezone);
    let logs: Vec<String> = volatile.logs.iter().map(log).collect();
    let passages = volatile.passages.iter();
    let mut passages: Vec<String> = passages.map(|passage| recall::render(passage)).collect();
    if volatile.reach == MemoryReach::Failed {
        passages.push(NOT_SEARCHED.to_owned());
    }
    let texts = [
        ("time", [now, pauses].join("\n").trim_end().to_owned()),
        ("recent logs", logs.join("\n")),
        ("recalled", passages.join("\n")),
    ];
    let filled = texts.into_iter().filter(|(_, text)| !text.is_empty());
    filled
        .enumerate()
        .map(|(position, (name, text))| Part {
            name: name.to_owned(),
            text: if position == 0 {
                text
            } else {
                format!("\n{text}")
            },
        })
        .collect()
}

fn log(log: &RecentLog) -> String {
    let fence = Fence {
        source: log.name.as_str(),
        day: Some(log.day),
        origin: None,
    };
    fenced(fence, log.text.trim())
}
