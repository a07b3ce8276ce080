//! What taking a session away did, or would do.
//!
//! Renders what it is given; opens no transcript.

use std::fmt::Write;

use memory::ForgetPlan;
use serde::Serialize;
use session::SessionName;

use super::human::heading;
use super::session_list::counted;
use super::session_redact::{NoteReport, forks};
use super::wrap::wrap;
use crate::environment::Stream;

/// What was taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeleteReport {
    /// The session.
    name: String,
    /// How many messages it holds.
    messages: usize,
    /// Passages of notes that were made from it.
    notes: Vec<NoteReport>,
    /// Whether they go too.
    pub(crate) with_notes: bool,
    /// Sessions that copied some of it and keep their copies.
    forks: Vec<String>,
    /// Whether it was done.
    pub(crate) is_done: bool,
}

impl DeleteReport {
    /// What is planned.
    pub(crate) fn new(
        name: &SessionName,
        n_messages: usize,
        notes: &ForgetPlan,
        forks: &[SessionName],
    ) -> Self {
        Self {
            name: name.to_string(),
            messages: n_messages,
            notes: NoteReport::all(notes),
            with_notes: false,
            forks: forks.iter().map(ToString::to_string).collect(),
            is_done: false,
        }
    }
}

/// What was taken away, for people.
pub(crate) fn render(report: &DeleteReport, stdout: Stream) -> String {
    let messages = counted(report.messages as u64, "message", "messages");
    let verb = if report.is_done { "is" } else { "would be" };
    let mut text = format!("{} {verb} deleted: {messages}\n", heading(&report.name));
    if !report.notes.is_empty() {
        let n_notes = counted(report.notes.len() as u64, "note", "notes");
        let became = if report.with_notes {
            "leave memory too"
        } else {
            "stay in memory; `--notes` takes them out too"
        };
        // Writing to a String cannot fail.
        writeln!(text, "{n_notes} made from it {became}:").unwrap_or_default();
        text.extend(report.notes.iter().map(NoteReport::render));
    }
    text.push_str(&forks(&report.forks));
    if !report.is_done {
        text.push_str("Nothing was changed; `--yes` does it, and nothing brings it back.\n");
    }
    wrap(&text, stdout.text_columns(), "    ")
}
