//! Finds the evidence of candidates with the text around it. Reads only.

use std::collections::BTreeMap;
use std::ops::Range;

use base::layout::session_of_path;
use base::{Origin, SourceError, head, redact};
use dreaming::{Conversations, SpokenMessage};
use memory::candidates::{Candidate, Evidence};
use memory::{Workspace, file_lines};
use schemars::JsonSchema;
use serde::Serialize;

use crate::SessionConversations;

/// A piece of evidence with its context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EvidenceSource {
    /// The message or lines before it.
    pub before: Vec<SourceLine>,
    /// The evidence itself.
    pub cited: SourceLine,
    /// The message or lines after it.
    pub after: Vec<SourceLine>,
}

/// A message or a line of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SourceLine {
    /// The speaker; `None` for a line of a log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<&'static str>,
    /// The text, with secrets redacted.
    pub text: String,
}

/// Lines of context before and after a line of a log.
const LINES_AROUND: usize = 2;

/// Maximum length of a message.
const MESSAGE_CHARS_MAX: usize = 2_000;

/// Characters of a quote that identify its line.
const QUOTE_CHARS: usize = 24;

/// Evidence with context, by file and key.
#[derive(Debug, Default)]
pub struct EvidenceContext {
    found: BTreeMap<(String, String), EvidenceSource>,
    failures: Vec<SourceError>,
}

impl EvidenceContext {
    /// Looks up this evidence; reads each session once.
    pub fn of<'e>(
        evidence: impl IntoIterator<Item = &'e Evidence>,
        workspace: &Workspace,
        conversations: &SessionConversations,
    ) -> Self {
        let mut sources = Self::default();
        let mut wanted: BTreeMap<&str, Vec<&Evidence>> = BTreeMap::new();
        for own in evidence {
            if session_of_path(&own.path).is_some() {
                wanted.entry(&own.path).or_default().push(own);
            } else if let Some(note) = note(own, workspace) {
                sources.found.insert(place(own), note);
            }
        }
        for (path, evidence) in wanted {
            sources.read(path, &evidence, conversations);
        }
        sources
    }

    /// Why some sessions could not be read; their evidence is missing here.
    pub fn failures(&self) -> &[SourceError] {
        &self.failures
    }

    /// A piece of evidence with its context; `None` if it no longer exists.
    pub fn around(&self, evidence: &Evidence) -> Option<&EvidenceSource> {
        self.found.get(&place(evidence))
    }

    /// Each piece of a candidate's evidence with its context, in order.
    pub fn around_all(&self, candidate: &Candidate) -> Vec<Option<&EvidenceSource>> {
        let evidence = candidate.evidence.iter();
        evidence.map(|own| self.around(own)).collect()
    }

    fn read(&mut self, path: &str, wanted: &[&Evidence], conversations: &SessionConversations) {
        let mut before: Option<SourceLine> = None;
        let mut open: Vec<(String, String)> = Vec::new();
        let mut sink = |said: SpokenMessage| {
            let line = line_of(&said);
            for place in open.drain(..) {
                if let Some(shown) = self.found.get_mut(&place) {
                    shown.after.push(line.clone());
                }
            }
            if wanted.iter().any(|own| own.key == said.entry.as_str()) {
                let place = (path.to_owned(), said.entry.to_string());
                let shown = EvidenceSource {
                    before: before.iter().cloned().collect(),
                    cited: line.clone(),
                    after: Vec::new(),
                };
                self.found.insert(place.clone(), shown);
                open.push(place);
            }
            before = Some(line);
        };
        let read = conversations.read(path, 0, &mut sink);
        self.failures.extend(read.err());
    }
}

fn place(evidence: &Evidence) -> (String, String) {
    (evidence.path.clone(), evidence.key.clone())
}

fn line_of(said: &SpokenMessage) -> SourceLine {
    let who = match (said.is_person, said.origin) {
        (true, Origin::Owner) => "you",
        (true, Origin::Agent | Origin::Untrusted | Origin::System) => "somebody",
        (false, Origin::Untrusted) => "a tool",
        (false, Origin::Owner | Origin::Agent | Origin::System) => "assistant",
    };
    SourceLine {
        who: Some(who),
        text: head(&redact(&said.text), MESSAGE_CHARS_MAX).to_owned(),
    }
}

/// The cited log line with its context. Lines move, so it is found by its words, nearest to the recorded number.
fn note(evidence: &Evidence, workspace: &Workspace) -> Option<EvidenceSource> {
    let found = file_lines(workspace, &evidence.path.parse().ok()?, None).ok()?;
    let lines: Vec<&str> = found.text.lines().collect();
    let quote = head(&evidence.quote, QUOTE_CHARS);
    let hint = evidence.line.saturating_sub(1);
    let says_so = |number: &usize| {
        let line = lines.get(*number);
        line.is_some_and(|line| line.contains(quote))
    };
    // What a note in a folder elsewhere says is quoted with its title.
    let is_quoted = |number: &usize| {
        let line = lines.get(*number).map(|line| own_words(line));
        line.is_some_and(|line| !line.is_empty() && evidence.quote.contains(line))
    };
    let nearest = |is_it: &dyn Fn(&usize) -> bool| {
        let found = (0..lines.len()).filter(is_it);
        found.min_by_key(|number| number.abs_diff(hint))
    };
    let at = nearest(&says_so).or_else(|| nearest(&is_quoted))?;
    let shown = |numbers: Range<usize>| {
        let lines = lines.get(numbers).unwrap_or_default().iter();
        let lines = lines.filter(|line| !line.trim().is_empty());
        lines.map(|line| line_of_note(line)).collect()
    };
    let end = lines.len().min(at + 1 + LINES_AROUND);
    Some(EvidenceSource {
        before: shown(at.saturating_sub(LINES_AROUND)..at),
        cited: line_of_note(lines.get(at)?),
        after: shown(at + 1..end),
    })
}

/// The words of a line without the mark of a list.
fn own_words(line: &str) -> &str {
    line.trim().trim_start_matches(['-', '*', '+']).trim()
}

fn line_of_note(line: &str) -> SourceLine {
    SourceLine {
        who: None,
        text: redact(line.trim_end()).into_owned(),
    }
}
