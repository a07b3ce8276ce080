//! Appends records, each once, and says what state the file is in.
//!
//! Durability: a record is on disk before the line that it is about.

use base::disk::{DiskError, LockError, append};

use super::record::NoteRecord;
use crate::WorkspacePath;
use crate::graph::{is_earlier_page, is_graph};
use crate::note_text::RecordSource;
use crate::notes::note_paths;
use crate::workspace::Workspace;

impl Workspace {
    /// Appends records; if there are none to append, syncs the existing ones, whose writer may have died before its own
    /// sync.
    ///
    /// A record whose writer was killed in the middle is cut off: it was never acknowledged.
    pub(crate) fn commit_records(&self, records: &[NoteRecord]) -> Result<(), LockError> {
        let (disk, path) = (self.disk(), self.layout().note_records());
        if records.is_empty() {
            let is_there = disk.stat(&path)?.is_some();
            return Ok(self.poisoning(if is_there { disk.sync(&path) } else { Ok(()) })?);
        }
        let _lock = self.lock_note_records()?;
        let ledger = self.ledger();
        self.poisoning(self.make_dir_of(&path))?;
        if ledger.n_whole_bytes() < ledger.n_bytes() {
            self.poisoning(disk.truncate(&path, ledger.n_whole_bytes() as u64))?;
        }
        let lines: String = records.iter().map(NoteRecord::line).collect();
        Ok(self.poisoning(append(disk, &path, lines.as_bytes()))?)
    }
}

/// Takes over the records of another home that this one lacks; returns their number.
///
/// Durability: they are on disk once this returns; a repetition takes over nothing twice.
pub fn take_note_records(workspace: &Workspace, from: &Workspace) -> Result<usize, LockError> {
    let (ours, theirs) = (workspace.ledger(), from.ledger());
    let is_new = |record: &NoteRecord| ours.all_of(&record.id).all(|known| known != *record);
    let new: Vec<NoteRecord> = theirs.all().filter(is_new).collect();
    if !new.is_empty() {
        workspace.commit_records(&new)?;
    }
    Ok(new.len())
}

/// What state the records are in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerState {
    /// Lines of the file that are not records.
    pub n_damaged: usize,
    /// Lines of notes that end in a mark without a record: they count as the assistant's.
    pub n_unknown: usize,
}

/// Compares the marks in the notes with the records.
pub fn ledger_state(workspace: &Workspace) -> Result<LedgerState, DiskError> {
    // Here what cannot be read is an error.
    workspace.disk().stat(&workspace.layout().note_records())?;
    let ledger = workspace.ledger();
    let mut state = LedgerState {
        n_damaged: ledger.n_damaged(),
        n_unknown: 0,
    };
    // The graph has a state of its own, and its lines no records.
    let is_graphs = |path: &WorkspacePath| is_graph(path) || is_earlier_page(path.as_str());
    for path in note_paths(workspace) {
        if is_graphs(&path) {
            continue;
        }
        // Other checks report what cannot be read.
        let Ok(text) = crate::file_lines::read(workspace, &path) else {
            continue;
        };
        let text = ledger.read(path.as_str(), &text);
        let known = text.lines().iter().filter_map(|line| line.known.as_ref());
        let unknown = known.filter(|known| known.source == RecordSource::Nowhere);
        state.n_unknown += unknown.count();
    }
    Ok(state)
}
