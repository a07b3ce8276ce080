//! What was set aside of a transcript, or would be.
//!
//! Renders what it is given; opens no transcript.

use std::fmt::Write;

use serde::Serialize;
use session::{SessionName, Unreadable};

use super::human::{heading, printable};
use super::session_list::counted;
use super::wrap::wrap;
use crate::environment::Stream;

/// What was set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RepairReport {
    /// The session.
    name: String,
    /// The lines that cannot be read.
    lines: Vec<LineReport>,
    /// How long the torn end is, where there is one.
    torn_bytes: Option<u64>,
    /// The files that keep what was set aside.
    kept_in: Vec<String>,
    /// Whether it was only shown.
    dry_run: bool,
}

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct LineReport {
    line: u64,
    offset: u64,
    bytes: u64,
    entry: Option<String>,
    message: String,
}

impl RepairReport {
    /// What would be done, or nothing where there is nothing to do.
    pub(crate) fn planned(name: &SessionName, found: &Unreadable) -> Self {
        let lines = found.lines.iter().map(|line| LineReport {
            line: line.number,
            offset: line.offset,
            bytes: line.n_bytes,
            entry: line.entry().map(ToString::to_string),
            message: line.damage.to_string(),
        });
        Self {
            name: name.to_string(),
            lines: lines.collect(),
            torn_bytes: found.torn_tail.map(|tail| tail.n_bytes),
            kept_in: Vec::new(),
            dry_run: true,
        }
    }

    /// What was done.
    pub(crate) fn done(name: &SessionName, found: &Unreadable, kept_in: Vec<String>) -> Self {
        Self {
            kept_in,
            dry_run: false,
            ..Self::planned(name, found)
        }
    }
}

/// What was set aside, for people.
pub(crate) fn render(report: &RepairReport, stdout: Stream) -> String {
    let name = heading(&report.name);
    if report.lines.is_empty() && report.torn_bytes.is_none() {
        let text = format!("{name}: every line can be read; nothing was written\n");
        return wrap(&text, stdout.text_columns(), "  ");
    }
    let verb = if report.dry_run {
        "would set aside"
    } else {
        "set aside"
    };
    let n_lines = report.lines.len() as u64;
    let lines = (n_lines > 0).then(|| counted(n_lines, "line", "lines"));
    let torn = report.torn_bytes.map(|_| "a torn end".to_owned());
    let what: Vec<String> = lines.into_iter().chain(torn).collect();
    let mut text = format!("{name}: {verb} {}\n", what.join(" and "));
    for line in &report.lines {
        let (number, message) = (line.line, printable(&line.message));
        // Writing to a String cannot fail, here and below.
        writeln!(text, "  line {number}: {message}").unwrap_or_default();
    }
    if let Some(n_bytes) = report.torn_bytes {
        let bytes = counted(n_bytes, "byte", "bytes");
        writeln!(text, "  torn end: {bytes}").unwrap_or_default();
    }
    for file in &report.kept_in {
        writeln!(text, "  kept in {}", printable(file)).unwrap_or_default();
    }
    if report.dry_run {
        text.push_str("Nothing was changed; without `--dry-run` it is done.\n");
    }
    wrap(&text, stdout.text_columns(), "    ")
}
