//! Notes outside of a flush.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use base::disk::{DiskError, DiskOperation, HookedDisk, MemoryDisk};
use base::{Disk, EntryId, HomeLayout};

use super::*;
use crate::workspace_kit::text_if_there;

const LOG: &str = "/w/memory/2026-04-20.md";

fn note(text: &str, origin: Origin) -> Note {
    Note {
        text: text.to_owned(),
        evidence: vec![EntryId::new("e-1")],
        origin,
    }
}

/// Adds the notes one after another at 14:05 in Berlin; returns the outcomes and the log.
fn check(before: &str, notes: &[Note]) -> (Vec<AddOutcome>, String) {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    if !before.is_empty() {
        disk.create_dir(Path::new("/w/memory")).unwrap();
        disk.append(Path::new(LOG), before.as_bytes()).unwrap();
    }
    let workspace = Workspace::new(Arc::clone(&disk), HomeLayout::of_workspace("/w"));
    let at = "2026-04-20T12:05:00Z".parse().unwrap();
    let berlin = Tz::named("Europe/Berlin").unwrap();
    let under = AddedUnder::default();
    let add = |note| {
        add_note(&workspace, (note, &under), at, berlin)
            .unwrap()
            .outcome
    };
    let outcomes = notes.iter().map(add).collect();
    (outcomes, log_of(&*disk))
}

fn log_of(disk: &dyn Disk) -> String {
    text_if_there(disk, LOG).unwrap_or_default()
}

#[test]
fn note_records_origin_and_owners_note_is_plain_line() {
    let notes = [
        note("Rent the small hall", Origin::Agent),
        note("The deposit is 300 euros", Origin::Owner),
    ];
    let (outcomes, log) = check("", &notes);
    let added = |line| AddOutcome::Added(line);
    assert_eq!(outcomes, [added(5), added(6)]);
    assert_eq!(
        log,
        "# 2026-04-20\n\n## 14:05 \u{2014} Note\n\n\
         - Rent the small hall ^ID\n- The deposit is 300 euros\n"
            .replace("ID", &short_hash("Rent the small hall"))
    );
}

#[test]
fn note_joins_list_of_its_minute_unless_something_else_follows_it() {
    let heading = "## 14:05 \u{2014} Note\n\n";
    for (before, joins) in [
        ("- Rent the small hall\n", true),
        ("- Rent the small hall\n- Call Ann\n", true),
        ("- Rent the small hall", false),
        ("- Rent the small hall\n\nIt has a stage.\n", false),
        (
            "- Rent the small hall\n\n## 14:05 \u{2014} Session Notes\n\n- Call Ann\n",
            false,
        ),
    ] {
        let before = format!("# 2026-04-20\n\n{heading}{before}");
        let (_, log) = check(&before, &[note("The deposit is 300 euros", Origin::Owner)]);
        let added = log.strip_prefix(&before).unwrap();
        let own = "- The deposit is 300 euros\n";
        assert_eq!(added == own, joins, "{log}");
        assert!(
            added.ends_with(&format!("{}{own}", if joins { "" } else { heading })),
            "{log}"
        );
    }
}

#[test]
fn i8_note_already_in_log_is_not_added_again() {
    let before = "# 2026-04-20\n\n- rent the small hall.\n";
    let notes = [
        note("Rent the small hall", Origin::Agent),
        note(" \n ", Origin::Owner),
    ];
    let (outcomes, log) = check(before, &notes);
    assert_eq!(outcomes, [AddOutcome::AlreadyThere, AddOutcome::Empty]);
    assert_eq!(log, before);
}

#[test]
fn i14_note_is_redacted_and_single_line() {
    let key = format!("sk-ant-{}", "a1B2".repeat(10));
    let text = format!("the key is {key}\nand <!-- a comment -->");
    let (_, log) = check("by hand", &[note(&text, Origin::Agent)]);
    assert!(!log.contains(&key), "{log}");
    assert!(log.starts_with("by hand\n\n## 14:05"), "{log}");
    assert_eq!(log.lines().count(), 5, "{log}");
    assert!(!log.contains("<!--"), "{log}");
}

#[test]
fn unwritten_note_leaves_no_trace_and_retry_adds_it_once() {
    for before in ["", "# 2026-04-20\n\nMilk.\n"] {
        let mut n_failed = 0;
        for at in 0.. {
            let disk = MemoryDisk::new();
            if !before.is_empty() {
                disk.create_dir(Path::new("/w/memory")).unwrap();
                disk.append(Path::new(LOG), before.as_bytes()).unwrap();
            }
            // One change fails, an append in its middle.
            let n_changes = Arc::new(AtomicUsize::new(0));
            let (counted, below) = (Arc::clone(&n_changes), disk.clone());
            let failing = HookedDisk::before(disk.clone(), move |operation| {
                if !operation.is_change() || counted.fetch_add(1, Ordering::Relaxed) != at {
                    return Ok(());
                }
                if let DiskOperation::Append(path, bytes) = operation {
                    below.append(path, &bytes[..bytes.len() / 2])?;
                }
                let full = ErrorKind::StorageFull.into();
                Err(DiskError::on("write", Path::new(LOG))(full))
            });
            let add = |disk: Arc<dyn Disk>, at: &str| {
                let workspace = Workspace::new(disk, HomeLayout::of_workspace("/w"));
                let note = note("The deposit is 300 euros", Origin::Owner);
                let timezone = Tz::named("Europe/Berlin").unwrap();
                let noted = (&note, &AddedUnder::default());
                add_note(&workspace, noted, at.parse().unwrap(), timezone)
            };
            let first = add(Arc::new(failing), "2026-04-20T12:05:00Z");
            if first.is_err() {
                n_failed += 1;
                assert_eq!(log_of(&disk), before, "change {at}: {first:?}");
            }
            add(Arc::new(disk.clone()), "2026-04-20T12:06:00Z").unwrap();
            let text = log_of(&disk);
            assert_eq!(text.matches("deposit").count(), 1, "change {at}: {text}");
            if n_changes.load(Ordering::Relaxed) <= at {
                break;
            }
        }
        assert!(n_failed > 2, "{n_failed}");
    }
}

#[test]
fn notes_of_torn_write_lack_owner_origin_and_are_not_added_twice() {
    let texts = [
        "The pier is open",
        "The crane lifts peat",
        "The tug is blue",
    ];
    let notes = texts.map(|text| note(text, Origin::Untrusted));
    let at: Timestamp = "2026-04-20T12:05:00Z".parse().unwrap();
    let add = |disk: &MemoryDisk| {
        let workspace = Workspace::new(Arc::new(disk.clone()), HomeLayout::of_workspace("/w"));
        let under = AddedUnder::default();
        add_notes(&workspace, (&notes, &under), at, Tz::UTC).unwrap();
        workspace
    };
    let whole = MemoryDisk::new();
    add(&whole);
    let whole = log_of(&whole);
    for cut in 0..whole.len() {
        let disk = MemoryDisk::new();
        disk.create_dir(Path::new("/w/memory")).unwrap();
        disk.append(Path::new(LOG), &whole.as_bytes()[..cut])
            .unwrap();
        let workspace = add(&disk);
        let items = workspace.log_items(day(at, Tz::UTC)).unwrap();
        for text in texts {
            let found: Vec<Origin> = items
                .iter()
                .filter(|item| item.text == text)
                .map(|item| item.origin)
                .collect();
            let marked = matches!(found.as_slice(), [Origin::Agent | Origin::Untrusted]);
            // Nothing tells a line whose mark was cut off whole from one of the owner.
            let before = whole.get(..cut).unwrap_or_default();
            let is_cut = before.trim_end().ends_with(text);
            assert!(marked || is_cut, "{cut}: {text}: {found:?}");
        }
    }
}

/// Adds a note to a log that exists; `at_sync` is called before the log is synced for the first time.
fn add_with(
    below: &MemoryDisk,
    at_sync: impl Fn(&Workspace) -> Result<(), DiskError> + Send + Sync + 'static,
) -> Result<AddReport, LogError> {
    below.create_dir(Path::new("/w/memory")).unwrap();
    below
        .append(Path::new(LOG), b"# 2026-04-20\n\nMilk.\n")
        .unwrap();
    let other = Workspace::new(Arc::new(below.clone()), HomeLayout::of_workspace("/w"));
    let hooked = HookedDisk::before(below.clone(), move |operation| {
        let is_log = operation == DiskOperation::Sync(Path::new(LOG));
        if is_log { at_sync(&other) } else { Ok(()) }
    });
    let workspace = Workspace::new(Arc::new(hooked), HomeLayout::of_workspace("/w"));
    add_at_noon(&workspace, "The deposit is 300 euros")
}

fn add_at_noon(workspace: &Workspace, text: &str) -> Result<AddReport, LogError> {
    let noted = (&note(text, Origin::Owner), &AddedUnder::default());
    let at = "2026-04-20T12:05:00Z".parse().unwrap();
    add_note(workspace, noted, at, Tz::named("Europe/Berlin").unwrap())
}

#[test]
fn second_writer_adds_note_while_first_waits_for_sync() {
    let disk = MemoryDisk::new();
    add_with(&disk, |other| {
        add_at_noon(other, "The hall is small").unwrap();
        Ok(())
    })
    .unwrap();
    let text = log_of(&disk);
    assert!(text.contains("- The deposit is 300 euros\n"), "{text}");
    assert!(text.contains("- The hall is small\n"), "{text}");
}

#[test]
fn failed_sync_keeps_later_writers_note_and_reports_own_as_uncertain() {
    let disk = MemoryDisk::new();
    let added = add_with(&disk, |other| {
        add_at_noon(other, "The hall is small").unwrap();
        Err(DiskError::on("sync", Path::new(LOG))(
            ErrorKind::Other.into(),
        ))
    });
    assert!(matches!(added, Err(LogError::MayStand(..))), "{added:?}");
    let text = log_of(&disk);
    assert!(text.contains("- The hall is small\n"), "{text}");
}

#[test]
fn repository_note_keeps_session_and_does_not_suppress_notes_elsewhere() {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    let workspace = Workspace::new(Arc::clone(&disk), HomeLayout::of_workspace("/w"));
    let at: Timestamp = "2026-04-20T12:05:00Z".parse().unwrap();
    let imported = |text: &str, origin| Note {
        evidence: Vec::new(),
        ..note(text, origin)
    };
    let notes = [
        imported("Use four spaces", Origin::Untrusted),
        imported("The gate is blue", Origin::Owner),
    ];
    let add = |known_from: Option<&str>| {
        let under = AddedUnder {
            title: "Imported from Codex".to_owned(),
            known_from: known_from.map(SessionId::new),
        };
        add_notes(&workspace, (&notes, &under), at, Tz::UTC).unwrap()
    };
    let here = Some("repo-0a0a0a0a-notes");
    let added = |first| [AddOutcome::Added(first), AddOutcome::Added(first + 1)];
    let again = [AddOutcome::AlreadyThere, AddOutcome::AlreadyThere];
    assert_eq!(add(here), added(5));
    assert_eq!(add(here), again);
    assert_eq!(add(Some("repo-0b0b0b0b-notes")), added(10));
    assert_eq!(add(None), added(15));
    assert_eq!(add(Some("repo-0c0c0c0c-notes")), again);
    let log = "memory/2026-04-20.md".parse().unwrap();
    let known = crate::lines_known_from(&workspace, &log).unwrap();
    let known: Vec<(usize, usize, &str)> = known
        .iter()
        .map(|(lines, session)| (lines.start, lines.end, session.as_str()))
        .collect();
    assert_eq!(
        known,
        [
            (5, 5, "repo-0a0a0a0a-notes"),
            (6, 6, "repo-0a0a0a0a-notes"),
            (10, 10, "repo-0b0b0b0b-notes"),
            (11, 11, "repo-0b0b0b0b-notes"),
        ]
    );
    let items = workspace.log_items("2026-04-20".parse().unwrap()).unwrap();
    let items: Vec<(usize, Origin)> = items.iter().map(|it| (it.line, it.origin)).collect();
    let [untrusted, owner] = [Origin::Untrusted, Origin::Owner];
    let expected = [5, 6, 10, 11, 15, 16]
        .into_iter()
        .zip([untrusted, owner].into_iter().cycle());
    assert_eq!(items, expected.collect::<Vec<_>>());
}

#[test]
fn note_above_limit_is_rejected_and_not_truncated() {
    let workspace = Workspace::new(Arc::new(MemoryDisk::new()), HomeLayout::of_workspace("/w"));
    let at = "2026-04-20T12:05:00Z".parse().unwrap();
    let add = |n_chars| {
        let note = note(&"ä".repeat(n_chars), Origin::Owner);
        add_note(&workspace, (&note, &AddedUnder::default()), at, Tz::UTC)
    };
    let error = add(NOTE_CHARS_MAX + 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the note has 2001 characters; the limit is 2000"
    );
    assert!(workspace.log_days().unwrap().is_empty());
    assert!(matches!(
        add(NOTE_CHARS_MAX).unwrap().outcome,
        AddOutcome::Added(_)
    ));
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "compares two durations of one run"
)]
fn new_note_does_not_read_every_line_of_long_log() {
    let known = (0..3_000).map(|number| {
        let id = format!("{number:08x}");
        format!("## 14:05 \u{2014} Note\n\n- The pump of room {number} was oiled ^{id}\n")
    });
    let known: Vec<String> = known.collect();
    let before = format!("# 2026-04-20\n\n{}", known.join("\n"));
    let time_of = |text: &str, expected: fn(&AddOutcome) -> bool| {
        let times = (0..3).map(|_| {
            let began_at = Instant::now();
            let (outcomes, _) = check(&before, &[note(text, Origin::Agent)]);
            assert!(outcomes.iter().all(expected), "{text}: {outcomes:?}");
            began_at.elapsed()
        });
        times.min().unwrap()
    };
    // Whether a note is known already is certain only once every line has been read.
    let known = time_of("the pump of room 7 was oiled", |it| {
        *it == AddOutcome::AlreadyThere
    });
    let new = time_of("The pump of hall 7 was oiled", |it| {
        matches!(it, AddOutcome::Added(_))
    });
    assert!(
        new * 5 < known,
        "{new:?} for a new note, {known:?} for a known one"
    );
}
