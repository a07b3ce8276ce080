//! One candidate for people and for programs: what it says, what says so, what it would change.
//!
//! Renders what it is given; decides nothing.

use std::collections::BTreeSet;

use memory::candidates::Candidate;
use serde::Serialize;

use super::candidates::CandidateLine;
use super::human::printable;
use super::wrap::{wrap, wrap_indented};

/// Characters of a message before and after the words that count; the rest of it is behind a key.
const AROUND_CHARS: usize = 160;

/// Characters of the messages before and after that message.
const BESIDE_CHARS: usize = 100;

/// One candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CandidateShown {
    #[serde(flatten)]
    line: CandidateLine,
    /// Which of how many it is in a review.
    #[serde(skip)]
    pub(crate) number: Option<(usize, usize)>,
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
    /// What stands around it; absent where nobody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceShown>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_gone: bool,
}

/// Evidence with what stands before and behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct SourceShown {
    pub(crate) before: Vec<SourceLine>,
    pub(crate) cited: SourceLine,
    pub(crate) after: Vec<SourceLine>,
}

/// A message, or a line of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct SourceLine {
    /// Who says it; in a log nobody does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) who: Option<&'static str>,
    pub(crate) text: String,
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
            source: None,
            is_gone: false,
        });
        let signals = candidate.signals.iter().map(|own| SignalShown {
            name: own.name.clone(),
            value: own.value,
            weight: own.weight,
        });
        Self {
            line: CandidateLine::new(candidate),
            number: None,
            origin: candidate.origin.to_string(),
            suggested_action: candidate.action(),
            evidence: evidence.collect(),
            signals: Some(signals.collect()),
            change: change.map(|(before, after)| changed_lines(before, after)),
        }
    }

    /// With what stands around each piece of its evidence, in order; nothing where it is gone.
    #[must_use]
    pub(crate) fn with_sources<'s>(
        mut self,
        sources: impl IntoIterator<Item = Option<&'s SourceShown>>,
    ) -> Self {
        for (own, source) in self.evidence.iter_mut().zip(sources) {
            own.is_gone = source.is_none();
            own.source = source.cloned();
        }
        self
    }
}

/// The lines that go and come, below their headings, comments left out.
pub(crate) fn changed_lines(before: &str, after: &str) -> Vec<String> {
    let before = memory::daily_log::without_comments(before);
    let after = memory::daily_log::without_comments(after);
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) =
        (before.lines().collect(), after.lines().collect());
    let gone = below_headings(&before).filter(|(_, line)| !new.contains(line));
    let come = below_headings(&after).filter(|(_, line)| !old.contains(line));
    let gone: Vec<(&str, String)> = gone.map(|(own, line)| (own, format!("- {line}"))).collect();
    let come: Vec<(&str, String)> = come.map(|(own, line)| (own, format!("+ {line}"))).collect();
    let mut headings: Vec<&str> = Vec::new();
    for (heading, _) in gone.iter().chain(&come) {
        if !headings.contains(heading) {
            headings.push(heading);
        }
    }
    let mut lines = Vec::new();
    for heading in headings {
        if !heading.is_empty() {
            let sign = if old.contains(heading) { ' ' } else { '+' };
            lines.push(format!("{sign} {heading}"));
        }
        let own = gone.iter().chain(&come).filter(|(own, _)| *own == heading);
        lines.extend(own.map(|(_, line)| line.clone()));
    }
    lines
}

/// Each line that says something, with the heading above it.
fn below_headings(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().scan("", |heading, line| {
        if line.starts_with('#') {
            *heading = line;
        }
        Some((*heading, line))
    });
    lines.filter(|(heading, line)| !line.trim().is_empty() && heading != line)
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
    let number = shown
        .number
        .map(|(number, n_all)| format!("{number} of {n_all}: "));
    let number = number.unwrap_or_default();
    let mut lines = vec![
        format!("{number}{id} ({status}), {found_in} of {day}, score {score}"),
        format!("  {}", printable(finding)),
        format!("  {}", printable(&shown.suggested_action)),
    ];
    if let Some(because) = because {
        let waits = if *status == "pending" {
            "waits"
        } else {
            "waited"
        };
        lines.push(format!("  it {waits} because {}", printable(because)));
    }
    lines.push(format!("evidence ({})", shown.origin));
    for own in &shown.evidence {
        evidence(&mut lines, own);
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
    let wrapped = lines
        .iter()
        .map(|line| wrap(line, columns, &continued(line)) + "\n");
    wrapped.collect()
}

/// What goes on in a further line begins below the text, not below its sign.
fn continued(line: &str) -> String {
    let n_spaces = line.len() - line.trim_start().len();
    " ".repeat(n_spaces.max(2) + 2)
}

fn evidence(lines: &mut Vec<String>, own: &EvidenceShown) {
    let EvidenceShown {
        path,
        line,
        day,
        quote,
        source,
        is_gone,
        ..
    } = own;
    let place = format!("  {path}:{line} ({day})");
    let Some(source) = source else {
        let gone = if *is_gone {
            ", which is not there any more"
        } else {
            ""
        };
        lines.push(format!("{place} \"{}\"{gone}", printable(quote)));
        return;
    };
    lines.push(place);
    let beside = |own: &SourceLine| format!("      {}", said(own, &start(&own.text, BESIDE_CHARS)));
    lines.extend(source.before.iter().map(beside));
    let words = around(&source.cited.text, quote);
    lines.push(format!("    > {}", said(&source.cited, &words)));
    lines.extend(source.after.iter().map(beside));
}

fn said(line: &SourceLine, text: &str) -> String {
    match line.who {
        Some(who) => format!("{who}: {}", printable(text)),
        None => printable(text),
    }
}

/// The beginning of a text, in one line.
fn start(text: &str, n_chars: usize) -> String {
    let text = in_one_line(text);
    let shown = base::head(&text, n_chars);
    let mark = if shown.len() < text.len() {
        "\u{2026}"
    } else {
        ""
    };
    format!("{shown}{mark}")
}

/// The words that count with some before and after them, in one line.
fn around(text: &str, quote: &str) -> String {
    let (text, quote) = (in_one_line(text), in_one_line(quote));
    let Some((before, after)) = text.split_once(&quote) else {
        return format!("\u{2026}{quote}\u{2026}");
    };
    let shown = base::tail(before, AROUND_CHARS);
    let mark = if shown.len() < before.len() {
        "\u{2026}"
    } else {
        ""
    };
    format!("{mark}{shown}{quote}{}", start_after(after))
}

/// As [`start`], without losing the space before it.
fn start_after(text: &str) -> String {
    let gap = if text.starts_with(' ') { " " } else { "" };
    format!("{gap}{}", start(text, AROUND_CHARS))
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sources whole, each below its place.
pub(crate) fn render_sources(shown: &CandidateShown, columns: usize) -> String {
    let mut text = String::new();
    for own in &shown.evidence {
        let EvidenceShown {
            path, line, day, ..
        } = own;
        let place = format!("{path}:{line} ({day})\n");
        text.push_str(&place);
        let Some(source) = &own.source else {
            text.push_str("    (it is not there any more)\n");
            continue;
        };
        for line in &source.before {
            text.push_str(&wrap_indented(&said(line, &line.text), columns, "      "));
        }
        let cited = said(&source.cited, &source.cited.text);
        text.push_str(&wrap_indented(&format!("> {cited}"), columns, "    "));
        for line in &source.after {
            text.push_str(&wrap_indented(&said(line, &line.text), columns, "      "));
        }
    }
    text
}
