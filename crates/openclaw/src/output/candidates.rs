//! Candidates, decisions about them and the dream log, for people and for programs.
//!
//! Renders what it is given; decides nothing.

use base::{Timestamp, Tz, day, time_of_day};
use memory::candidates::{Candidate, DreamLogLine};
use serde::Serialize;

use super::human::printable;
use super::session_list::counted;
use super::wire;
use super::wrap::wrap;

/// Candidates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct CandidateList {
    candidates: Vec<CandidateLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CandidateLine {
    pub(super) id: String,
    pub(super) status: &'static str,
    pub(super) finding: String,
    section: String,
    pub(super) day: String,
    pub(super) found_in: &'static str,
    pub(super) score: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) because: Option<String>,
    /// Why it was turned down, where another decision did that.
    #[serde(skip)]
    settled_because: Option<String>,
}

impl CandidateList {
    /// Of candidates, in order.
    pub(crate) fn new(candidates: &[&Candidate]) -> Self {
        Self {
            candidates: candidates
                .iter()
                .map(|own| CandidateLine::new(own))
                .collect(),
        }
    }
}

impl CandidateLine {
    /// Of a candidate.
    pub(super) fn new(own: &Candidate) -> Self {
        Self {
            id: own.id.to_string(),
            status: own.status.as_str(),
            finding: own.finding.clone(),
            section: own.section.clone(),
            day: own.day.to_string(),
            found_in: own.found_in.as_str(),
            score: own.score,
            because: own.decided_because.clone().or(own.staged_because.clone()),
            settled_because: own.decided_because.clone(),
        }
    }
}

/// The list for people.
pub(crate) fn render_list(list: &CandidateList, columns: usize) -> String {
    if list.candidates.is_empty() {
        return "no candidate waits\n".to_owned();
    }
    let mut text = String::new();
    let mut n_waiting = 0;
    for line in &list.candidates {
        let status = if line.status == "pending" {
            n_waiting += 1;
            String::new()
        } else {
            format!("{}: ", line.status)
        };
        let finding = printable(&line.finding);
        let first = format!("{:<6}  {status}{finding}", line.id);
        text.push_str(&wrap(&first, columns, "        "));
        let CandidateLine {
            section,
            day,
            found_in,
            score,
            settled_because,
            ..
        } = line;
        let because = settled_because
            .as_ref()
            .map(|because| format!("; {}", printable(because)))
            .unwrap_or_default();
        let second = format!("        {section}, {found_in} of {day}, score {score}{because}");
        text.push('\n');
        text.push_str(&wrap(&second, columns, "        "));
        text.push('\n');
    }
    if n_waiting > 0 {
        let waiting = waiting(n_waiting);
        let hint = format!(
            "{waiting}; `openclaw dream show ID` shows the evidence, `openclaw dream review` goes through them"
        );
        text.push_str(&wrap(&hint, columns, "  "));
        text.push('\n');
    }
    text
}

/// A line of ours, broken between words.
pub(crate) fn wrapped(text: &str, columns: usize) -> String {
    wrap(text, columns, "")
}

/// How many candidates wait, in words.
pub(crate) fn waiting(n_waiting: usize) -> String {
    match n_waiting {
        0 => "no candidate waits".to_owned(),
        _ => counted(n_waiting as u64, "candidate waits", "candidates wait"),
    }
}

/// What was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Decided {
    /// The word for it.
    pub(crate) status: &'static str,
    /// The candidates.
    pub(crate) ids: Vec<String>,
    /// What they say.
    pub(crate) findings: Vec<String>,
    /// What was turned down because its other side was accepted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) settled: Vec<Settled>,
    /// How many wait still.
    pub(crate) waiting: usize,
    /// Whether nothing was written.
    pub(crate) dry_run: bool,
}

/// A candidate that was turned down because its other side was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Settled {
    id: String,
    finding: String,
}

impl Settled {
    /// Of candidates.
    pub(crate) fn all(candidates: &[Candidate]) -> Vec<Self> {
        let own = candidates.iter().map(|own| Self {
            id: own.id.to_string(),
            finding: own.finding.clone(),
        });
        own.collect()
    }
}

/// What was settled, for people.
pub(crate) fn render_settled(settled: &[Settled]) -> String {
    let line = |own: &Settled| {
        format!(
            "turned down by that {}: {}\n",
            own.id,
            printable(&own.finding)
        )
    };
    settled.iter().map(line).collect()
}

/// The decision for people.
pub(crate) fn render_decided(decided: &Decided) -> String {
    let would = if decided.dry_run { "would be " } else { "" };
    let mut text = String::new();
    for (id, finding) in decided.ids.iter().zip(&decided.findings) {
        let line = format!("{would}{} {id}: {}\n", decided.status, printable(finding));
        text.push_str(&line);
    }
    text + &render_settled(&decided.settled) + &waiting(decided.waiting) + "\n"
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TakenBack {
    /// In words.
    #[serde(rename = "takenBack")]
    pub(crate) what: String,
    /// How many wait now.
    pub(crate) waiting: usize,
    /// Whether nothing was written.
    pub(crate) dry_run: bool,
}

/// The same for people.
pub(crate) fn render_taken_back(taken: &TakenBack) -> String {
    let TakenBack {
        what,
        waiting: n_waiting,
        dry_run,
    } = taken;
    let would = if *dry_run { "would be " } else { "" };
    let waiting = waiting(*n_waiting);
    format!("{would}taken back: {}\n{waiting}\n", printable(what))
}

/// The dream log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct DreamLog {
    lines: Vec<LogLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct LogLine {
    #[serde(serialize_with = "wire::timestamp")]
    at: Timestamp,
    text: String,
}

impl DreamLog {
    /// The newest lines, those first.
    pub(crate) fn new(lines: &[DreamLogLine], limit: usize) -> Self {
        let newest = lines.iter().rev().take(limit);
        Self {
            lines: newest
                .map(|line| LogLine {
                    at: line.at,
                    text: line.text.clone(),
                })
                .collect(),
        }
    }
}

/// The dream log for people.
pub(crate) fn render_log(log: &DreamLog, timezone: Tz) -> String {
    if log.lines.is_empty() {
        return "no dream has changed anything yet\n".to_owned();
    }
    let line = |line: &LogLine| {
        format!(
            "{} {}  {}\n",
            day(line.at, timezone),
            time_of_day(line.at, timezone),
            printable(&line.text)
        )
    };
    log.lines.iter().map(line).collect()
}
