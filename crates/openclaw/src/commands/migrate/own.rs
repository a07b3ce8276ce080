//! Imports the parts of a home of our own, besides notes, that cannot be rebuilt: tombstones, candidates with the
//! decisions about them, the records of the lines of notes, the graph of programs, and transcripts.
//!
//! Never changes that home, and hides nothing here that was not forgotten there.

use std::ffi::OsStr;

use base::Disk;
use base::disk::read_all;
use memory::candidates::{Access, MemoryTxn};
use memory::graph::GraphStore;
use memory::{
    ForgottenEntry, Tombstone, Workspace, load_tombstones, take_note_records, take_tombstones,
};

use super::within::{FILE_BYTES_MAX, ScopedDisk};
use crate::commands::imported::{ImportReport, NoteTaken};
use crate::prelude::*;

const TOMBSTONES: &str = "state/tombstones.jsonl";
const DECISIONS: &str = "state/dreams/state.json";
/// A change that a crash interrupted; it is completed here if `MEMORY.md` is the same.
const UNDER_WAY: &str = "state/dreams/pending.json";
const RECORDS: &str = "state/notes.jsonl";
const GRAPH: &str = "state/graph.jsonl";
const SESSIONS: &str = "sessions";

#[derive(Debug)]
pub(super) struct OwnHome {
    root: PathBuf,
    /// The disk, limited to that home.
    old: ScopedDisk,
    /// The transcripts, relative to `root`.
    transcripts: Vec<PathBuf>,
}

impl OwnHome {
    /// The home at `root`; `None` if it holds nothing of ours besides notes.
    pub(super) fn find(old: &ScopedDisk, root: &Path) -> Result<Option<Self>> {
        let sessions = Path::new(SESSIONS);
        let names = old.list(&root.join(sessions))?.into_iter();
        let names = names.filter(|name| name.extension() == Some(OsStr::new("jsonl")));
        let mut transcripts = Vec::new();
        for name in names.map(|name| sessions.join(name)) {
            if old.stat(&root.join(&name))?.is_some() {
                transcripts.push(name);
            }
        }
        let mut is_own = !transcripts.is_empty();
        for name in [TOMBSTONES, DECISIONS, RECORDS, GRAPH] {
            is_own |= old.stat(&root.join(name))?.is_some();
        }
        Ok(is_own.then(|| Self {
            root: root.to_owned(),
            old: old.clone(),
            transcripts,
        }))
    }

    /// Imports tombstones, then the decisions about candidates. Returns whether they are the ones that are here now, so
    /// that the `DREAMS.md` of that workspace belongs to them.
    pub(super) fn take_decisions(
        &self,
        home: &Home,
        context: &Context,
        report: &mut ImportReport,
    ) -> Result<bool> {
        let disk = Arc::clone(&context.host.disk);
        let workspace = context.host.workspace(home);
        let theirs = self.workspace();
        if self.old.stat(&self.root.join(TOMBSTONES))?.is_some() {
            let forgotten = load_tombstones(&theirs)?;
            let forgotten = forgotten.all().iter().cloned();
            let forgotten = forgotten.map(|it| self.as_here(&*disk, home, it));
            let n_new = take_tombstones(&workspace, forgotten.collect::<Result<_, _>>()?)?;
            let state = if n_new > 0 { "taken" } else { "unchanged" };
            add(report, TOMBSTONES, state);
        }
        if self.old.stat(&self.root.join(DECISIONS))?.is_none() {
            return Ok(false);
        }
        if self.take(Path::new(DECISIONS), home, &*disk, report)? != "differs" {
            return Ok(true);
        }
        // This home has decisions of its own: import only the rejections, and leave pending candidates there.
        let now = context.host.clock.now();
        let mut decided = MemoryTxn::open(&workspace, now, Access::Write)?;
        decided.take_rejections(&theirs)?;
        Ok(false)
    }

    /// Imports the records of the lines of the notes.
    pub(super) fn take_records(
        &self,
        home: &Home,
        context: &Context,
        report: &mut ImportReport,
    ) -> Result<()> {
        if self.old.stat(&self.root.join(RECORDS))?.is_some() {
            let n_new = take_note_records(&context.host.workspace(home), &self.workspace())?;
            let state = if n_new > 0 { "taken" } else { "unchanged" };
            add(report, RECORDS, state);
        }
        Ok(())
    }

    /// Adds the graph of that home to the one here.
    pub(super) fn take_graph(
        &self,
        home: &Home,
        context: &Context,
        report: &mut ImportReport,
    ) -> Result<()> {
        let path = self.root.join(GRAPH);
        if self.old.stat(&path)?.is_some() {
            let bytes = read_all(&self.old, &path, FILE_BYTES_MAX)?;
            let graph = GraphStore::new(Arc::new(context.host.workspace(home)));
            let taken = graph.import(&String::from_utf8_lossy(&bytes))?;
            let n_new = taken.n_entities + taken.n_observations + taken.n_relations;
            let state = if n_new > 0 { "taken" } else { "unchanged" };
            add(report, GRAPH, state);
        }
        Ok(())
    }

    /// Copies transcripts byte for byte with their flush state, so that nothing is noted twice.
    pub(super) fn take_sessions(
        &self,
        home: &Home,
        context: &Context,
        report: &mut ImportReport,
    ) -> Result<()> {
        let disk = &*context.host.disk;
        for name in &self.transcripts {
            self.take(name, home, disk, report)?;
        }
        if self.old.stat(&self.root.join(UNDER_WAY))?.is_some() {
            self.take(Path::new(UNDER_WAY), home, disk, report)?;
        }
        Ok(())
    }

    /// Copies a file unchanged.
    fn take(
        &self,
        name: &Path,
        home: &Home,
        disk: &dyn Disk,
        report: &mut ImportReport,
    ) -> Result<&'static str> {
        let from = self.root.join(name);
        let state = self.old.copy_to(&from, disk, &home.root().join(name))?;
        add(report, &name.display().to_string(), state);
        Ok(state)
    }

    fn workspace(&self) -> Workspace {
        let disk = Arc::new(self.old.clone());
        Workspace::new(disk, Home::new(&self.root))
    }

    /// The tombstone without entries whose transcript line differs here.
    fn as_here(&self, disk: &dyn Disk, home: &Home, mut tombstone: Tombstone) -> Result<Tombstone> {
        let mut entries = Vec::new();
        for entry in tombstone.entries {
            if self.says_the_same(disk, home, &entry)? {
                entries.push(entry);
            }
        }
        tombstone.entries = entries;
        Ok(tombstone)
    }

    fn says_the_same(&self, disk: &dyn Disk, home: &Home, entry: &ForgottenEntry) -> Result<bool> {
        let [theirs, ours] = [&self.root, home.root()].map(|root| root.join(&entry.path));
        if disk.stat(&ours)?.is_none() || self.old.stat(&theirs)?.is_none() {
            return Ok(true);
        }
        let line_of = |disk: &dyn Disk, path: &Path| -> Result<Option<Vec<u8>>> {
            let bytes = read_all(disk, path, FILE_BYTES_MAX)?;
            let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
            let line = lines.nth(entry.line.saturating_sub(1));
            Ok(line.map(<[u8]>::to_vec))
        };
        Ok(line_of(&self.old, &theirs)? == line_of(disk, &ours)?)
    }
}

fn add(report: &mut ImportReport, path: &str, state: &'static str) {
    let path = path.to_owned();
    report.notes.push(NoteTaken { path, state });
}
