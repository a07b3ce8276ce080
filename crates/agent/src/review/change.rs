//! Diffs `MEMORY.md` before and after a decision, and finds lines that may contradict the accepted finding.

use std::collections::BTreeSet;

use memory::MemoryText;
use memory::candidates::Candidate;
use memory::curated::{CuratedLine, memory_lines};

/// What a decision does to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineChange {
    /// An unchanged heading, shown as context.
    Stays,
    /// The line is removed.
    Goes,
    /// The line is added.
    Comes,
}

impl LineChange {
    /// The sign that a patch uses.
    pub fn sign(self) -> char {
        match self {
            Self::Stays => ' ',
            Self::Goes => '-',
            Self::Comes => '+',
        }
    }
}

/// The removed and added lines below their headings.
pub fn changed_lines(before: &MemoryText, after: &MemoryText) -> Vec<(LineChange, String)> {
    let (before, after) = (before.readable(), after.readable());
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) =
        (before.lines().collect(), after.lines().collect());
    let gone = below_headings(&before).filter(|(_, line)| !new.contains(line));
    let come = below_headings(&after).filter(|(_, line)| !old.contains(line));
    let gone = gone.map(|(heading, line)| (heading, LineChange::Goes, line));
    let come = come.map(|(heading, line)| (heading, LineChange::Comes, line));
    let changed: Vec<_> = gone.chain(come).collect();
    let mut headings: Vec<&str> = Vec::new();
    for (heading, ..) in &changed {
        if !headings.contains(heading) {
            headings.push(heading);
        }
    }
    let mut lines = Vec::new();
    for heading in headings {
        if !heading.is_empty() {
            let is_there = old.contains(heading);
            let change = if is_there {
                LineChange::Stays
            } else {
                LineChange::Comes
            };
            lines.push((change, heading.to_owned()));
        }
        let own = changed.iter().filter(|(own, ..)| *own == heading);
        lines.extend(own.map(|(_, change, line)| (*change, (*line).to_owned())));
    }
    lines
}

/// Each non-blank line with the heading above it.
fn below_headings(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().scan("", |heading, line| {
        if line.starts_with('#') {
            *heading = line;
        }
        Some((*heading, line))
    });
    lines.filter(|(heading, line)| !line.trim().is_empty() && heading != line)
}

/// Lines of `memory` that may be about the same thing as the accepted candidates and are not replaced by them.
pub fn lines_beside(accepted: &[Candidate], memory: &MemoryText) -> Vec<CuratedLine> {
    let lines = memory_lines(memory);
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let mut places = BTreeSet::new();
    for own in accepted {
        let near = dreaming::near(&own.finding, &texts).into_iter();
        let replaced = own.proposal.changed_line();
        let id = |place: &usize| lines.get(*place).and_then(|line| line.id());
        places.extend(near.filter(|place| replaced.is_none() || id(place) != replaced));
    }
    let found = places.into_iter().filter_map(|place| lines.get(place));
    found.cloned().collect()
}
