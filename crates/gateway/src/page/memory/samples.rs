//! The pages of memory as examples, for tests and the gallery.

use std::collections::BTreeSet;

use base::Origin;
use maud::html;
use memory::curated::{CuratedLine, LineOwner};

use super::known::{KnownView, known};
use super::life::{LifeStep, drawn};
use crate::page::gallery::{Sample, sample_day};

/// The states of the pages of memory; `text` stands wherever the owner's or a model's words do.
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
    let step = |day: &str, what: &'static str| LifeStep {
        day: sample_day(day),
        what,
        words: text.to_owned(),
        address: Some("/sessions/main?line=3#line-3".to_owned()),
    };
    let steps = [
        step("2026-04-18", "Said"),
        step("2026-04-19", "Proposed"),
        step("2026-04-20", "Accepted by you"),
    ];
    vec![
        Sample::new("memory", "lines of every kind", known(&view)),
        Sample::new("memory-empty", "no line yet", known(&empty)),
        Sample::new(
            "life",
            "the life of a line",
            html! { h1 { "Memory" } (drawn(&steps, sample_day("2026-04-21"))) },
        ),
    ]
}
