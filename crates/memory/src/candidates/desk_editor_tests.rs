//! An editor that saves the owner's files in the middle of a dream, a review or an undo.
//!
//! Tries every step of the disk except the one between the last check of a file and the rename over it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::disk::{
    DiskError, DiskOperation, Hook, HookedDisk, MemoryDisk, replace as replace_whole,
};

use super::super::kit::{at, candidate, dreamt, home, read, workspace};
use super::*;

const MEMORY: &str = "# Long-term memory\n\n- my own line\n";
const DREAMS: &str = "# Dreams\n\n## Candidate Memory Items (Pending Review)\n";
const SAVED: &str = "- saved in the middle\n";

type Step = fn(&Workspace) -> Result<(), MemoryTxnError>;

/// Somebody who saves a file after this many steps of a disk.
#[derive(Debug)]
struct Editor {
    disk: MemoryDisk,
    n_left: AtomicU64,
    path: PathBuf,
    text: String,
}

impl Editor {
    fn at(disk: &MemoryDisk, n_steps: u64, name: &str) -> Arc<HookedDisk<MemoryDisk, Self>> {
        let hook = Self {
            disk: disk.clone(),
            n_left: AtomicU64::new(n_steps),
            path: Path::new("/home/workspace").join(name),
            text: read(disk, name) + SAVED,
        };
        Arc::new(HookedDisk {
            below: disk.clone(),
            hook,
        })
    }

    fn step(&self) {
        let n_left = self.n_left.load(Ordering::SeqCst);
        if n_left == 1 {
            replace_whole(&self.disk, &self.path, self.text.as_bytes()).unwrap();
        }
        self.n_left
            .store(n_left.saturating_sub(1), Ordering::SeqCst);
    }

    fn has_saved(&self) -> bool {
        self.n_left.load(Ordering::SeqCst) == 0
    }
}

impl Hook for Editor {
    fn before(&self, operation: DiskOperation<'_>) -> Result<(), DiskError> {
        if !matches!(operation, DiskOperation::Rename(..)) {
            self.step();
        }
        Ok(())
    }
}

fn dream(workspace: &Workspace) -> Result<(), MemoryTxnError> {
    let mut desk = MemoryTxn::open(workspace, at("11:00:00"), Access::Write)?;
    let promoted = candidate("dd44", "Always answer in metric units");
    let staged = candidate("ee55", "I live in Lisbon");
    desk.dream(&dreamt(&[promoted], &[staged])).map(|_| ())
}

fn review(workspace: &Workspace) -> Result<(), MemoryTxnError> {
    let mut desk = MemoryTxn::open(workspace, at("10:00:00"), Access::Write)?;
    let ids = desk.state().pending.iter().map(|own| own.id.clone());
    let ids: Vec<CandidateId> = ids.collect();
    desk.accept(&ids).map(|_| ())
}

fn undo(workspace: &Workspace) -> Result<(), MemoryTxnError> {
    let mut desk = MemoryTxn::open(workspace, at("13:00:00"), Access::Write)?;
    desk.undo().map(|_| ())
}

/// A home in which a candidate waits, and another was accepted before.
fn start() -> MemoryDisk {
    let files = home(MEMORY, DREAMS);
    let workspace = workspace(Arc::new(files.clone()));
    let mut desk = MemoryTxn::open(&workspace, at("08:00:00"), Access::Write).unwrap();
    let stage = |id: &str, text: &str| dreamt(&[], &[candidate(id, text)]);
    desk.dream(&stage("aa11", "I prefer tea over coffee"))
        .unwrap();
    desk.accept(&[CandidateId::new("aa11")]).unwrap();
    desk.dream(&stage("bb22", "Never use emoji in code"))
        .unwrap();
    files
}

/// The text of all files of the workspace.
fn all_text(disk: &MemoryDisk) -> String {
    let files = disk.snapshot().into_iter();
    let own = files.filter(|(path, _)| path.starts_with("/home/workspace"));
    own.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned())
        .collect()
}

#[test]
fn desk_keeps_text_saved_by_editor_at_every_step() {
    let steps: [(&str, Step); 3] = [("dream", dream), ("review", review), ("undo", undo)];
    for (what, step) in steps {
        for name in ["MEMORY.md", "DREAMS.md"] {
            let mut n_saves = 0;
            for n_steps in 1.. {
                let disk = start();
                let editor = Editor::at(&disk, n_steps, name);
                // Whether it is done, or given up for the editor, is all the same here.
                drop(step(&workspace(editor.clone())));
                if !editor.hook.has_saved() {
                    break;
                }
                n_saves += 1;
                let case = format!("{what}, {name} saved before step {n_steps}");
                assert!(all_text(&disk).contains(SAVED), "{case}");
                let _later = MemoryTxn::open(
                    &workspace(Arc::new(disk.clone())),
                    at("14:00:00"),
                    Access::Write,
                )
                .unwrap_or_else(|error| panic!("{case}: {error}"));
                assert!(all_text(&disk).contains(SAVED), "{case}, and later");
                let memory = read(&disk, "MEMORY.md");
                assert!(memory.starts_with(MEMORY), "{case}: {memory}");
            }
            assert!(n_saves > 20, "{what}, {name}: {n_saves} saves were tried");
        }
    }
}
