//! Forgetting over a disk: crashes, editors in between, and undo byte for byte.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::disk::{Crash, CrashDisk, DiskOperation, Hook, HookedDisk, MemoryDisk, replace};
use base::test_kit::Words;
use base::{Disk, EntryId};

use super::super::{Reason, UndoReport, plan_forgetting, purge, undo_forgetting};
use super::*;
use crate::FileError;
use crate::daily_log::without_comments;
use crate::forget::test_kit::{holding, line_of, ours, plan_of_entry};
use crate::workspace_kit::{text_at, workspace};

const LOG: &str = "/home/workspace/memory/2026-03-02.md";
const MEMORY: &str = "/home/workspace/MEMORY.md";

fn log() -> String {
    format!(
        "# 2026-03-02\n\n{}\n{}\n\nmine\n",
        ours("Anna lives in Lisbon", "e1"),
        ours("Tea at four", "e2")
    )
}

const CURATED: &str = "# Memory\n\n- Anna lives in Lisbon\n- likes tea\n";

fn start() -> MemoryDisk {
    let files = [(LOG, log()), (MEMORY, CURATED.to_owned())];
    let files = files.map(|(path, text)| (PathBuf::from(path), text.into_bytes()));
    MemoryDisk::from_snapshot(files.into_iter().collect())
}

fn now() -> Timestamp {
    "2026-03-02T08:04:17Z".parse().unwrap()
}

fn plan_of(workspace: &Workspace, line: usize) -> ForgetPlan {
    plan_forgetting(workspace, line_of("memory/2026-03-02.md", line)).unwrap()
}

/// The log and memory.
fn files(disk: &MemoryDisk) -> (String, String) {
    (text_at(disk, LOG), text_at(disk, MEMORY))
}

/// Both without forgotten text.
fn forgotten() -> (String, String) {
    (forgotten_log(), without_line(CURATED, "Lisbon"))
}

/// The log without forgotten text, as this version writes it.
fn forgotten_log() -> String {
    let left = without_line(&log(), "Lisbon");
    let (before, rest) = left.split_once(" <!-- n:").unwrap();
    let (_, after) = rest.split_once("-->").unwrap();
    format!("{before} ^0a0a0a0a{after}")
}

fn is_hidden(workspace: &Workspace) -> bool {
    let tombstones = load_tombstones(workspace).unwrap();
    tombstones.hides_text("Anna lives in Lisbon")
}

fn without_line(text: &str, part: &str) -> String {
    let kept = text
        .split_inclusive('\n')
        .filter(|line| !line.contains(part));
    kept.collect()
}

#[test]
fn forget_plan_takes_same_words_and_notes_made_from_entry() {
    let workspace = workspace(Arc::new(start()));
    let planned = |plan: &ForgetPlan| -> Vec<(String, Reason)> {
        let lines = plan.lines.iter();
        lines
            .map(|it| (it.place().to_string(), it.because))
            .collect()
    };
    let by_line = plan_of(&workspace, 3);
    assert_eq!(
        planned(&by_line),
        [
            ("MEMORY.md:3".to_owned(), Reason::SameText),
            ("memory/2026-03-02.md:3".to_owned(), Reason::Chosen),
        ]
    );
    let noted = by_line.noted_from();
    let noted: Vec<&EntryId> = noted.keys().collect();
    assert_eq!(noted, [&EntryId::new("e1")]);
    let by_entry = plan_of_entry(&workspace, "e2").unwrap();
    assert_eq!(
        planned(&by_entry),
        [("memory/2026-03-02.md:4".to_owned(), Reason::MadeFromIt)]
    );
    let error = plan_forgetting(&workspace, line_of("MEMORY.md", 2)).unwrap_err();
    assert_eq!(error.to_string(), "nothing to forget at MEMORY.md:2");
}

#[test]
fn forget_takes_line_written_after_plan_and_undo_restores_it() {
    let disk = Arc::new(start());
    let workspace = workspace(Arc::clone(&disk) as _);
    let plan = plan_of_entry(&workspace, "e1").unwrap();
    let reworded = ours("Lisbon: Anna's home", "e1");
    let dreamt = format!("{CURATED}{reworded}\n");
    replace(&*disk, Path::new(MEMORY), dreamt.as_bytes()).unwrap();
    let report = forget(&workspace, &plan, OwnerLines::Leave, now()).unwrap();
    assert_eq!(text_at(&*disk, MEMORY), CURATED);
    let undone = undo_forgetting(&workspace, &report.id, now()).unwrap();
    assert_eq!(undone.restored.len(), 2);
    assert_eq!(text_at(&*disk, MEMORY), dreamt);
}

#[test]
fn i9_forget_keeps_owners_line_until_allowed_and_undo_is_exact() {
    for (owner_lines, memory) in [
        (OwnerLines::Leave, CURATED.to_owned()),
        (OwnerLines::Remove, without_line(CURATED, "Lisbon")),
    ] {
        let disk = Arc::new(start());
        let workspace = workspace(Arc::clone(&disk) as _);
        let plan = plan_of(&workspace, 3);
        let report = forget(&workspace, &plan, owner_lines, now()).unwrap();
        assert_eq!(text_at(&*disk, LOG), forgotten_log());
        assert_eq!(text_at(&*disk, MEMORY), memory);
        assert!(is_hidden(&workspace));

        // The log continues in the meantime.
        disk.append(Path::new(LOG), b"- later\n").unwrap();
        let undone = undo_forgetting(&workspace, &report.id, now()).unwrap();
        let restored = report.files.clone();
        assert_eq!(
            undone,
            UndoReport {
                restored,
                ..UndoReport::default()
            }
        );
        assert_eq!(text_at(&*disk, LOG), log() + "- later\n");
        assert_eq!(text_at(&*disk, MEMORY), CURATED);
        assert_eq!(load_tombstones(&workspace).unwrap().all(), []);
        assert!(undo_forgetting(&workspace, &report.id, now()).is_err());
    }
}

#[test]
fn i9_undo_puts_lines_back_into_file_that_was_edited_since() {
    let line = "- Anna lives in Lisbon";
    for (edited, expected) in [
        ("all new\n", format!("all new\n{line}\n")),
        (
            "# 2026-03-02\n\n- mine now\n",
            format!("# 2026-03-02\n\n{line}\n- mine now\n"),
        ),
        (
            "* anna lives in Lisbon\n",
            "* anna lives in Lisbon\n".to_owned(),
        ),
    ] {
        let disk = Arc::new(start());
        let workspace = workspace(Arc::clone(&disk) as _);
        let plan = plan_of(&workspace, 3);
        let report = forget(&workspace, &plan, OwnerLines::Leave, now()).unwrap();
        replace(&*disk, Path::new(LOG), edited.as_bytes()).unwrap();
        let undone = undo_forgetting(&workspace, &report.id, now()).unwrap();
        assert_eq!(undone.restored, report.files);
        let text = text_at(&*disk, LOG);
        assert_eq!(without_comments(&text), expected, "{text}");
        assert!(!is_hidden(&workspace));
        assert_eq!(
            disk.list(Path::new("/home/state/forgotten")).unwrap(),
            Vec::<PathBuf>::new()
        );
    }
}

#[test]
fn sweep_removes_later_program_line_and_keeps_owners_repeated_line() {
    let disk = Arc::new(start());
    let workspace = workspace(Arc::clone(&disk) as _);
    let plan = plan_of(&workspace, 3);
    let report = forget(&workspace, &plan, OwnerLines::Remove, now()).unwrap();
    assert_eq!(files(&disk), forgotten());
    let ours = ours("Anna lives in Lisbon", "e9");
    let before = format!("{}{ours}\n", forgotten_log());
    replace(&*disk, Path::new(LOG), before.as_bytes()).unwrap();
    replace(&*disk, Path::new(MEMORY), CURATED.as_bytes()).unwrap();
    for _ in 0..2 {
        sweep(&workspace, now()).unwrap();
        assert_eq!(files(&disk), (forgotten_log(), CURATED.to_owned()));
    }
    // Both copies of the log are undone.
    undo_forgetting(&workspace, &report.id, now()).unwrap();
    text_at(&*disk, LOG).holds_times(2, "Anna lives in Lisbon");
    assert_eq!(text_at(&*disk, MEMORY), CURATED);
}

#[test]
fn copies_of_earlier_versions_are_undone() {
    let disk = Arc::new(start());
    let workspace = workspace(Arc::clone(&disk) as _);
    let plan = plan_of(&workspace, 3);
    let report = forget(&workspace, &plan, OwnerLines::Leave, now()).unwrap();
    let directory = Path::new("/home/state/forgotten");
    let copy = directory.join(disk.list(directory).unwrap().remove(0));
    let earlier = directory.join(format!("{}.0.md", report.id));
    disk.rename(&copy, &earlier).unwrap();
    undo_forgetting(&workspace, &report.id, now()).unwrap();
    assert_eq!(text_at(&*disk, LOG), log());
    assert_eq!(disk.list(directory).unwrap(), Vec::<PathBuf>::new());
}

#[test]
fn undo_restores_all_or_nothing_after_crash_and_is_repeated() {
    let start = start();
    let id = {
        let workspace = workspace(Arc::new(start.clone()));
        let plan = plan_of(&workspace, 3);
        forget(&workspace, &plan, OwnerLines::Remove, now())
            .unwrap()
            .id
    };
    let undo = |disk: CrashDisk| {
        let workspace = workspace(Arc::new(disk));
        undo_forgetting(&workspace, &id, now())
    };
    let before = (log(), CURATED.to_owned());
    for Crash { found, when, .. } in CrashDisk::crashes(&start, undo) {
        let workspace = workspace(Arc::new(found.clone()));
        let is_hidden = is_hidden(&workspace);
        assert!(is_hidden || files(&found) == before, "{when}");
        // The sweep of another process comes in between.
        sweep(&workspace, now()).unwrap();
        if is_hidden {
            undo_forgetting(&workspace, &id, now()).unwrap();
        }
        assert_eq!(files(&found), before, "{when}");
    }
}

#[test]
fn forget_hides_all_or_nothing_after_crash_and_is_swept() {
    let start = start();
    let plan = plan_of(&workspace(Arc::new(start.clone())), 3);
    let forget = |disk: CrashDisk| {
        let workspace = workspace(Arc::new(disk));
        forget(&workspace, &plan, OwnerLines::Remove, now())
    };
    let mut n_half = 0;
    for Crash {
        done, found, when, ..
    } in CrashDisk::crashes(&start, forget)
    {
        let workspace = workspace(Arc::new(found.clone()));
        let is_hidden = is_hidden(&workspace);
        let has_line = text_at(&found, LOG).contains("Lisbon");
        assert!(is_hidden || (done.is_err() && has_line), "{when}");
        n_half += usize::from(is_hidden && has_line);
        sweep(&workspace, now()).unwrap();
        let before = (log(), CURATED.to_owned());
        let expected = if is_hidden {
            forgotten()
        } else {
            before.clone()
        };
        assert_eq!(files(&found), expected);
        let tombstones = load_tombstones(&workspace).unwrap();
        if let Some(tombstone) = tombstones.all().first() {
            undo_forgetting(&workspace, &tombstone.id, now()).unwrap();
            assert_eq!(files(&found), before);
        }
    }
    assert!(n_half > 20, "{n_half}");
}

#[test]
fn purge_leaves_no_copy_after_crash_and_repeat() {
    let start = start();
    let act = |disk: Arc<dyn Disk>| {
        let workspace = workspace(disk);
        // As where a session is deleted: its entries go with their file.
        let plan = ForgetPlan {
            entries: Vec::new(),
            ..plan_of_entry(&workspace, "e1")?
        };
        purge(&workspace, &plan, &plan.gone(&[]), now()).map(drop)
    };
    let crashes = CrashDisk::crashes(&start, |disk| act(Arc::new(disk)));
    for Crash { found, when, .. } in crashes.map(Crash::reported) {
        act(Arc::new(found.clone())).unwrap();
        // Where the owner's own line stands.
        let expected = [PathBuf::from(MEMORY)];
        assert_eq!(holding(&found, "Lisbon"), expected, "{when}");
    }
}

/// An editor that saves the log just after a copy of it was kept.
#[derive(Debug)]
struct Edited {
    disk: MemoryDisk,
    saves: Mutex<Vec<String>>,
}

impl Hook for Edited {
    fn after(&self, operation: DiskOperation<'_>) {
        if !matches!(operation, DiskOperation::Rename(_, to) if to.starts_with("/home/state/forgotten"))
        {
            return;
        }
        if let Some(save) = self.saves.lock().unwrap().pop() {
            replace(&self.disk, Path::new(LOG), save.as_bytes()).unwrap();
        }
    }
}

fn edited() -> Arc<HookedDisk<MemoryDisk, Edited>> {
    let disk = start();
    let hook = Edited {
        disk: disk.clone(),
        saves: Mutex::default(),
    };
    Arc::new(HookedDisk { below: disk, hook })
}

#[test]
fn i9_forget_never_overwrites_text_saved_by_editor() {
    let line = ours("Anna lives in Lisbon", "e1");
    for (saves, expected) in [
        (vec![format!("new\n{line}\n\nmore\n")], "new\n\nmore\n"),
        (vec!["the line is gone\n".to_owned()], "the line is gone\n"),
        (vec![format!("b\n{line}\n"), format!("a\n{line}\n")], "b\n"),
    ] {
        let disk = edited();
        let workspace = workspace(Arc::clone(&disk) as _);
        let plan = plan_of(&workspace, 3);
        *disk.hook.saves.lock().unwrap() = saves;
        forget(&workspace, &plan, OwnerLines::Leave, now()).unwrap();
        assert_eq!(text_at(&*disk, LOG), expected);
    }
    let always: Vec<String> = (0..20).map(|n| format!("{n}\n{line}\n")).collect();
    let disk = edited();
    let workspace = workspace(Arc::clone(&disk) as _);
    let plan = plan_of(&workspace, 3);
    *disk.hook.saves.lock().unwrap() = always;
    let report = forget(&workspace, &plan, OwnerLines::Leave, now()).unwrap();
    let left = report.left;
    assert!(
        matches!(left, Some(ForgetError::File(FileError::Busy(_)))),
        "{left:?}"
    );
    assert!(is_hidden(&workspace));
}
