//! Candidates, decisions about them and the dream log, for people and for programs.
//!
//! Renders what it is given; decides nothing.

use std::collections::BTreeSet;

use base::{Timestamp, Tz, day, time_of_day};
use memory::candidates::{Candidate, DreamDetail, DreamLogLine};
use memory::curated::memory_lines;
use serde::Serialize;

use super::counted;
use super::human::printable;
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
    pub(crate) status: &'static str,
    pub(crate) ids: Vec<String>,
    pub(crate) findings: Vec<String>,
    /// What was turned down because its other side was accepted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) settled: Vec<Settled>,
    /// Lines of `MEMORY.md` that may be about the same as what was accepted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) beside: Vec<NearLine>,
    pub(crate) waiting: usize,
    pub(crate) dry_run: bool,
}

/// A line of `MEMORY.md` that may be about the same as one that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct NearLine {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
    number: usize,
}

impl NearLine {
    /// Those of `memory` that stand beside what was accepted; what it replaces is left out.
    pub(crate) fn all(accepted: &[Candidate], memory: &str) -> Vec<Self> {
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

/// The same for people.
pub(crate) fn render_near(near: &[NearLine]) -> String {
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
pub(crate) fn render_beside(older: &[Candidate], columns: usize) -> String {
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
    text + &render_settled(&decided.settled)
        + &render_near(&decided.beside)
        + &waiting(decided.waiting)
        + "\n"
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TakenBack {
    #[serde(rename = "takenBack")]
    pub(crate) what: String,
    pub(crate) waiting: usize,
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
    /// What became of each note and proposal, where that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Vec<LogDetail>>,
}

/// What became of one note or proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct LogDetail {
    outcome: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
}

impl LogDetail {
    fn new(own: &DreamDetail) -> Self {
        Self {
            outcome: own.outcome.as_str(),
            text: own.text.clone(),
            because: own.because.clone(),
        }
    }

    fn in_words(&self) -> String {
        let because = self
            .because
            .as_ref()
            .map(|because| format!(" ({because})"))
            .unwrap_or_default();
        let outcome = match self.outcome {
            "notProposed" => "not proposed",
            other => other,
        };
        format!(
            "    {outcome}: {}{}\n",
            printable(&self.text),
            printable(&because)
        )
    }
}

/// How much of the dream log is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogDepth {
    Lines,
    /// What became of each note and proposal besides.
    Details,
}

impl DreamLog {
    /// The newest lines, those first.
    pub(crate) fn new(lines: &[DreamLogLine], limit: usize, depth: LogDepth) -> Self {
        let newest = lines.iter().rev().take(limit);
        Self {
            lines: newest
                .map(|line| LogLine {
                    at: line.at,
                    text: line.text.clone(),
                    details: match depth {
                        LogDepth::Lines => None,
                        LogDepth::Details => {
                            Some(line.details.iter().map(LogDetail::new).collect())
                        }
                    },
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
        let details: String = line
            .details
            .iter()
            .flatten()
            .map(LogDetail::in_words)
            .collect();
        format!(
            "{} {}  {}\n{details}",
            day(line.at, timezone),
            time_of_day(line.at, timezone),
            printable(&line.text)
        )
    };
    log.lines.iter().map(line).collect()
}
