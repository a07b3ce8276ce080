//! Candidates, decisions about them and the dream log, for people and for programs.
//!
//! Renders what it is given; decides nothing.

use base::{Timestamp, Tz, day, time_of_day};
use memory::candidates::{Candidate, DreamLogLine};
use serde::Serialize;

use super::human::printable;
use super::wire;
use super::wrap::{wrap, wrap_indented};

/// Candidates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct CandidateList {
    candidates: Vec<CandidateLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct CandidateLine {
    id: String,
    status: &'static str,
    finding: String,
    section: String,
    day: String,
    found_in: &'static str,
    score: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
}

impl CandidateList {
    /// Of candidates, in order.
    pub(crate) fn new(candidates: &[&Candidate]) -> Self {
        let line = |own: &&Candidate| CandidateLine {
            id: own.id.to_string(),
            status: own.status.as_str(),
            finding: own.finding.clone(),
            section: own.section.clone(),
            day: own.day.to_string(),
            found_in: own.found_in.as_str(),
            score: own.score,
            because: own.staged_because.clone(),
        };
        Self {
            candidates: candidates.iter().map(line).collect(),
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
            ..
        } = line;
        let second = format!("        {section}, {found_in} of {day}, score {score}");
        text.push('\n');
        text.push_str(&wrap(&second, columns, "        "));
        text.push('\n');
    }
    if n_waiting > 0 {
        let wait = if n_waiting == 1 { "waits" } else { "wait" };
        let hint = format!(
            "{n_waiting} {wait}; `openclaw dream show ID` shows the evidence, `openclaw dream review` goes through them"
        );
        text.push_str(&wrap(&hint, columns, "  "));
        text.push('\n');
    }
    text
}

/// One candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CandidateShown {
    #[serde(flatten)]
    line: CandidateLine,
    origin: String,
    suggested_action: String,
    evidence: Vec<EvidenceShown>,
    /// What the score is made of; absent where nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signals: Option<Vec<SignalShown>>,
    /// What accepting it would change in `MEMORY.md`, line by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct EvidenceShown {
    path: String,
    key: String,
    line: usize,
    day: String,
    quote: String,
}

/// A part of a score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct SignalShown {
    name: String,
    value: u32,
    weight: u32,
}

impl CandidateShown {
    /// Of a candidate, with `MEMORY.md` as it is and as it would be.
    pub(crate) fn new(candidate: &Candidate, change: Option<(&str, &str)>) -> Self {
        let evidence = candidate.evidence.iter().map(|own| EvidenceShown {
            path: own.path.clone(),
            key: own.key.clone(),
            line: own.line,
            day: own.day.to_string(),
            quote: own.quote.clone(),
        });
        let signals = candidate.signals.iter().map(|own| SignalShown {
            name: own.name.clone(),
            value: own.value,
            weight: own.weight,
        });
        let mut lines = CandidateList::new(&[candidate]).candidates;
        let line = lines.pop().unwrap_or_else(|| CandidateLine {
            id: candidate.id.to_string(),
            status: "",
            finding: String::new(),
            section: String::new(),
            day: String::new(),
            found_in: "",
            score: 0,
            because: None,
        });
        Self {
            line,
            origin: candidate.origin.to_string(),
            suggested_action: candidate.action(),
            evidence: evidence.collect(),
            signals: Some(signals.collect()),
            change: change.map(|(before, after)| changed_lines(before, after)),
        }
    }
}

/// The lines that go and come, comments left out.
pub(crate) fn changed_lines(before: &str, after: &str) -> Vec<String> {
    let before = memory::daily_log::without_comments(before);
    let after = memory::daily_log::without_comments(after);
    let gone = before
        .lines()
        .filter(|line| !after.lines().any(|own| own == *line));
    let come = after
        .lines()
        .filter(|line| !before.lines().any(|own| own == *line));
    gone.map(|line| format!("- {line}"))
        .chain(come.map(|line| format!("+ {line}")))
        .filter(|line| line.len() > 2)
        .collect()
}

/// The candidate for people.
pub(crate) fn render_shown(shown: &CandidateShown, columns: usize) -> String {
    let CandidateLine {
        id,
        status,
        finding,
        day,
        found_in,
        score,
        because,
        ..
    } = &shown.line;
    let mut lines = vec![
        format!("{id} ({status}), {found_in} of {day}, score {score}"),
        format!("  {}", printable(finding)),
        format!("  {}", printable(&shown.suggested_action)),
    ];
    if let Some(because) = because {
        lines.push(format!("  it waits because {}", printable(because)));
    }
    lines.push(format!("evidence ({})", shown.origin));
    for own in &shown.evidence {
        let EvidenceShown {
            path,
            line,
            day,
            quote,
            ..
        } = own;
        lines.push(format!("  {path}:{line} ({day}) \"{}\"", printable(quote)));
    }
    if let Some(signals) = &shown.signals {
        lines.push("score".to_owned());
        for SignalShown {
            name,
            value,
            weight,
        } in signals
        {
            lines.push(format!(
                "  {name:<11} {value:>3} x {weight:>2}% = {:>3}",
                value * weight / 100
            ));
        }
    }
    if let Some(change) = &shown.change {
        lines.push("accepting it changes MEMORY.md".to_owned());
        lines.extend(change.iter().map(|line| format!("  {}", printable(line))));
    }
    let wrapped = lines.iter().map(|line| wrap(line, columns, "    ") + "\n");
    wrapped.collect()
}

/// Foreign text below something that names it.
pub(crate) fn indented(text: &str, columns: usize) -> String {
    wrap_indented(&printable(text), columns, "    ")
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
    /// How many wait still.
    pub(crate) waiting: usize,
    /// Whether nothing was written.
    pub(crate) dry_run: bool,
}

/// The decision for people.
pub(crate) fn render_decided(decided: &Decided) -> String {
    let would = if decided.dry_run { "would be " } else { "" };
    let mut text = String::new();
    for (id, finding) in decided.ids.iter().zip(&decided.findings) {
        let line = format!("{would}{} {id}: {}\n", decided.status, printable(finding));
        text.push_str(&line);
    }
    let waiting = format!("{} wait\n", decided.waiting);
    text + &waiting
}

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TakenBack {
    /// In words.
    pub(crate) taken_back: String,
    /// How many wait now.
    pub(crate) waiting: usize,
}

/// The same for people.
pub(crate) fn render_taken_back(taken: &TakenBack) -> String {
    let TakenBack {
        taken_back,
        waiting,
    } = taken;
    format!("taken back: {}\n{waiting} wait\n", printable(taken_back))
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
