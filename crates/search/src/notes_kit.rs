//! Notes in a folder, for tests: each file of Markdown is one, and each of its lines the owner's.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests write notes as an owner does"
)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::disk::{DiskError, OsDisk};
use base::{Disk, Origin, Timestamp};
use tempfile::TempDir;

use crate::index::Index;
use crate::note_source::{ForgottenFilter, NoteFile, NoteSource, PreparedNote};
use crate::passage::PassageKind;
use crate::passage_source::Source;
use crate::rank::SearchResult;
use crate::sync::{Corpus, SyncReport, sync};

/// A home on the real disk: an index, and notes as its owner writes them.
pub(crate) struct Home {
    pub(crate) directory: TempDir,
    pub(crate) workspace: FolderNotes,
}

impl Home {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let workspace = directory.path().join("workspace");
        fs::create_dir_all(workspace.join("memory")).unwrap();
        let workspace = FolderNotes::new(Arc::new(OsDisk), workspace);
        Self {
            directory,
            workspace,
        }
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        fs::write(self.workspace.root().join(path), text).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.workspace.root().join(path)).unwrap();
    }

    pub(crate) fn index_path(&self) -> PathBuf {
        self.directory.path().join("index")
    }

    pub(crate) fn open(&self) -> Index {
        Index::open(Arc::new(OsDisk), &self.index_path()).unwrap()
    }

    pub(crate) fn corpus(&self) -> Corpus<'_> {
        let notes = &self.workspace;
        Corpus {
            notes,
            sessions: None,
        }
    }

    pub(crate) fn sync(&self, index: &Index) -> SyncReport {
        sync(index, &self.corpus(), now(), &mut |_| ()).unwrap()
    }
}

/// A search result: the owner's words in a line of `MEMORY.md`.
pub(crate) fn result(line: usize, text: &str) -> SearchResult {
    SearchResult {
        source: Source::Memory,
        path: "MEMORY.md".into(),
        section: None,
        start_line: line,
        end_line: line,
        text: text.to_owned(),
        likelihood: 0.5,
        score: 1.0,
        kind: PassageKind::Bullet,
        speaker: None,
        origin: Origin::Owner,
        day: None,
        renews: None,
        planned_for: None,
        replaced_on: None,
        is_untrue: false,
        is_taken_back: false,
        last_confirmed: None,
        is_of_span: false,
        also: Vec::new(),
        explanation: None,
    }
}

/// Copies a directory with everything below it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A time after every note was written.
pub(crate) fn now() -> Timestamp {
    "2100-01-01T00:00:00Z".parse().unwrap()
}

/// The notes in a folder.
#[derive(Debug)]
pub(crate) struct FolderNotes {
    disk: Arc<dyn Disk>,
    root: PathBuf,
    /// Lines that may not be found, without the mark of their list.
    pub(crate) forgotten: Mutex<BTreeSet<String>>,
    /// The notes whose records changed, one after another.
    pub(crate) known: Mutex<Vec<String>>,
}

impl FolderNotes {
    pub(crate) fn new(disk: Arc<dyn Disk>, root: PathBuf) -> Self {
        let forgotten = Mutex::default();
        Self {
            disk,
            root,
            forgotten,
            known: Mutex::default(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn forget(&self, line: &str) {
        self.forgotten.lock().unwrap().insert(plain(line));
    }

    fn list(&self, folder: &Path, found: &mut Vec<NoteFile>) {
        for name in self.disk.list(&self.root.join(folder)).unwrap() {
            let path = folder.join(name);
            let stat = self.disk.stat(&self.root.join(&path)).unwrap().unwrap();
            if stat.is_dir {
                self.list(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                let path = path.to_str().unwrap().to_owned();
                let origin = Origin::Owner;
                found.push(NoteFile { path, stat, origin });
            }
        }
    }
}

impl NoteSource for FolderNotes {
    fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    fn notes(&self) -> (Vec<NoteFile>, Vec<(String, DiskError)>) {
        let mut found = Vec::new();
        self.list(Path::new(""), &mut found);
        (found, Vec::new())
    }

    fn locate(&self, path: &str) -> Result<PathBuf, DiskError> {
        Ok(self.root.join(path))
    }

    fn prepare(&self, _: &str, bytes: Vec<u8>) -> PreparedNote {
        PreparedNote {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            ..PreparedNote::default()
        }
    }

    fn is_boilerplate(&self, _: &str, _: &str) -> bool {
        false
    }

    fn known_version(&self) -> u64 {
        self.known.lock().unwrap().len() as u64
    }

    fn known_since(&self, version: u64) -> Option<Vec<String>> {
        let known = self.known.lock().unwrap();
        Some(known.get(usize::try_from(version).unwrap()..)?.to_vec())
    }

    fn forgotten(&self) -> Result<Box<dyn ForgottenFilter>, Box<dyn Error + Send + Sync>> {
        Ok(Box::new(Lines(self.forgotten.lock().unwrap().clone())))
    }
}

fn plain(line: &str) -> String {
    line.trim_start_matches(['#', '-', ' ']).trim().to_owned()
}

#[derive(Debug)]
struct Lines(BTreeSet<String>);

impl ForgottenFilter for Lines {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn hides_text(&self, text: &str) -> bool {
        self.0.contains(&plain(text))
    }

    fn hides_line(&self, _: &str, _: usize, _: &str) -> bool {
        false
    }

    fn text_version(&self) -> u64 {
        self.0.len() as u64
    }
}
