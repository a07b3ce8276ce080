//! The record of what each import added, so that an import can be undone as a whole.
//!
//! An undo does not change anything that was edited since then.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::{DiskError, ReplaceOutcome, append, create_parent, read_some, remove_unchanged};
use base::{Disk, EntryId, Locator, Timestamp, content_hash, short_hash};
use memory::{
    DeletedSession, NotesAdded, PlannedEntry, TakenBack, Workspace, WorkspacePath,
    take_back_made_from, take_back_notes,
};
use serde::{Deserialize, Serialize};
use session::{LineContent, Payload, ReadError, SessionName, SessionStore};

use super::known::ImportRecord;
use super::model::BridgeError;
use crate::knowledge::index::Knowledge;
use crate::knowledge::session_source::SessionSource;
use crate::take::{HeldMessages, NO_VIEW, TakeError};

/// The largest record, in bytes.
const RUNS_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The largest file that an undo compares, in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The command that an import came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImportKind {
    /// `session import`.
    #[default]
    Conversations,
    /// `memory import`.
    Memories,
}

/// What one import added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ImportRun {
    /// Its id.
    pub id: String,
    /// The command.
    pub kind: ImportKind,
    /// When it ended.
    pub at: Timestamp,
    /// The sessions that it made.
    pub sessions: Vec<SessionImported>,
    /// The notes that it added.
    pub notes: Vec<NotesWritten>,
    /// The files that it copied into the workspace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileCopied>,
    /// The absolute paths that it read.
    pub sources: Vec<PathBuf>,
    /// When it was undone, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone: Option<Timestamp>,
}

/// A session that an import made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionImported {
    /// Its name.
    pub name: String,
    /// The number of its messages.
    pub messages: usize,
}

impl SessionImported {
    /// A session as an import left it; `None` if it has messages of its own.
    pub fn found(store: &SessionStore, name: &SessionName) -> Result<Option<Self>, TakeError> {
        let n_messages = HeldMessages::read(store, name)?.n_imported();
        Ok(n_messages.map(|messages| Self {
            name: name.to_string(),
            messages,
        }))
    }
}

/// A file that an import copied into the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCopied {
    /// Relative to the workspace.
    pub path: String,
    /// The hash of its content.
    pub hash: String,
}

impl FileCopied {
    /// The file as it is now; `None` if it is gone.
    pub fn found(disk: &dyn Disk, workspace: &Path, path: &str) -> Result<Option<Self>, DiskError> {
        let bytes = read_some(disk, &workspace.join(path), FILE_BYTES_MAX)?;
        Ok(bytes.map(|bytes| Self {
            path: path.to_owned(),
            hash: content_hash(&bytes),
        }))
    }

    /// Removes it if it is as it was; returns whether it was.
    fn take_back(&self, disk: &dyn Disk, workspace: &Workspace) -> Result<bool, DiskError> {
        let Ok(path) = self.path.parse::<WorkspacePath>() else {
            return Ok(false);
        };
        let full = path.under(workspace.root());
        let bytes = read_some(disk, &full, FILE_BYTES_MAX)?;
        let bytes = bytes.filter(|bytes| content_hash(bytes) == self.hash);
        let Some(bytes) = bytes else {
            return Ok(false);
        };
        Ok(remove_unchanged(disk, &full, &bytes)? == ReplaceOutcome::Done)
    }
}

/// Notes that an import added to a daily log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotesWritten {
    /// The log.
    pub log: String,
    /// The title of the heading above them.
    pub title: String,
    /// The notes.
    pub notes: Vec<NoteWritten>,
}

/// A note that an import added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteWritten {
    /// The key that identifies its line in the log.
    pub line: String,
    /// The key that identifies it in the record of imported memories.
    pub memory: String,
}

/// The sessions and notes that an undo removed, and those that it left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UndoneImport {
    /// The deleted sessions.
    pub sessions: Vec<SessionName>,
    /// The sessions that were continued or rewritten since; they stay.
    pub kept: Vec<SessionName>,
    /// The number of removed notes.
    pub n_notes: usize,
    /// The number of notes that were edited or removed since; nothing was done to them.
    pub n_notes_kept: usize,
    /// The number of removed files that were copied into the workspace.
    pub n_files: usize,
    /// The number of those files that were changed or removed since; nothing was done to them.
    pub n_files_kept: usize,
    /// The number of removed notes that were made from the deleted sessions.
    pub n_notes_made: usize,
    /// The number of candidates made from the deleted sessions, which no longer wait.
    pub n_candidates: usize,
    /// The lines of `MEMORY.md` that were made from the deleted sessions and stay: places and texts.
    pub left: Vec<(Locator, String)>,
}

impl UndoneImport {
    fn add(&mut self, taken: TakenBack) {
        self.n_notes_made += taken.n_notes;
        self.n_candidates += taken.n_candidates;
        self.left.extend(taken.left);
    }
}

/// The record of imports.
pub struct ImportRuns {
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

impl ImportRuns {
    /// The record in this file; reads nothing yet.
    pub fn at(disk: Arc<dyn Disk>, path: PathBuf) -> Self {
        Self { disk, path }
    }

    /// Records what an import added; returns its id, or `None` if it added nothing.
    pub fn keep(&self, mut run: ImportRun) -> Result<Option<String>, BridgeError> {
        if run.sessions.is_empty() && run.notes.is_empty() && run.files.is_empty() {
            return Ok(None);
        }
        // By what it brought: an import that was undone and repeated has the same id, and undoes the same.
        let brought = (&run.sessions, &run.notes, &run.files);
        run.id = short_hash(&serde_json::to_string(&brought).map_err(TakeError::from)?);
        self.write(&run)?;
        Ok(Some(run.id))
    }

    fn write(&self, run: &ImportRun) -> Result<(), BridgeError> {
        let line = serde_json::to_string(run).map_err(TakeError::from)?;
        create_parent(&*self.disk, &self.path)?;
        // A line that a crash left incomplete must not take this one with it.
        append(&*self.disk, &self.path, format!("\n{line}\n").as_bytes())?;
        Ok(())
    }

    /// The imports, oldest first, each as it is now.
    pub fn all(&self) -> Result<Vec<ImportRun>, BridgeError> {
        let bytes = read_some(&*self.disk, &self.path, RUNS_BYTES_MAX)?;
        let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
        let mut runs: Vec<ImportRun> = Vec::new();
        for run in text.lines() {
            if let Ok(run) = serde_json::from_str::<ImportRun>(run) {
                runs.retain(|before| before.id != run.id);
                runs.push(run);
            }
        }
        Ok(runs)
    }

    /// Undoes an import, and removes the notes and candidates that were made from its sessions. `record` is the record of
    /// imported memories.
    ///
    /// # Errors
    ///
    /// [`BridgeError`]; a retry takes back the rest.
    pub fn undo(
        &self,
        run: &ImportRun,
        (store, knowledge): (&SessionStore, &Knowledge),
        record: &Path,
    ) -> Result<UndoneImport, BridgeError> {
        let mut undone = UndoneImport::default();
        for own in &run.sessions {
            let Ok(name) = own.name.parse::<SessionName>() else {
                continue;
            };
            match delete_unchanged((store, knowledge), (&name, own.messages))? {
                Deleted::Done(taken) => {
                    undone.add(taken);
                    undone.sessions.push(name);
                }
                Deleted::Changed => undone.kept.push(name),
                Deleted::GoneBefore => {}
            }
        }
        let mut memories = ImportRecord::read(&*self.disk, record)?;
        for own in &run.notes {
            let taken = take_back(knowledge.workspace(), own)?;
            undone.n_notes += taken.len();
            undone.n_notes_kept += own.notes.len().saturating_sub(taken.len());
            // A note that the owner changed does not come back beside itself with a later import.
            let taken = own.notes.iter().filter(|note| taken.contains(&note.line));
            let taken: Vec<String> = taken.map(|note| note.memory.clone()).collect();
            memories.remove(&taken)?;
        }
        for own in &run.files {
            let is_removed = own.take_back(&*self.disk, knowledge.workspace())?;
            undone.n_files += usize::from(is_removed);
            undone.n_files_kept += usize::from(!is_removed);
        }
        self.write(&ImportRun {
            undone: Some(knowledge.now()),
            ..run.clone()
        })?;
        Ok(undone)
    }
}

/// Takes notes out of their log; returns the keys of those that were still there.
fn take_back(workspace: &Workspace, own: &NotesWritten) -> Result<BTreeSet<String>, BridgeError> {
    let Ok(log) = own.log.parse() else {
        return Ok(BTreeSet::new());
    };
    let added = NotesAdded {
        log,
        title: own.title.clone(),
        keys: own.notes.iter().map(|note| note.line.clone()).collect(),
    };
    Ok(take_back_notes(workspace, &added)?)
}

enum Deleted {
    Done(TakenBack),
    Changed,
    GoneBefore,
}

/// Deletes a session that contains only imported messages, unchanged, after the notes that were made from it.
fn delete_unchanged(
    (store, knowledge): (&SessionStore, &Knowledge),
    (name, n_imported): (&SessionName, usize),
) -> Result<Deleted, BridgeError> {
    if !store.exists(name).map_err(TakeError::from)? {
        return Ok(Deleted::GoneBefore);
    }
    let _background = store.lock_background(name).map_err(TakeError::from)?;
    let turn = store.begin_turn(name, NO_VIEW).map_err(TakeError::from)?;
    let held = HeldMessages::read(store, name).map_err(TakeError::from)?;
    if held.n_imported() != Some(n_imported) {
        return Ok(Deleted::Changed);
    }
    let messages = messages_of(store, name).map_err(TakeError::from)?;
    let ids: BTreeSet<EntryId> = messages.iter().map(|it| it.entry.id.clone()).collect();
    let plan = knowledge.plan_entries(messages, &[])?;
    let session = DeletedSession {
        path: &SessionSource::path_of(name),
        messages: &ids,
        plan: &plan,
    };
    let taken = take_back_made_from(knowledge.workspace(), session, knowledge.now())?;
    turn.delete().map_err(TakeError::from)?;
    Ok(Deleted::Done(taken))
}

/// Every message of a session, chosen whole.
fn messages_of(store: &SessionStore, name: &SessionName) -> Result<Vec<PlannedEntry>, ReadError> {
    let path = SessionSource::path_of(name);
    let mut messages = Vec::new();
    for line in store.lines(name)? {
        let line = line?;
        if let LineContent::Entry(entry) = line.content
            && matches!(entry.payload, Payload::Message(_))
        {
            let number = usize::try_from(line.number).unwrap_or(usize::MAX);
            messages.push(PlannedEntry::chosen(entry.id, path.clone(), number));
        }
    }
    Ok(messages)
}
