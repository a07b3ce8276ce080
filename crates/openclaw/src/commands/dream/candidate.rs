//! Renders a candidate: its finding, its evidence and the change that it would make.
//!
//! Decides nothing.

use agent::review::{EvidenceSource, SourceLine, changed_lines};
use cli::output::{shortened, without_empty, wrap, wrap_indented};
use memory::MemoryText;
use memory::candidates::{Candidate, Evidence, Status};

use crate::prelude::*;

/// Characters shown before and after the quoted words of a message; a key of the review shows the rest.
const AROUND_CHARS: usize = 160;

/// Characters shown of the messages before and after it.
const BESIDE_CHARS: usize = 100;

/// A candidate with the source of each piece of its evidence, in order; `None` if the source is gone.
pub(super) struct CandidateReport<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) sources: Vec<Option<&'a EvidenceSource>>,
    /// Its number and the total, in a review.
    pub(super) number: Option<(usize, usize)>,
    /// Whether to show how the score is composed.
    pub(super) is_explained: bool,
    /// `MEMORY.md` before and after accepting it.
    pub(super) change: Option<(&'a MemoryText, &'a MemoryText)>,
}

pub(super) fn line_json(own: &Candidate) -> Value {
    let object = json!({
        "id": own.id.to_string(),
        "status": own.status.as_str(),
        "finding": own.finding,
        "section": own.section,
        "day": own.day,
        "foundIn": own.found_in.as_str(),
        "score": own.score,
        "because": own.staged_because,
    });
    without_empty(object, ["because"])
}

impl CandidateReport<'_> {
    fn evidence(&self) -> impl Iterator<Item = (&Evidence, Option<&EvidenceSource>)> {
        self.candidate
            .evidence
            .iter()
            .zip(self.sources.iter().copied())
    }

    fn change(&self) -> Option<Vec<String>> {
        self.change
            .map(|(before, after)| patch_lines(before, after))
    }

    /// The complete sources, each below its place.
    pub(super) fn whole_sources(&self, columns: usize) -> String {
        let mut text = String::new();
        for (own, source) in self.evidence() {
            let place = format!("{}:{} ({})\n", own.path, own.line, own.day);
            text.push_str(&place);
            let Some(source) = source else {
                text.push_str("    (no longer there)\n");
                continue;
            };
            let beside =
                |line: &SourceLine| wrap_indented(&said(line, &line.text), columns, "      ");
            text.extend(source.before.iter().map(beside));
            let cited = said(&source.cited, &source.cited.text);
            text.push_str(&wrap_indented(&format!("> {cited}"), columns, "    "));
            text.extend(source.after.iter().map(beside));
        }
        text
    }
}

impl Report for CandidateReport<'_> {
    fn json(&self) -> Value {
        let evidence = self.evidence().map(|(own, source)| {
            let object = json!({
                "path": own.path,
                "key": own.key,
                "line": own.line,
                "day": own.day,
                "quote": own.quote,
                "source": source,
                "isGone": source.is_none(),
            });
            without_empty(object, ["source", "isGone"])
        });
        let own = self.candidate;
        let signals = self.is_explained.then(|| {
            let signals = own.signals.iter();
            let signals = signals
                .map(|it| json!({ "name": it.name, "value": it.value, "weight": it.weight }));
            signals.collect::<Vec<_>>()
        });
        let more = json!({
            "origin": own.origin.as_str(),
            "suggestedAction": own.action(),
            "evidence": evidence.collect::<Vec<_>>(),
            "signals": signals,
            "change": self.change(),
        });
        let mut object = line_json(own);
        if let (Some(members), Value::Object(more)) = (object.as_object_mut(), more) {
            members.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
        }
        object
    }

    fn human(&self, stdout: Stream) -> String {
        let own = self.candidate;
        let number = self
            .number
            .map(|(number, n_all)| format!("{number} of {n_all}: "));
        let (number, status) = (number.unwrap_or_default(), own.status.as_str());
        let (found_in, day, score) = (own.found_in.as_str(), own.day, own.score);
        let mut lines = vec![
            format!(
                "{number}{} ({status}), {found_in} of {day}, score {score}",
                own.id
            ),
            format!("  {}", printable(&own.finding)),
            format!("  {}", printable(&own.action())),
        ];
        if let Some(because) = &own.staged_because {
            let is_pending = own.status == Status::Pending;
            let waits = if is_pending { "waits" } else { "waited" };
            lines.push(format!("  it {waits} because {}", printable(because)));
        }
        lines.push(format!("evidence ({})", own.origin));
        for (own, source) in self.evidence() {
            evidence(&mut lines, own, source);
        }
        if self.is_explained {
            lines.push("score".to_owned());
            lines.extend(own.signals.iter().map(|own| {
                let (name, value, weight) = (&own.name, own.value, own.weight);
                let counts = value * weight / 100;
                format!("  {name:<11} {value:>3} x {weight:>2}% = {counts:>3}")
            }));
        }
        if let Some(change) = self.change() {
            lines.push("accepting it changes MEMORY.md".to_owned());
            lines.extend(change.iter().map(|line| format!("  {}", printable(line))));
        }
        let columns = stdout.text_columns();
        let wrapped = lines.iter();
        let wrapped = wrapped.map(|line| wrap(line, columns, &continued(line)) + "\n");
        wrapped.collect()
    }
}

fn patch_lines(before: &MemoryText, after: &MemoryText) -> Vec<String> {
    let lines = changed_lines(before, after).into_iter();
    let lines = lines.map(|(change, line)| format!("{} {line}", change.sign()));
    lines.collect()
}

/// Indent of a wrapped line: aligned with the text, not with its sign.
fn continued(line: &str) -> String {
    let n_spaces = line.len() - line.trim_start().len();
    " ".repeat(n_spaces.max(2) + 2)
}

fn evidence(lines: &mut Vec<String>, own: &Evidence, source: Option<&EvidenceSource>) {
    let place = format!("  {}:{} ({})", own.path, own.line, own.day);
    let Some(source) = source else {
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
