//! Decisions at the desk: accepted, rejected, reworded and undone; in the file, by command, and across a crash.
//!
//! Compares the files as a whole.

use std::path::Path;
use std::sync::Arc;

use base::Disk;
use base::disk::{Crash, CrashDisk, MemoryDisk, Unsynced};
use base::test_kit::Words;

use super::super::kit::{at, candidate, dreamt, home, read, workspace, write};
use super::*;
use crate::FileError;
use crate::candidates::{OlderValue, Proposal};
use crate::curated::UndoError;

const MEMORY: &str = "# Long-term memory\n\n- my own line\n";
const DREAMS: &str = "# Dreams\n\n## Candidate Memory Items (Pending Review)\n";

/// A home in which two candidates wait.
fn waiting() -> MemoryDisk {
    let disk = home(MEMORY, DREAMS);
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&workspace, at("09:00:00"), Access::Write).unwrap();
    let tea = candidate("aa11", "I prefer tea over coffee");
    let emoji = candidate("bb22", "Never use emoji in code");
    open.dream(&dreamt(&[], &[tea, emoji])).unwrap();
    disk
}

fn ids(list: &[Candidate]) -> Vec<&str> {
    list.iter().map(|own| own.id.as_str()).collect()
}

#[test]
fn dreams_file_lists_pending_candidates() {
    assert_eq!(
        read(&waiting(), "DREAMS.md"),
        format!(
            "{DREAMS}
### [2026-04-19 Session Replay] aa11
Finding: I prefer tea over coffee
Suggested action: Add it to Preferences in MEMORY.md
Evidence: sessions/main.jsonl#entry-aa11 \"well, I prefer tea over coffee\"
Waiting because: it was found by a backfill
Status: pending

### [2026-04-19 Session Replay] bb22
Finding: Never use emoji in code
Suggested action: Add it to Preferences in MEMORY.md
Evidence: sessions/main.jsonl#entry-bb22 \"well, Never use emoji in code\"
Waiting because: it was found by a backfill
Status: pending
"
        )
    );
}

#[test]
fn decisions_made_in_editor_take_effect() {
    let disk = waiting();
    let edited = read(&disk, "DREAMS.md")
        .replacen("Status: pending", "Status: Accepted", 1)
        .replace("Finding: I prefer tea", "Finding: I prefer green tea")
        .replace(
            "\n### [2026-04-19 Session Replay] bb22",
            "\nmy thoughts\n\n### [2026-04-19 Session Replay] bb22",
        );
    write(&disk, "DREAMS.md", &edited);
    let workspace = workspace(Arc::new(disk.clone()));
    let open = MemoryTxn::open(&workspace, at("10:00:00"), Access::Write).unwrap();
    assert_eq!(ids(&open.taken_in().accepted), ["aa11"]);
    assert_eq!(ids(&open.state().pending), ["bb22"]);
    let memory = read(&disk, "MEMORY.md");
    assert!(memory.starts_with(MEMORY), "{memory}");
    memory.holds("## Preferences\n\n- I prefer green tea over coffee ^");
    let dreams = read(&disk, "DREAMS.md");
    dreams.holds("my thoughts");
    dreams.lacks("aa11");
}

#[test]
fn conflicting_statuses_leave_candidate_pending() {
    for second in ["rejected", "pending", "perhaps"] {
        let disk = waiting();
        let both = format!("Status: accepted\nStatus: {second}");
        let edited = read(&disk, "DREAMS.md").replacen("Status: pending", &both, 1);
        write(&disk, "DREAMS.md", &edited);
        let workspace = workspace(Arc::new(disk.clone()));
        let open = MemoryTxn::open(&workspace, at("10:00:00"), Access::Write).unwrap();
        assert_eq!(ids(&open.state().pending), ["aa11", "bb22"], "{second}");
        assert_eq!(open.unclear(), [CandidateId::new("aa11")]);
        assert_eq!(read(&disk, "MEMORY.md"), MEMORY);
    }
}

#[test]
fn candidate_missing_twice_is_rejected_unless_it_returns() {
    let disk = waiting();
    let whole = read(&disk, "DREAMS.md");
    let (first, _) = whole
        .split_once("\n### [2026-04-19 Session Replay] bb22")
        .unwrap();
    let without = first.to_owned();
    let look = |time: &str| {
        let workspace = workspace(Arc::new(disk.clone()));
        let open = MemoryTxn::open(&workspace, at(time), Access::Write).unwrap();
        (
            ids(&open.taken_in().rejected).join(","),
            open.state().pending.len(),
        )
    };
    write(&disk, "DREAMS.md", &without);
    assert_eq!(look("10:00:00"), (String::new(), 2));
    assert_eq!(look("10:00:01"), (String::new(), 2));
    write(&disk, "DREAMS.md", &whole);
    assert_eq!(look("10:00:05"), (String::new(), 2));
    write(&disk, "DREAMS.md", &without);
    assert_eq!(look("10:00:06"), (String::new(), 2));
    assert_eq!(look("10:00:08"), ("bb22".to_owned(), 1));
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&workspace, at("10:01:00"), Access::Write).unwrap();
    assert!(open.state().was_rejected("never use emoji in code!"));
    open.undo().unwrap();
    assert_eq!(ids(&open.state().pending), ["aa11", "bb22"]);
    assert!(!open.state().was_rejected("never use emoji in code!"));
    assert!(read(&disk, "DREAMS.md").contains("bb22"));
}

#[test]
fn undone_rejection_applies_to_every_wording() {
    let disk = waiting();
    let workspace = workspace(Arc::new(disk));
    let id = CandidateId::new("aa11");
    let mut open = MemoryTxn::open(&workspace, at("10:00:00"), Access::Write).unwrap();
    let proposed = open.state().candidate(&id).unwrap().finding.clone();
    open.reword(&id, "I grow tomatoes").unwrap();
    open.reject(&[id]).unwrap();
    let rejected = |open: &MemoryTxn<'_>| {
        [proposed.as_str(), "I grow tomatoes"].map(|it| open.state().was_rejected(it))
    };
    assert_eq!(rejected(&open), [true, true]);
    open.undo().unwrap();
    assert_eq!(rejected(&open), [false, false]);
}

#[test]
fn missing_or_foreign_dreams_file_is_rewritten_without_rejections() {
    for found in [None, Some(""), Some("my shopping list\n")] {
        let disk = waiting();
        let whole = read(&disk, "DREAMS.md");
        match found {
            None => disk
                .remove(std::path::Path::new("/home/workspace/DREAMS.md"))
                .unwrap(),
            Some(text) => write(&disk, "DREAMS.md", text),
        }
        let workspace = workspace(Arc::new(disk.clone()));
        for time in ["10:00:00", "10:00:10"] {
            let open = MemoryTxn::open(&workspace, at(time), Access::Write).unwrap();
            assert_eq!(open.state().pending.len(), 2, "{found:?}");
        }
        assert_eq!(read(&disk, "DREAMS.md"), whole, "{found:?}");
        let kept = read(&disk, "DREAMS.md.found-20260420T100000");
        assert_eq!(kept, found.unwrap_or_default());
    }
}

#[test]
fn i9_undo_of_accept_restores_memory_exactly_and_candidate() {
    let disk = waiting();
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&workspace, at("10:00:00"), Access::Write).unwrap();
    open.accept(&[CandidateId::new("aa11")]).unwrap();
    assert_ne!(read(&disk, "MEMORY.md"), MEMORY);
    assert_eq!(
        open.undo().unwrap(),
        "you accepted \"I prefer tea over coffee\""
    );
    assert_eq!(read(&disk, "MEMORY.md"), MEMORY);
    assert_eq!(ids(&open.state().pending), ["bb22", "aa11"]);
    assert!(read(&disk, "DREAMS.md").contains("aa11"));
    assert!(matches!(
        open.undo(),
        Err(MemoryTxnError::Undo(UndoError::Nothing))
    ));
}

#[test]
fn superseding_line_names_older_value_and_archives_its_line() {
    let disk = waiting();
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&workspace, at("10:00:00"), Access::Write).unwrap();
    open.accept(&[CandidateId::new("aa11")]).unwrap();
    let newer = Candidate {
        proposal: Proposal::Supersede {
            line: "aa11".into(),
            older: "I prefer tea over coffee".into(),
            value: OlderValue::Named,
        },
        day: "2026-09-01".parse().unwrap(),
        ..candidate("cc33", "I prefer coffee over tea now")
    };
    open.dream(&dreamt(&[newer], &[])).unwrap();
    let memory = crate::daily_log::without_comments(&read(&disk, "MEMORY.md"));
    assert_eq!(
        memory.trim_end().to_owned() + "\n",
        format!(
            "{MEMORY}\n## Preferences\n\n- I prefer coffee over tea now (until 2026-09-01: I prefer tea over coffee)\n"
        )
    );
    let archive = read(&disk, "memory/archive.md");
    assert!(
        archive.contains("- I prefer tea over coffee ^"),
        "{archive}"
    );
    let archive = workspace.read_note("memory/archive.md", &archive);
    assert_eq!(archive.lines().last().unwrap().id(), Some("aa11"));
}

/// One step of an owner's day, which starts from the files on a disk.
type Step = fn(&Workspace) -> Result<(), MemoryTxnError>;

fn accept_both(workspace: &Workspace) -> Result<(), MemoryTxnError> {
    let mut open = MemoryTxn::open(workspace, at("10:00:00"), Access::Write)?;
    let waiting: Vec<CandidateId> = open
        .state()
        .pending
        .iter()
        .map(|own| own.id.clone())
        .collect();
    open.accept(&waiting).map(|_| ())
}

fn dream_on(workspace: &Workspace) -> Result<(), MemoryTxnError> {
    let mut open = MemoryTxn::open(workspace, at("11:00:00"), Access::Write)?;
    if open.state().knows(&CandidateId::new("dd44")) {
        return Ok(());
    }
    let promoted = candidate("dd44", "Always answer in metric units");
    let staged = candidate("ee55", "I live in Lisbon");
    open.dream(&dreamt(&[promoted], &[staged])).map(|_| ())
}

fn edit_file(workspace: &Workspace) -> Result<(), MemoryTxnError> {
    MemoryTxn::open(workspace, at("12:00:00"), Access::Write).map(|_| ())
}

/// Every file but locks and preimages, which may be more after a crash.
fn files(disk: &MemoryDisk) -> Vec<(String, Vec<u8>)> {
    let all = disk.snapshot().into_iter();
    all.map(|(path, bytes)| (path.display().to_string(), bytes))
        .filter(|(path, _)| {
            !path.contains("/locks/") && !path.contains(".tmp") && !path.contains("preimages")
        })
        .collect()
}

#[test]
fn desk_step_repeated_after_crash_ends_in_same_state() {
    let accepted = {
        let disk = waiting();
        let text = read(&disk, "DREAMS.md").replacen("pending", "accepted", 1);
        write(&disk, "DREAMS.md", &text);
        disk
    };
    let undoable = {
        let disk = waiting();
        accept_both(&workspace(Arc::new(disk.clone()))).unwrap();
        disk
    };
    let cases: [(MemoryDisk, Step); 4] = [
        (waiting(), accept_both),
        (waiting(), dream_on),
        (accepted, edit_file),
        (undoable, undo_once),
    ];
    for (case, (start, step)) in cases.into_iter().enumerate() {
        let whole = start.copy();
        step(&workspace(Arc::new(whole.clone()))).unwrap();
        let expected = files(&whole);
        assert_ne!(expected, files(&start), "case {case} does something");
        let act = |disk: CrashDisk| step(&workspace(Arc::new(disk)));
        for Crash { found, when, .. } in CrashDisk::crashes_between(&start, act) {
            let place = format!("case {case} at {when}");
            for (name, begin) in [("MEMORY.md", MEMORY), ("DREAMS.md", DREAMS)] {
                assert!(read(&found, name).starts_with(begin), "{place}");
            }
            let space = workspace(Arc::new(found.clone()));
            step(&space).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(files(&found), expected, "{place}");
        }
    }
}

/// An owner who was not told that the undo worked checks first whether it did.
fn undo_once(workspace: &Workspace) -> Result<(), MemoryTxnError> {
    let mut open = MemoryTxn::open(workspace, at("13:00:00"), Access::Write)?;
    match open.undo() {
        Ok(_) | Err(MemoryTxnError::Undo(UndoError::Nothing)) => Ok(()),
        Err(error) => Err(error),
    }
}

#[test]
fn i11_open_desk_without_decisions_writes_nothing() {
    let disk = waiting();
    let before = disk.snapshot();
    let workspace = workspace(Arc::new(disk.clone()));
    for time in ["10:00:00", "11:00:00"] {
        let _open = MemoryTxn::open(&workspace, at(time), Access::Write).unwrap();
    }
    assert_eq!(disk.snapshot(), before);
}

#[test]
fn desk_rejects_record_of_newer_version() {
    let disk = waiting();
    let path = std::path::Path::new("/home/state/dreams/state.json");
    base::disk::replace(&disk, path, b"{\"version\":2}").unwrap();
    let workspace = workspace(Arc::new(disk.clone()));
    let refused = MemoryTxn::open(&workspace, at("10:00:00"), Access::Write).map(|_| ());
    assert!(
        matches!(refused, Err(MemoryTxnError::File(FileError::TooNew(_, 2)))),
        "{refused:?}"
    );
    let kept = base::disk::read_all(&disk, path, 100).unwrap();
    assert_eq!(kept, b"{\"version\":2}");
}

#[test]
fn truncated_dreams_file_is_kept_reported_and_rewritten() {
    let whole = read(&waiting(), "DREAMS.md");
    let second = whole.find("### [2026-04-19 Session Replay] bb22").unwrap();
    let status = whole.rfind("Status:").unwrap();
    for end in [
        second + 40,
        second + 60,
        whole.rfind("Suggested").unwrap() + 3,
        status,
    ] {
        let disk = waiting();
        // What was decided before the break counts.
        let cut = whole.split_at(end).0.replacen("pending", "accepted", 1);
        write(&disk, "DREAMS.md", &cut);
        let workspace = workspace(Arc::new(disk.clone()));
        for (time, kept) in [
            ("10:00:00", Some("DREAMS.md.found-20260420T100000")),
            ("10:00:10", None),
        ] {
            let open = MemoryTxn::open(&workspace, at(time), Access::Write).unwrap();
            assert_eq!(open.kept_dreams(), kept, "{end}");
            assert_eq!(ids(&open.state().pending), ["bb22"], "{end}");
            assert_eq!(open.unclear(), [], "{end}");
        }
        let (first, rest) =
            whole.split_at(whole.find("### [2026-04-19 Session Replay] aa11").unwrap());
        let (_, second) = rest.split_at(rest.find("### [2026-04-19 Session Replay] bb22").unwrap());
        assert_eq!(
            read(&disk, "DREAMS.md"),
            format!("{first}{second}"),
            "{end}"
        );
        assert_eq!(read(&disk, "DREAMS.md.found-20260420T100000"), cut, "{end}");
    }
}

/// A home with no `MEMORY.md` yet, in which a dream promoted the first line.
fn first_promotion() -> (MemoryDisk, MemoryDisk) {
    let disk = home("", DREAMS);
    disk.remove(Path::new("/home/workspace/MEMORY.md")).unwrap();
    let before = disk.copy();
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&workspace, at("09:00:00"), Access::Write).unwrap();
    let tea = candidate("aa11", "I prefer tea over coffee");
    open.dream(&dreamt(&[tea], &[])).unwrap();
    (before, disk)
}

#[test]
fn i9_undo_of_first_promotion_removes_memory_file() {
    let memory = |disk: &MemoryDisk| disk.stat(Path::new("/home/workspace/MEMORY.md")).unwrap();
    let (before, start) = first_promotion();
    assert_eq!((memory(&before), memory(&start).is_some()), (None, true));
    let undo = |disk: CrashDisk| undo_once(&workspace(Arc::new(disk)));
    let whole = CrashDisk::new(&start, u64::MAX);
    undo(whole.clone()).unwrap();
    let expected = files(&whole.after_crash(Unsynced::Kept));
    assert_eq!(memory(&whole.after_crash(Unsynced::Lost)), None);
    for Crash { found, when, .. } in CrashDisk::crashes_between(&start, undo) {
        undo_once(&workspace(Arc::new(found.clone()))).unwrap();
        assert_eq!(files(&found), expected, "{when}");
    }
}

#[test]
fn decision_report_names_cause_and_findings() {
    let disk = waiting();
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&workspace, at("10:00:00"), Access::Write).unwrap();
    let [tea, other] = ["aa11", "bb22"].map(|id| {
        let own = open.state().candidate(&CandidateId::new(id)).unwrap();
        own.finding.clone()
    });
    for (cause, told) in [
        ("the owner accepted aa11", format!("you accepted \"{tea}\"")),
        (
            "undone: the owner rejected bb22",
            format!("undone: you rejected \"{other}\""),
        ),
        (
            "the owner accepted aa11, rejected bb22",
            format!("you accepted \"{tea}\", rejected \"{other}\""),
        ),
        (
            "the owner accepted aa11, aa11, aa11, aa11, bb22",
            format!("you accepted \"{tea}\", \"{tea}\", \"{tea}\" and 2 more"),
        ),
        (
            "the owner accepted aa11, 0000",
            "you accepted aa11, 0000".to_owned(),
        ),
        (
            "the owner edited MEMORY.md",
            "you edited MEMORY.md".to_owned(),
        ),
        (
            "a dream promoted 2 lines",
            "a dream promoted 2 lines".to_owned(),
        ),
    ] {
        assert_eq!(open.state().in_words(cause), told);
    }
    open.reject(&[CandidateId::new("bb22")]).unwrap();
    assert_eq!(
        open.last_decision(),
        Some(format!("you rejected \"{other}\""))
    );
}
