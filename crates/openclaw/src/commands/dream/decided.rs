//! What was decided about candidates, and what stands beside it.
//!
//! Decides nothing.

use std::collections::BTreeSet;

use memory::candidates::{Candidate, CandidateId};
use memory::curated::memory_lines;
use serde::Serialize;

use crate::output::{put, wrap};
use crate::prelude::*;

/// How many candidates wait, in words.
pub(super) fn waiting(n_waiting: usize) -> String {
    match n_waiting {
        0 => "no candidate waits".to_owned(),
        _ => counted(n_waiting as u64, "candidate waits", "candidates wait"),
    }
}

/// What was decided.
pub(super) struct Decided {
    pub(super) status: &'static str,
    pub(super) ids: Vec<CandidateId>,
    pub(super) findings: Vec<String>,
    /// What was turned down because its other side was accepted.
    pub(super) settled: Vec<Candidate>,
    pub(super) beside: Vec<NearLine>,
    pub(super) n_waiting: usize,
    pub(super) dry_run: bool,
}

impl Report for Decided {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        let ids: Vec<String> = self.ids.iter().map(ToString::to_string).collect();
        let mut object = json!({ "status": self.status, "ids": ids, "findings": self.findings });
        let settled = self.settled.iter();
        let settled =
            settled.map(|own| json!({ "id": own.id.to_string(), "finding": own.finding }));
        let settled: Vec<Value> = settled.collect();
        put(
            &mut object,
            "settled",
            Some(settled).filter(|all| !all.is_empty()),
        );
        let beside = Some(&self.beside).filter(|all| !all.is_empty());
        put(&mut object, "beside", beside.map(|all| json!(all)));
        put(&mut object, "waiting", Some(self.n_waiting));
        put(&mut object, "dryRun", Some(self.dry_run));
        object
    }

    fn human(&self, _: Stream) -> String {
        let would = if self.dry_run { "would be " } else { "" };
        let decided =
            self.ids.iter().zip(&self.findings).map(|(id, finding)| {
                format!("{would}{} {id}: {}\n", self.status, printable(finding))
            });
        let waiting = waiting(self.n_waiting);
        decided.collect::<String>()
            + &render_settled(&self.settled)
            + &render_near(&self.beside)
            + &format!("{waiting}\n")
    }
}

/// What was settled by a decision, for people.
pub(super) fn render_settled(settled: &[Candidate]) -> String {
    let line = |own: &Candidate| {
        let finding = printable(&own.finding);
        format!("turned down by that {}: {finding}\n", own.id)
    };
    settled.iter().map(line).collect()
}

/// A line of `MEMORY.md` that may be about the same as one that was accepted.
#[derive(Serialize)]
pub(super) struct NearLine {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
    number: usize,
}

impl NearLine {
    /// Those of `memory` that stand beside what was accepted; what it replaces is left out.
    pub(super) fn all(accepted: &[Candidate], memory: &str) -> Vec<Self> {
        let lines = memory_lines(memory);
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        let mut places = BTreeSet::new();
        for own in accepted {
            let near = dreaming::near(&own.finding, &texts).into_iter();
            let is_left = |place: &usize| {
                let line = lines.get(*place);
                let is_replaced = line.is_some_and(|line| {
                    line.id().is_some() && line.id() == own.proposal.changed_line()
                });
                !is_replaced
            };
            places.extend(near.filter(is_left));
        }
        let found = places.into_iter().filter_map(|place| lines.get(place));
        let near = found.map(|line| Self {
            text: line.text.clone(),
            day: line.day().map(|day| day.to_string()),
            number: line.number,
        });
        near.collect()
    }
}

pub(super) fn render_near(near: &[NearLine]) -> String {
    let line = |own: &NearLine| {
        let day = own
            .day
            .as_ref()
            .map(|day| format!(" of {day}"))
            .unwrap_or_default();
        let text = printable(&own.text);
        format!(
            "MEMORY.md, line {}{day}, may say otherwise: {text}\n",
            own.number
        )
    };
    near.iter().map(line).collect()
}

/// Older candidates that may be about the same as the one that is shown.
pub(super) fn render_beside(older: &[Candidate], columns: usize) -> String {
    let mut text = String::new();
    for own in older {
        let line = format!(
            "  older, of {}, {}: {}",
            own.day,
            own.id,
            printable(&own.finding)
        );
        text.push_str(&wrap(&line, columns, "    "));
        text.push('\n');
    }
    text
}
