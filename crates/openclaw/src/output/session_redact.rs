//! What taking something out of a transcript did, or would do.
//!
//! Renders what it is given; opens no transcript.

use std::fmt::Write;

use base::{head, redact};
use memory::{ForgetPlan, Keeper};
use serde::Serialize;
use session::{RedactedKind, RedactedLine, SessionName};

use super::human::{heading, printable};
use super::session_list::counted;
use super::wrap::wrap;
use crate::environment::Stream;

/// Most characters of a line that are shown.
const SHOWN_CHARS_MAX: usize = 80;

/// What was taken out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RedactReport {
    /// The session.
    name: String,
    /// Lines of the transcript that give something up.
    lines: Vec<LineReport>,
    /// Passages of notes that say it or were made from it.
    notes: Vec<NoteReport>,
    /// Sessions that copied some of it and keep their copies.
    forks: Vec<String>,
    /// Files that still say one of the words: the owner's, and other sessions.
    pub(crate) still_in: Vec<String>,
    /// Whether it was done.
    pub(crate) is_done: bool,
}

/// A line of the transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct LineReport {
    line: u64,
    entry: Option<String>,
    kind: &'static str,
    text: String,
}

/// A passage of a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoteReport {
    place: String,
    text: String,
    /// Whether the owner wrote it: it is hidden then, and stays in its file.
    is_owners: bool,
}

impl NoteReport {
    /// The passages of a plan.
    pub(super) fn all(plan: &ForgetPlan) -> Vec<Self> {
        let lines = plan.lines.iter().map(|line| Self {
            place: line.place().to_string(),
            text: shown(&line.text),
            is_owners: line.keeper == Keeper::Owner,
        });
        let candidates = plan.candidates.iter().map(|own| Self {
            place: own.place().to_string(),
            text: shown(&own.finding),
            is_owners: false,
        });
        lines.chain(candidates).collect()
    }

    /// A line for people.
    pub(super) fn render(&self) -> String {
        let whose = if self.is_owners {
            "  (yours: hidden, and stays in its file)"
        } else {
            ""
        };
        format!("  {}  {}{whose}\n", self.place, printable(&self.text))
    }
}

impl RedactReport {
    /// What is planned.
    pub(crate) fn new(
        name: &SessionName,
        lines: &[RedactedLine],
        memory: &ForgetPlan,
        forks: &[SessionName],
    ) -> Self {
        let lines = lines.iter().map(|line| LineReport {
            line: line.number,
            entry: line.entry.as_ref().map(ToString::to_string),
            kind: match line.kind {
                RedactedKind::Message => "message",
                RedactedKind::Summary => "summary",
                RedactedKind::Other => "other",
            },
            text: shown(&line.text),
        });
        Self {
            name: name.to_string(),
            lines: lines.collect(),
            notes: NoteReport::all(memory),
            forks: forks.iter().map(ToString::to_string).collect(),
            still_in: Vec::new(),
            is_done: false,
        }
    }
}

/// One line without secrets.
fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    head(&redact(&words.join(" ")), SHOWN_CHARS_MAX).to_owned()
}

/// What was taken out, for people.
pub(crate) fn render(report: &RedactReport, stdout: Stream) -> String {
    let RedactReport { name, .. } = report;
    let n_lines = counted(report.lines.len() as u64, "line", "lines");
    let verb = if report.is_done {
        "gave up"
    } else {
        "would give up"
    };
    let mut text = format!("{} {verb} what stood in {n_lines}\n", heading(name));
    for line in &report.lines {
        let (number, kind) = (line.line, line.kind);
        let said = printable(&line.text);
        // Writing to a String cannot fail, here and below.
        writeln!(text, "  {name}.jsonl:{number}  {kind}  {said}").unwrap_or_default();
    }
    if !report.notes.is_empty() {
        let verb = if report.is_done { "does" } else { "would" };
        writeln!(text, "Memory {verb} not tell what was made of it:").unwrap_or_default();
        text.extend(report.notes.iter().map(NoteReport::render));
    }
    text.push_str(&forks(&report.forks));
    if !report.still_in.is_empty() {
        let verb = if report.still_in.len() == 1 {
            "holds"
        } else {
            "hold"
        };
        let files = printable(&report.still_in.join(", "));
        writeln!(
            text,
            "{files} still {verb} words of it, and only you can take them out."
        )
        .unwrap_or_default();
    }
    if !report.is_done {
        text.push_str("Nothing was changed; `--yes` does it, and nothing brings it back.\n");
    }
    wrap(&text, stdout.text_columns(), "    ")
}

/// The sessions that hold copies, and what to do about them.
pub(super) fn forks(forks: &[String]) -> String {
    match forks {
        [] => String::new(),
        [fork] => format!("{fork} copied from it and keeps its copy.\n"),
        forks => format!(
            "{} copied from it and keep their copies.\n",
            forks.join(", ")
        ),
    }
}
