//! The pages of memory as examples, for tests and the gallery.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::ops::{WhyEvent, WhyStep};
use base::disk::MemoryDisk;
use base::{HomeLayout, LineRange, Locator, Origin};
use maud::html;
use memory::Workspace;
use memory::curated::{CuratedLine, LineOwner};

use super::known::{KnownView, known};
use super::life::drawn;
use crate::page::gallery::{Sample, sample_day};

/// The states of the pages of memory; `text` is inserted wherever the owner's or a model's words appear.
pub(in crate::page) fn samples(text: &str) -> Vec<Sample> {
    let line = |number, owner| CuratedLine {
        number,
        section: Some(text.to_owned()),
        text: text.to_owned(),
        owner,
    };
    let ours = LineOwner::Ours {
        id: "a1b2".to_owned(),
        evidence: Vec::new(),
        origin: Origin::Owner,
        day: Some(sample_day("2026-04-20")),
    };
    let view = KnownView {
        csrf: "c5rf".to_owned(),
        lines: vec![
            line(3, ours.clone()),
            line(4, LineOwner::Owner),
            line(5, ours),
        ],
        hidden: BTreeSet::from([5]),
        struck: vec![("f1".to_owned(), "today at 08:00".to_owned())],
        today: sample_day("2026-04-21"),
    };
    let empty = KnownView {
        lines: Vec::new(),
        hidden: BTreeSet::new(),
        struck: Vec::new(),
        ..view.clone()
    };
    let step = |day: &str, event| WhyStep {
        day: sample_day(day),
        at: None,
        event,
        text: text.to_owned(),
        place: Some(Locator::new("sessions/main.jsonl", LineRange::line(3))),
        id: None,
    };
    let steps = [
        step("2026-04-18", WhyEvent::Said),
        step("2026-04-19", WhyEvent::Proposed),
        step("2026-04-20", WhyEvent::Accepted),
    ];
    let workspace = Workspace::new(Arc::new(MemoryDisk::new()), HomeLayout::new("/home"));
    vec![
        Sample::new("memory", "lines of every kind", known(&view)),
        Sample::new("memory-empty", "no line yet", known(&empty)),
        Sample::new(
            "life",
            "the life of a line",
            html! { h1 { "Memory" } (drawn(&steps, (&workspace, sample_day("2026-04-21")))) },
        ),
    ]
}
