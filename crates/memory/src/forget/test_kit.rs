//! Choices of text to forget, for tests.
//!
//! Only compiled for tests.

use std::path::PathBuf;

use base::disk::MemoryDisk;
use base::{EntryId, LineRange, Origin};

use super::{
    ForgetChoice, ForgetError, ForgetPlan, NoteChoice, PlannedEntry, Reason, plan_forgetting,
};
use crate::Workspace;
use crate::ledger::earlier_line;
use crate::tombstone::{
    ForgottenEntry, OwnerLines, PurgeTargets, TextHash, Tombstone, TombstoneCause, TombstoneId,
    TombstoneProgress,
};

/// A line of the program that cites an entry.
pub(crate) fn ours(text: &str, evidence: &str) -> String {
    earlier_line("0a0a0a0a", text, &[evidence], Origin::Agent)
}

/// An entry of the main session that says this; nothing is known about an entry without text.
pub(crate) fn entry(id: &str, text: &str) -> PlannedEntry {
    PlannedEntry {
        entry: ForgottenEntry {
            id: EntryId::new(id),
            path: "sessions/main.jsonl".into(),
            line: 2,
            offset: None,
            sentences: Vec::new(),
        },
        text: text.into(),
        hash: TextHash::of(text),
        part: String::new(),
        because: Reason::Chosen,
    }
}

pub(crate) fn plan_of_entry(workspace: &Workspace, id: &str) -> Result<ForgetPlan, ForgetError> {
    let choice = ForgetChoice {
        entries: vec![entry(id, "")],
        ..ForgetChoice::default()
    };
    plan_forgetting(workspace, choice)
}

/// The choice of a line of a note.
pub(crate) fn line_of(note: &str, line: usize) -> ForgetChoice {
    let (start, end) = (line, line);
    let lines = NoteChoice::Lines(LineRange { start, end });
    ForgetChoice {
        notes: vec![(note.parse().unwrap(), lines)],
        ..ForgetChoice::default()
    }
}

/// A completed tombstone of a text and of entries of the main session with their lines.
pub(crate) fn tombstone(text: &str, entries: &[(&str, usize)]) -> Tombstone {
    let at = "2026-03-02T08:04:17Z".parse().unwrap();
    let texts: Vec<TextHash> = TextHash::of(text).into_iter().collect();
    let entry = |(id, line): &(&str, usize)| ForgottenEntry {
        id: EntryId::new(*id),
        path: "sessions/main.jsonl".into(),
        line: *line,
        offset: None,
        sentences: Vec::new(),
    };
    let entries: Vec<ForgottenEntry> = entries.iter().map(entry).collect();
    Tombstone {
        id: TombstoneId::of(at, &texts, &entries),
        at,
        why: TombstoneCause::Forgotten,
        texts,
        reinstated: Vec::new(),
        evidence: Vec::new(),
        entries,
        files: Vec::new(),
        owner_lines: OwnerLines::Leave,
        progress: TombstoneProgress::Done,
        gone_at: None,
        asked: None,
    }
}

/// The targets of a purge: these words, and the text of these entries.
pub(crate) fn gone(words: &[&str], entries: &[&str]) -> PurgeTargets {
    let words = words.iter().map(|&word| word.to_owned());
    let entries = entries.iter().map(|id| EntryId::new(*id));
    PurgeTargets {
        words: words.collect(),
        entries: entries.collect(),
        ..PurgeTargets::default()
    }
}

/// The files that contain these words.
pub(crate) fn holding(disk: &MemoryDisk, words: &str) -> Vec<PathBuf> {
    let files = disk.snapshot().into_iter();
    let holding = files.filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains(words));
    holding.map(|(path, _)| path).collect()
}
