//! The workspace as it was: after each change of `MEMORY.md`, each minute of a log, each decision.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base::disk::{MemoryDisk, OsDisk, replace};
use base::{Disk, HomeLayout, Timestamp, Tz};
use chrono::TimeDelta;

use super::*;
use crate::candidates::kit::{at, candidate, dreamt, home, write};
use crate::candidates::{Access, CandidateId, MemoryTxn, Status, dream_state};
use crate::curated::{MemoryChange, OpenMemory};
use crate::note_text::NoteText;
use crate::workspace_kit::{text_if_there, workspace};
use crate::{Workspace, WorkspacePath};

fn change(workspace: &Workspace, at: Timestamp, text: &str) {
    let mut memory = OpenMemory::open(workspace).unwrap();
    let change = MemoryChange {
        id: memory.next_id().unwrap(),
        at,
        cause: "a test wrote",
        candidates: &[],
    };
    memory.write(&NoteText::alone(text), change).unwrap();
}

fn past(workspace: &Workspace, at: Timestamp) -> PastWorkspace {
    let when = (at, Tz::named("Europe/Berlin").unwrap());
    past_workspace(workspace, &PastFlushes::default(), when).unwrap()
}

/// A file as it was; nothing if there was none.
fn text(past: &PastWorkspace, name: &str) -> String {
    text_if_there(&*past.disk, past.workspace.root().join(name)).unwrap_or_default()
}

#[test]
fn past_memory_is_content_between_changes() {
    let disk = home("- zero\n", "");
    let workspace = workspace(Arc::new(disk.clone()));
    change(&workspace, at("10:00:00"), "- one\n");
    change(&workspace, at("11:00:00"), "- two\n");
    for (time, expected) in [
        ("09:00:00", "- zero\n"),
        ("09:59:59", "- zero\n"),
        ("10:00:00", "- one\n"),
        ("10:59:59", "- one\n"),
        ("11:00:00", "- two\n"),
        ("23:00:00", "- two\n"),
    ] {
        let past = past(&workspace, at(time));
        assert_eq!(text(&past, "MEMORY.md"), expected, "{time}");
        assert_eq!(past.gaps, [], "{time}");
    }
    // The present is untouched.
    assert_eq!(crate::candidates::kit::read(&disk, "MEMORY.md"), "- two\n");
}

#[test]
fn past_before_oldest_kept_change_omits_memory_and_reports_it() {
    let workspace = workspace(Arc::new(home("- zero\n", "")));
    for n in 0..=100 {
        change(
            &workspace,
            at("10:00:00") + TimeDelta::minutes(n),
            &format!("- text {n}\n"),
        );
    }
    let early = past(&workspace, at("10:00:30"));
    assert_eq!(text(&early, "MEMORY.md"), "");
    // The first of 101 changes is no longer kept.
    assert_eq!(early.gaps, [PastGap::MemoryBefore(at("10:01:00"))]);
    let known = past(&workspace, at("10:01:30"));
    assert_eq!(
        (text(&known, "MEMORY.md").as_str(), known.gaps),
        ("- text 1\n", vec![])
    );
}

#[test]
fn redacted_copy_leaves_memory_out_and_undone_change_is_reported() {
    let workspace = workspace(Arc::new(home("# M\n", "")));
    let mut desk = MemoryTxn::open(&workspace, at("10:00:00"), Access::Write).unwrap();
    desk.dream(&dreamt(&[candidate("aa11", "I prefer tea")], &[]))
        .unwrap();
    drop(desk);
    let mut desk = MemoryTxn::open(&workspace, at("11:00:00"), Access::Write).unwrap();
    desk.undo().unwrap();
    drop(desk);
    let between = past(&workspace, at("10:30:00"));
    assert_eq!(between.gaps, [PastGap::Undone(1)]);
    change(&workspace, at("12:00:00"), "- two\n");
    let memory = OpenMemory::open(&workspace).unwrap();
    let kept = memory.preimages();
    let last = kept.ids().unwrap().into_iter().next_back().unwrap();
    kept.redact(kept.read(last).unwrap().unwrap()).unwrap();
    drop(memory);
    let redacted = past(&workspace, at("11:30:00"));
    assert_eq!(redacted.gaps, [PastGap::MemoryUnreadable]);
    assert_eq!(text(&redacted, "MEMORY.md"), "");
}

#[test]
fn past_log_ends_with_last_ended_minute_and_keeps_line_numbers() {
    let disk = home("", "");
    let log = "# 2026-04-20\n\n- by hand\n\n## 12:03 \u{2014} Note\n- at three\n\n## 12:05 \u{2014} Note\n- at five\n";
    write(&disk, "memory/2026-04-20.md", log);
    write(&disk, "memory/2026-04-21.md", "# 2026-04-21\n- tomorrow\n");
    write(
        &disk,
        "memory/2026-04-19.md",
        "# 2026-04-19\n\n## 23:59 \u{2014} Note\n- yesterday\n",
    );
    let workspace = workspace(Arc::new(disk));
    let shown = |time: Timestamp| {
        let past = past(&workspace, time);
        let items = |day: &str| {
            let items = past.workspace.log_items(day.parse().unwrap()).unwrap();
            items.into_iter().map(|own| (own.line, own.text))
        };
        let days = ["2026-04-19", "2026-04-20", "2026-04-21"];
        let all: Vec<(usize, String)> = days.into_iter().flat_map(items).collect();
        all
    };
    let expected = |n: usize| -> Vec<(usize, String)> {
        let all = [
            (4, "yesterday"),
            (3, "by hand"),
            (6, "at three"),
            (9, "at five"),
        ];
        let all = all.into_iter().map(|(line, text)| (line, text.to_owned()));
        all.take(n).collect()
    };
    // Berlin is two hours ahead of UTC.
    assert_eq!(shown(at("10:03:30")), expected(2));
    assert_eq!(
        shown(at("10:03:59") + TimeDelta::milliseconds(999)),
        expected(3)
    );
    assert_eq!(shown(at("10:05:00")), expected(3));
    assert_eq!(shown(at("10:06:00")), expected(4));
    // The day of the owner ends at 22:00 UTC.
    assert_eq!(shown(at("21:59:59")), expected(4));
    let next = shown(at("22:00:00"));
    assert_eq!(next.last().unwrap().1, "tomorrow");
    assert_eq!(shown("2026-04-19T21:59:00Z".parse().unwrap()), []);
}

#[test]
fn past_candidate_waits_until_it_was_decided_and_is_missing_before_it_was_proposed() {
    let workspace = workspace(Arc::new(home("", "")));
    let staged = candidate("aa11", "I prefer tea");
    let id = CandidateId::new("aa11");
    let mut desk = MemoryTxn::open(&workspace, at("08:00:00"), Access::Write).unwrap();
    desk.dream(&dreamt(&[], std::slice::from_ref(&staged)))
        .unwrap();
    drop(desk);
    let mut desk = MemoryTxn::open(&workspace, at("09:00:00"), Access::Write).unwrap();
    desk.accept(std::slice::from_ref(&id)).unwrap();
    drop(desk);
    for (time, expected) in [
        ("07:59:59", None),
        ("08:00:00", Some(Status::Pending)),
        ("08:59:59", Some(Status::Pending)),
        ("09:00:00", Some(Status::Accepted)),
    ] {
        let past = past(&workspace, at(time));
        let state = dream_state(&past.workspace).unwrap().unwrap_or_default();
        let found = state.candidate(&id).map(|own| own.status);
        assert_eq!(found, expected, "{time}");
    }
}

#[test]
fn handwritten_page_and_line_that_may_be_newer_are_left_out_and_named() {
    let directory = tempfile::tempdir().unwrap();
    let layout = HomeLayout::new(directory.path());
    let disk: Arc<dyn Disk> = Arc::new(OsDisk);
    let workspace = Workspace::new(disk, layout);
    workspace.init().unwrap();
    let put = |name: &str, text: &str| {
        replace(&OsDisk, &workspace.root().join(name), text.as_bytes()).unwrap();
    };
    put("MEMORY.md", "# M\n- the bins go out on Mondays\n");
    put("USER.md", "# User\n\n- Name: Kim\n");
    let now = base::SystemClock::new();
    let now = base::Clock::now(&now);
    // The files were written just now: whether they were there an hour ago is not known.
    let hour = TimeDelta::from_std(Duration::from_hours(1)).unwrap();
    let before = past(&workspace, now - hour);
    assert_eq!(text(&before, "MEMORY.md"), "# M\n\n");
    assert_eq!(text(&before, "USER.md"), "");
    let pages = PastGap::Pages(vec!["USER.md".to_owned()]);
    assert_eq!(before.gaps, [PastGap::LinesByHand(1), pages]);
    let told: Vec<String> = before.gaps.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "left out: 1 line of MEMORY.md that you wrote by hand and that may be newer",
            "left out: 1 page changed since, without a copy of the earlier text: USER.md",
        ]
    );
    let after = past(&workspace, now + hour);
    assert_eq!(
        text(&after, "MEMORY.md"),
        "# M\n- the bins go out on Mondays\n"
    );
    let path: WorkspacePath = "USER.md".parse().unwrap();
    let user = crate::file_lines(&after.workspace, &path, None).unwrap();
    assert_eq!((user.n_lines, after.gaps), (3, vec![]));
}

#[test]
fn workspace_without_files_has_an_empty_past() {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/home/workspace")).unwrap();
    let workspace = workspace(Arc::new(disk));
    let past = past(&workspace, at("10:00:00"));
    assert_eq!((past.gaps, past.n_forgets_since), (vec![], 0));
}

#[test]
fn gap_of_file_keeps_only_what_concerns_it() {
    let pages = PastGap::Pages(vec!["USER.md".to_owned(), "ideas.md".to_owned()]);
    let own = PastGap::Pages(vec!["ideas.md".to_owned()]);
    assert_eq!(pages.clone().of_file("ideas.md"), Some(own));
    assert_eq!(pages.of_file("MEMORY.md"), None);
    let undone = PastGap::Undone(1);
    assert_eq!(undone.clone().of_file("MEMORY.md"), Some(undone.clone()));
    assert_eq!(undone.of_file("ideas.md"), None);
}
