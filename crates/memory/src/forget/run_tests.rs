//! Forgetting over a disk: crashes, editors in between, and undo to the byte.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::disk::{CrashDisk, DiskOperation, Hook, HookedDisk, MemoryDisk, Unsynced, replace};
use base::{Disk, EntryId, LineRange, Origin};

use super::super::{
    Because, ForgetChoice, NoteChoice, PlannedEntry, UndoReport, forget_for_good, plan_forgetting,
    undo_forgetting,
};
use super::*;
use crate::note::{self, NoteId};
use crate::tombstone::ForgottenEntry;
use crate::workspace_kit::workspace;

const LOG: &str = "/home/workspace/memory/2026-03-02.md";
const MEMORY: &str = "/home/workspace/MEMORY.md";

fn ours(text: &str, evidence: &str) -> String {
    let id = NoteId::new("0a0a0a0a");
    note::render(&id, text, &[EntryId::new(evidence)], Origin::Agent)
}

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

fn text(disk: &dyn Disk, path: &str) -> String {
    String::from_utf8(read_all(disk, Path::new(path), 10_000).unwrap()).unwrap()
}

fn now() -> Timestamp {
    "2026-03-02T08:04:17Z".parse().unwrap()
}

fn plan_of(workspace: &Workspace, line: usize) -> ForgetPlan {
    let lines = LineRange {
        start: line,
        end: line,
    };
    let choice = ForgetChoice {
        notes: vec![(
            "memory/2026-03-02.md".parse().unwrap(),
            NoteChoice::Lines(lines),
        )],
        ..ForgetChoice::default()
    };
    plan_forgetting(workspace, choice).unwrap()
}

fn without_line(text: &str, part: &str) -> String {
    let kept = text
        .split_inclusive('\n')
        .filter(|line| !line.contains(part));
    kept.collect()
}

#[test]
fn a_choice_takes_the_same_words_and_the_notes_made_from_an_entry_with_it() {
    let workspace = workspace(Arc::new(start()));
    let planned = |plan: &ForgetPlan| -> Vec<(String, Because)> {
        let lines = plan.lines.iter();
        lines
            .map(|it| (it.place().to_string(), it.because))
            .collect()
    };
    let by_line = plan_of(&workspace, 3);
    assert_eq!(
        planned(&by_line),
        [
            ("MEMORY.md:3".to_owned(), Because::SaysTheSame),
            ("memory/2026-03-02.md:3".to_owned(), Because::Chosen),
        ]
    );
    assert_eq!(by_line.evidence(), BTreeSet::from([EntryId::new("e1")]));
    let entry = PlannedEntry {
        entry: ForgottenEntry {
            id: EntryId::new("e2"),
            path: "sessions/main.jsonl".into(),
            line: 9,
        },
        text: "user: tea at four".into(),
        hash: None,
        because: Because::Chosen,
    };
    let choice = ForgetChoice {
        entries: vec![entry],
        ..ForgetChoice::default()
    };
    let by_entry = plan_forgetting(&workspace, choice).unwrap();
    assert_eq!(
        planned(&by_entry),
        [("memory/2026-03-02.md:4".to_owned(), Because::MadeFromIt)]
    );
    let choice = ForgetChoice {
        notes: vec![(
            "MEMORY.md".parse().unwrap(),
            NoteChoice::Lines(LineRange { start: 2, end: 2 }),
        )],
        ..ForgetChoice::default()
    };
    let error = plan_forgetting(&workspace, choice).unwrap_err().to_string();
    assert_eq!(error, "nothing to forget at MEMORY.md:2");
}

#[test]
fn a_line_that_a_dream_writes_after_the_plan_goes_too_and_comes_back() {
    let disk = Arc::new(start());
    let workspace = workspace(Arc::clone(&disk) as _);
    let entry = PlannedEntry {
        entry: ForgottenEntry {
            id: EntryId::new("e1"),
            path: "sessions/main.jsonl".into(),
            line: 9,
        },
        text: "user: Anna lives in Lisbon".into(),
        hash: None,
        because: Because::Chosen,
    };
    let choice = ForgetChoice {
        entries: vec![entry],
        ..ForgetChoice::default()
    };
    let plan = plan_forgetting(&workspace, choice).unwrap();
    let reworded = ours("Lisbon: Anna's home", "e1");
    let dreamt = format!("{CURATED}{reworded}\n");
    replace(&*disk, Path::new(MEMORY), dreamt.as_bytes()).unwrap();
    let report = forget(&workspace, &plan, OwnerLines::Leave, now()).unwrap();
    assert_eq!(text(&*disk, MEMORY), CURATED);
    let undone = undo_forgetting(&workspace, &report.id, now()).unwrap();
    assert_eq!(undone.restored.len(), 2);
    assert_eq!(text(&*disk, MEMORY), dreamt);
}

#[test]
fn i9_our_lines_go_the_owners_stay_until_given_up_and_all_comes_back_to_the_byte() {
    for (owner_lines, memory) in [
        (OwnerLines::Leave, CURATED.to_owned()),
        (OwnerLines::Remove, without_line(CURATED, "Lisbon")),
    ] {
        let disk = Arc::new(start());
        let workspace = workspace(Arc::clone(&disk) as _);
        let plan = plan_of(&workspace, 3);
        let report = forget(&workspace, &plan, owner_lines, now()).unwrap();
        assert_eq!(text(&*disk, LOG), without_line(&log(), "Lisbon"));
        assert_eq!(text(&*disk, MEMORY), memory);
        assert!(
            load_tombstones(&workspace)
                .unwrap()
                .hides_text("Anna lives in Lisbon")
        );

        // The log goes on in the meantime.
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
        assert_eq!(text(&*disk, LOG), log() + "- later\n");
        assert_eq!(text(&*disk, MEMORY), CURATED);
        assert_eq!(load_tombstones(&workspace).unwrap().all(), []);
        assert!(undo_forgetting(&workspace, &report.id, now()).is_err());
    }
}

#[test]
fn i9_undo_leaves_alone_what_was_changed_since() {
    let disk = Arc::new(start());
    let workspace = workspace(Arc::clone(&disk) as _);
    let report = forget(
        &workspace,
        &plan_of(&workspace, 3),
        OwnerLines::Leave,
        now(),
    )
    .unwrap();
    replace(&*disk, Path::new(LOG), b"all new\n").unwrap();
    let undone = undo_forgetting(&workspace, &report.id, now()).unwrap();
    let kept = PathBuf::from(format!("/home/state/forgotten/{}.0.md", report.id));
    assert_eq!(undone.changed, [(report.files[0].clone(), kept.clone())]);
    assert_eq!(text(&*disk, LOG), "all new\n");
    assert_eq!(text(&*disk, kept.to_str().unwrap()), log());
    let is_hidden = || {
        load_tombstones(&workspace)
            .unwrap()
            .hides_text("Anna lives in Lisbon")
    };
    assert!(is_hidden());

    // The owner puts the lines back, at another place, and calls again.
    replace(
        &*disk,
        Path::new(LOG),
        format!("all new\n\n{}", log()).as_bytes(),
    )
    .unwrap();
    let undone = undo_forgetting(&workspace, &report.id, now()).unwrap();
    assert_eq!(
        (undone.restored, undone.changed),
        (report.files.clone(), Vec::new())
    );
    assert_eq!(text(&*disk, LOG), format!("all new\n\n{}", log()));
    assert!(!is_hidden());
}

#[test]
fn a_crash_at_any_moment_hides_all_or_nothing_and_the_next_call_finishes_it() {
    let start = start();
    let plan = plan_of(&workspace(Arc::new(start.clone())), 3);
    let whole = CrashDisk::new(&start, u64::MAX);
    let act = |disk: Arc<dyn Disk>| forget(&workspace(disk), &plan, OwnerLines::Remove, now());
    act(Arc::new(whole.clone())).unwrap();
    let mut n_half = 0;
    for moment in 0..=whole.n_moments() {
        for unsynced in [Unsynced::Kept, Unsynced::Lost] {
            let disk = CrashDisk::new(&start, moment);
            let done = act(Arc::new(disk.clone()));
            let found = Arc::new(disk.after_crash(unsynced));
            let workspace = workspace(Arc::clone(&found) as _);
            let is_hidden = load_tombstones(&workspace)
                .unwrap()
                .hides_text("Anna lives in Lisbon");
            let has_line = text(&*found, LOG).contains("Lisbon");
            assert!(
                is_hidden || (done.is_err() && has_line),
                "{moment} {unsynced:?}"
            );
            n_half += usize::from(is_hidden && has_line);
            finish_forgetting(&workspace, now()).unwrap();
            let expected = if is_hidden {
                (
                    without_line(&log(), "Lisbon"),
                    without_line(CURATED, "Lisbon"),
                )
            } else {
                (log(), CURATED.to_owned())
            };
            assert_eq!((text(&*found, LOG), text(&*found, MEMORY)), expected);
            let tombstones = load_tombstones(&workspace).unwrap();
            if let Some(tombstone) = tombstones.all().first() {
                undo_forgetting(&workspace, &tombstone.id, now()).unwrap();
                assert_eq!(
                    (text(&*found, LOG), text(&*found, MEMORY)),
                    (log(), CURATED.to_owned())
                );
            }
        }
    }
    assert!(n_half > 20, "{n_half}");
}

#[test]
fn forgetting_for_good_leaves_no_copy_whenever_it_was_broken_off() {
    let start = start();
    let asked = TextHash::of("session delete main");
    let act = |disk: Arc<dyn Disk>| {
        let workspace = workspace(disk);
        let entry = PlannedEntry {
            entry: ForgottenEntry {
                id: EntryId::new("e1"),
                path: "sessions/main.jsonl".into(),
                line: 9,
            },
            text: String::new(),
            hash: None,
            because: Because::Chosen,
        };
        let choice = ForgetChoice {
            entries: vec![entry],
            ..ForgetChoice::default()
        };
        // As where a session is deleted: its entries go with their file.
        let plan = ForgetPlan {
            entries: Vec::new(),
            asked: asked.clone(),
            ..plan_forgetting(&workspace, choice)?
        };
        forget_for_good(&workspace, &plan, plan.gone(&[]), now()).map(drop)
    };
    let whole = CrashDisk::new(&start, u64::MAX);
    act(Arc::new(whole.clone())).unwrap();
    for moment in 0..whole.n_moments() {
        for unsynced in [Unsynced::Kept, Unsynced::Lost] {
            let disk = CrashDisk::new(&start, moment);
            act(Arc::new(disk.clone())).unwrap_err();
            let found = disk.after_crash(unsynced);
            act(Arc::new(found.clone())).unwrap();
            let files = found.snapshot().into_iter();
            let holding = files.filter(|(path, bytes)| {
                path != Path::new(MEMORY) && String::from_utf8_lossy(bytes).contains("Lisbon")
            });
            let holding: Vec<PathBuf> = holding.map(|(path, _)| path).collect();
            assert_eq!(holding, Vec::<PathBuf>::new(), "{moment} {unsynced:?}");
            let tombstones = load_tombstones(&workspace(Arc::new(found))).unwrap();
            let mut all = tombstones.all().iter();
            assert!(
                all.all(|it| it.progress == TombstoneProgress::Done),
                "{moment} {unsynced:?}"
            );
        }
    }
}

#[test]
fn the_same_request_finishes_it_after_a_crash_at_any_moment() {
    let start = start();
    let asked = TextHash::of("memory/2026-03-02.md:3").unwrap();
    // What the command does each time that it is typed.
    let act = |disk: Arc<dyn Disk>| {
        let workspace = workspace(disk);
        let is_finished = finish_asked(&workspace, &asked, now())?.is_some();
        if is_finished || !asked_before(&workspace, &asked)?.is_empty() {
            return Ok(());
        }
        let plan = ForgetPlan {
            asked: Some(asked.clone()),
            ..plan_of(&workspace, 3)
        };
        forget(&workspace, &plan, OwnerLines::Remove, now()).map(drop)
    };
    let whole = CrashDisk::new(&start, u64::MAX);
    act(Arc::new(whole.clone())).unwrap();
    let expected = (
        without_line(&log(), "Lisbon"),
        without_line(CURATED, "Lisbon"),
    );
    let mut n_begun = 0;
    for moment in 0..whole.n_moments() {
        for unsynced in [Unsynced::Kept, Unsynced::Lost] {
            let disk = CrashDisk::new(&start, moment);
            act(Arc::new(disk.clone())).unwrap_err();
            let found = Arc::new(disk.after_crash(unsynced));
            let tombstones = load_tombstones(&workspace(Arc::clone(&found) as _)).unwrap();
            let progress = tombstones.all().first().map(|it| it.progress);
            n_begun += usize::from(progress == Some(TombstoneProgress::Begun));
            // Once all is taken out, another line stands there.
            act(Arc::clone(&found) as _).unwrap();
            let standing = (text(&*found, LOG), text(&*found, MEMORY));
            assert_eq!(standing, expected, "{moment} {unsynced:?}");
            let tombstones = load_tombstones(&workspace(found)).unwrap();
            let tombstone = tombstones.all().first().unwrap();
            assert_eq!(
                (tombstone.progress, &tombstone.asked),
                (TombstoneProgress::Done, &Some(asked.clone()))
            );
        }
    }
    assert!(n_begun > 20, "{n_begun}");
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
fn i9_what_an_editor_saved_in_between_is_never_overwritten() {
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
        assert_eq!(text(&*disk, LOG), expected);
    }
    let always: Vec<String> = (0..20).map(|n| format!("{n}\n{line}\n")).collect();
    let disk = edited();
    let workspace = workspace(Arc::clone(&disk) as _);
    let plan = plan_of(&workspace, 3);
    *disk.hook.saves.lock().unwrap() = always;
    let error = forget(&workspace, &plan, OwnerLines::Leave, now()).unwrap_err();
    assert!(matches!(error, ForgetError::Changed(..)), "{error:?}");
    assert!(
        load_tombstones(&workspace)
            .unwrap()
            .hides_text("Anna lives in Lisbon")
    );
}
