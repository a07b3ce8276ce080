//! Renders decisions about candidates, and lines that may contradict them.
//!
//! Decides nothing.

use agent::review::lines_beside;
use cli::output::wrap;
use memory::MemoryText;
use memory::candidates::{Candidate, CandidateId};
use serde::Serialize;

use super::desk::DryRun;
use crate::prelude::*;

/// How many candidates wait.
pub(super) fn waiting(n_waiting: usize) -> String {
    match n_waiting {
        0 => "no candidates are waiting".to_owned(),
        _ => counted(n_waiting as u64, "candidate waits", "candidates wait"),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DecisionReport {
    pub(super) status: &'static str,
    pub(super) ids: Vec<CandidateId>,
    pub(super) findings: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) beside: Vec<NearLine>,
    #[serde(rename = "waiting")]
    pub(super) n_waiting: usize,
    #[serde(flatten)]
    pub(super) dry_run: DryRun,
}

impl Report for DecisionReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!(self)
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let mut text = String::new();
        for (id, finding) in self.ids.iter().zip(&self.findings) {
            let (status, finding) = (self.status, printable(finding));
            add_line!(text, "{status} {id}: {finding}");
        }
        text + &render_near(&self.beside) + &format!("{}\n", waiting(self.n_waiting))
    }
}

/// A line of `MEMORY.md` that may be about the same subject as an accepted one.
#[derive(Serialize)]
pub(super) struct NearLine {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
    number: usize,
}

impl NearLine {
    /// The lines of `memory` that may be about the same as `accepted`, except those that it replaces.
    pub(super) fn all(accepted: &[Candidate], memory: &MemoryText) -> Vec<Self> {
        let near = lines_beside(accepted, memory).into_iter().map(|line| Self {
            day: line.day().map(|day| day.to_string()),
            number: line.number,
            text: line.text,
        });
        near.collect()
    }
}

pub(super) fn render_near(near: &[NearLine]) -> String {
    let line = |own: &NearLine| {
        let day = own.day.as_ref().map(|day| format!(" of {day}"));
        let (number, day, text) = (own.number, day.unwrap_or_default(), printable(&own.text));
        format!("MEMORY.md, line {number}{day}, may contradict it: {text}\n")
    };
    near.iter().map(line).collect()
}

/// Renders older candidates that may be about the same subject.
pub(super) fn render_beside(older: &[Candidate], columns: usize) -> String {
    let mut text = String::new();
    for own in older {
        let finding = printable(&own.finding);
        let line = format!("  older, from {}, {}: {finding}", own.day, own.id);
        text.push_str(&wrap(&line, columns, "    "));
        text.push('\n');
    }
    text
}
