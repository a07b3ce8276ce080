//! Which passages say nothing but what shown lines of `MEMORY.md` say: a model would read one fact twice.
//!
//! Compares only passages with the lines that were made from them.

use std::collections::BTreeSet;

use base::{EntryId, QUESTION_MARKS, sentences};
use memory::curated::{CuratedLine, current_value};
use memory::{RecentLine, RecentLog, Workspace, curated_lines, sources_at};
use search::SearchResult;

use crate::turn::recall::shown_text;

/// The lines of `MEMORY.md` that a model is shown.
#[derive(Debug)]
pub(crate) struct SaidByMemory<'w> {
    workspace: &'w Workspace,
    lines: Vec<SaidLine>,
}

#[derive(Debug)]
struct SaidLine {
    /// Its value, in lower case and without the mark at its end.
    value: String,
    /// The places and ids of what it is based on.
    sources: BTreeSet<String>,
}

impl<'w> SaidByMemory<'w> {
    /// The lines that this text contains; none if the file cannot be read.
    pub(crate) fn in_text(shown: &str, workspace: &'w Workspace) -> Self {
        let lines = curated_lines(workspace).unwrap_or_default();
        let lines = lines.iter().filter(|line| shown.contains(&line.text));
        Self {
            workspace,
            lines: lines.map(SaidLine::of).collect(),
        }
    }

    /// Whether lines that were made from a passage say every sentence of it that states something.
    pub(crate) fn say(&self, passage: &SearchResult) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let sources = sources_at(self.workspace, &passage.place());
        let own = self.lines.iter();
        let own = own.filter(|line| !line.sources.is_disjoint(&sources));
        is_said_by(own, &shown_text(passage))
    }

    /// Removes the notes that lines made from them say.
    pub(crate) fn remove_from(&self, log: &mut RecentLog) {
        let all = log.text.lines().zip(&log.lines);
        let (texts, lines): (Vec<&str>, Vec<RecentLine>) = all
            .filter(|(text, line)| !self.say_note(text, line))
            .map(|(text, line)| (text, line.clone()))
            .unzip();
        if lines.len() < log.lines.len() {
            (log.text, log.lines) = (texts.join("\n"), lines);
        }
    }

    fn say_note(&self, text: &str, note: &RecentLine) -> bool {
        let entries = note.entries.iter().map(EntryId::as_str);
        let sources: Vec<&str> = entries.chain([note.key.as_str()]).collect();
        let is_own = |line: &&SaidLine| sources.iter().any(|source| line.sources.contains(*source));
        is_said_by(self.lines.iter().filter(is_own), text)
    }
}

impl SaidLine {
    fn of(line: &CuratedLine) -> Self {
        let evidence = line.evidence().iter();
        let sources =
            evidence.flat_map(|own| [format!("{}:{}", own.path, own.line), own.key.clone()]);
        let value = current_value(&line.text).to_lowercase();
        Self {
            value: without_mark(&value).to_owned(),
            sources: sources.collect(),
        }
    }
}

/// Whether these lines say every sentence of a text that states something.
fn is_said_by<'l>(lines: impl Iterator<Item = &'l SaidLine>, text: &str) -> bool {
    let values: Vec<&str> = lines.map(|line| line.value.as_str()).collect();
    let text = text.to_lowercase();
    let mut stated = text.lines().flat_map(sentences);
    !values.is_empty()
        && stated.all(|it| {
            let said = without_mark(it);
            it.ends_with(QUESTION_MARKS) || values.iter().any(|value| said.ends_with(value))
        })
}

fn without_mark(text: &str) -> &str {
    text.trim_end_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
#[path = "said_by_memory_tests.rs"]
mod tests;
