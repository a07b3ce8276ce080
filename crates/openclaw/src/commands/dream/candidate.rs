//! Renders a candidate: its finding, its evidence and the change that it would make.
//!
//! Decides nothing.

use agent::ops::{CandidateReply, EvidenceReply};
use agent::review::SourceLine;
use cli::output::{shortened, wrap, wrap_indented};

use crate::prelude::*;

/// Characters shown before and after the quoted words of a message; a key of the review shows the rest.
const AROUND_CHARS: usize = 160;

/// Characters shown of the messages before and after it.
const BESIDE_CHARS: usize = 100;

/// The complete sources, each below its place.
pub(super) fn whole_sources(candidate: &CandidateReply, columns: usize) -> String {
    let mut text = String::new();
    for own in &candidate.evidence {
        let place = format!("{}:{} ({})\n", own.path, own.line, own.day);
        text.push_str(&place);
        let Some(source) = &own.source else {
            text.push_str("    (no longer there)\n");
            continue;
        };
        let beside = |line: &SourceLine| wrap_indented(&said(line, &line.text), columns, "      ");
        text.extend(source.before.iter().map(beside));
        let cited = said(&source.cited, &source.cited.text);
        text.push_str(&wrap_indented(&format!("> {cited}"), columns, "    "));
        text.extend(source.after.iter().map(beside));
    }
    text
}

/// A candidate as people read it; in a review, with its number and the total.
pub(super) fn shown(
    own: &CandidateReply,
    number: Option<(usize, usize)>,
    stdout: Stream,
) -> String {
    let number = number.map(|(number, n_all)| format!("{number} of {n_all}: "));
    let (number, status) = (number.unwrap_or_default(), own.status);
    let (found_in, day, score) = (own.found_in, own.day, own.score);
    let mut lines = vec![
        format!(
            "{number}{} ({status}), {found_in} of {day}, score {score}",
            own.id
        ),
        format!("  {}", printable(&own.finding)),
        format!("  {}", printable(&own.suggested_action)),
    ];
    if let Some(because) = &own.because {
        let waits = if own.is_waiting() { "waits" } else { "waited" };
        lines.push(format!("  it {waits} because {}", printable(because)));
    }
    lines.push(format!("evidence ({})", own.origin));
    for own in &own.evidence {
        evidence(&mut lines, own);
    }
    if let Some(signals) = &own.signals {
        lines.push("score".to_owned());
        lines.extend(signals.iter().map(|own| {
            let (name, value, weight) = (&own.name, own.value, own.weight);
            let counts = value * weight / 100;
            format!("  {name:<11} {value:>3} x {weight:>2}% = {counts:>3}")
        }));
    }
    if let Some(change) = &own.change {
        lines.push("accepting it changes MEMORY.md".to_owned());
        lines.extend(change.iter().map(|line| format!("  {}", printable(line))));
    }
    let columns = stdout.text_columns();
    let wrapped = lines.iter();
    let wrapped = wrapped.map(|line| wrap(line, columns, &continued(line)) + "\n");
    wrapped.collect()
}

/// Indent of a wrapped line: aligned with the text, not with its sign.
fn continued(line: &str) -> String {
    let n_spaces = line.len() - line.trim_start().len();
    " ".repeat(n_spaces.max(2) + 2)
}

fn evidence(lines: &mut Vec<String>, own: &EvidenceReply) {
    let place = format!("  {}:{} ({})", own.path, own.line, own.day);
    let Some(source) = &own.source else {
        let quote = printable(&own.quote);
        lines.push(format!("{place} \"{quote}\", no longer there"));
        return;
    };
    lines.push(place);
    let beside =
        |own: &SourceLine| format!("      {}", said(own, &shortened(&own.text, BESIDE_CHARS)));
    lines.extend(source.before.iter().map(beside));
    let words = around(&source.cited.text, &own.quote);
    lines.push(format!("    > {}", said(&source.cited, &words)));
    lines.extend(source.after.iter().map(beside));
}

fn said(line: &SourceLine, text: &str) -> String {
    match line.who {
        Some(who) => format!("{who}: {}", printable(text)),
        None => printable(text),
    }
}

/// The quote with some text before and after it, in one line.
fn around(text: &str, quote: &str) -> String {
    let (text, quote) = (in_one_line(text), in_one_line(quote));
    // The mark of a quote that was cut stands in no message.
    let quote = quote.trim_end_matches(&[' ', '\u{2026}'][..]);
    let Some((before, after)) = text.split_once(quote) else {
        return format!("\u{2026}{quote}\u{2026}");
    };
    let shown = base::shortened_before(before, AROUND_CHARS);
    let gap = if after.starts_with(' ') { " " } else { "" };
    let after = shortened(after, AROUND_CHARS);
    format!("{shown}{quote}{gap}{after}")
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
