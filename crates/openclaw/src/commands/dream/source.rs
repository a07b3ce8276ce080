//! What says that a candidate is so, with what stands around it.
//!
//! Reads only.

use std::collections::BTreeMap;

use agent::SessionConversations;
use base::Origin;
use dreaming::{Conversations, Said};
use memory::candidates::{Candidate, Evidence};
use memory::file_lines;

use super::candidate::{SourceLine, SourceShown};
use super::desk::Known;
use crate::prelude::*;

/// Lines of a log before and after the one that says so.
const LINES_AROUND: usize = 2;

/// As much of a message is kept.
const MESSAGE_CHARS_MAX: usize = 2_000;

/// A line is known by so many of its first characters.
const QUOTE_CHARS: usize = 24;

/// What stands around the evidence of candidates, by file and key.
#[derive(Debug, Default)]
pub(super) struct Sources {
    found: BTreeMap<(String, String), SourceShown>,
}

impl Sources {
    /// Looks for the evidence of these candidates; each session is read once, however much it holds.
    pub(super) fn of<'c>(
        candidates: impl IntoIterator<Item = &'c Candidate>,
        known: &Known,
        context: &Context,
    ) -> Self {
        let mut sources = Self::default();
        let mut wanted: BTreeMap<&str, Vec<&Evidence>> = BTreeMap::new();
        for evidence in candidates.into_iter().flat_map(|own| &own.evidence) {
            if evidence.path.starts_with("sessions/") {
                wanted.entry(&evidence.path).or_default().push(evidence);
            } else if let Some(note) = note(known, evidence, context) {
                sources.found.insert(place(evidence), note);
            }
        }
        for (path, evidence) in wanted {
            sources.read(path, &evidence, &conversations(known, context));
        }
        sources
    }

    /// What stands around each piece of evidence, in order; `None` where it is not there any more.
    pub(super) fn around_all(&self, candidate: &Candidate) -> Vec<Option<&SourceShown>> {
        let evidence = candidate.evidence.iter();
        evidence.map(|own| self.found.get(&place(own))).collect()
    }

    fn read(&mut self, path: &str, wanted: &[&Evidence], conversations: &SessionConversations) {
        let mut before: Option<SourceLine> = None;
        let mut open: Vec<(String, String)> = Vec::new();
        let mut sink = |said: Said| {
            let line = line_of(&said);
            for place in open.drain(..) {
                if let Some(shown) = self.found.get_mut(&place) {
                    shown.after.push(line.clone());
                }
            }
            if wanted.iter().any(|own| own.key == said.entry.as_str()) {
                let place = (path.to_owned(), said.entry.to_string());
                let shown = SourceShown {
                    before: before.iter().cloned().collect(),
                    cited: line.clone(),
                    after: Vec::new(),
                };
                self.found.insert(place.clone(), shown);
                open.push(place);
            }
            before = Some(line);
        };
        // A session that cannot be read any more says nothing; that is what is shown.
        conversations.read(path, 0, &mut sink).unwrap_or_default();
    }
}

fn place(evidence: &Evidence) -> (String, String) {
    (evidence.path.clone(), evidence.key.clone())
}

fn conversations(known: &Known, context: &Context) -> SessionConversations {
    let clock = Arc::clone(&context.host.clock);
    let sessions = context.host.sessions(&known.home, clock);
    let workspace = Arc::new(context.host.workspace(&known.home));
    SessionConversations::new(sessions, workspace)
}

fn line_of(said: &Said) -> SourceLine {
    let who = match (said.is_person, said.origin) {
        (true, Origin::Owner) => "you",
        (true, Origin::Agent | Origin::Untrusted | Origin::System) => "somebody",
        (false, Origin::Untrusted) => "a tool",
        (false, Origin::Owner | Origin::Agent | Origin::System) => "assistant",
    };
    SourceLine {
        who: Some(who),
        text: base::head(&base::redact(&said.text), MESSAGE_CHARS_MAX).to_owned(),
    }
}

/// The line of a log that says so, with those around it; lines move, so that it is looked for by its words.
fn note(known: &Known, evidence: &Evidence, context: &Context) -> Option<SourceShown> {
    let workspace = context.host.workspace(&known.home);
    let found = file_lines(&workspace, &evidence.path.parse().ok()?, None).ok()?;
    let lines: Vec<&str> = found.text.lines().collect();
    let quote = base::head(&evidence.quote, QUOTE_CHARS);
    let hint = evidence.line.saturating_sub(1);
    let says_so = |number: &usize| {
        let line = lines.get(*number);
        line.is_some_and(|line| line.contains(quote))
    };
    let at = (0..lines.len())
        .filter(says_so)
        .min_by_key(|number| number.abs_diff(hint))?;
    let shown = |numbers: std::ops::Range<usize>| {
        let lines = lines.get(numbers).unwrap_or_default().iter();
        let lines = lines.filter(|line| !line.trim().is_empty());
        lines.map(|line| line_of_note(line)).collect()
    };
    let end = lines.len().min(at + 1 + LINES_AROUND);
    Some(SourceShown {
        before: shown(at.saturating_sub(LINES_AROUND)..at),
        cited: line_of_note(lines.get(at)?),
        after: shown(at + 1..end),
    })
}

fn line_of_note(line: &str) -> SourceLine {
    SourceLine {
        who: None,
        text: line.trim_end().to_owned(),
    }
}
