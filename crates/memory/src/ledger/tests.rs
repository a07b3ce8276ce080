//! Marks at the end of lines, the records that they refer to, and the formats of earlier versions.

use std::collections::BTreeSet;
use std::path::Path;

use base::disk::{CrashDisk, MemoryDisk, Unsynced, append};
use base::{Disk, EntryId, HomeLayout, LineRange, Origin, Tz, short_hash};
use proptest::prelude::*;

use super::*;
use crate::candidates::kit::new_line;
use crate::curated::{Edit, LineOwner, OpenMemory, edited, memory_lines};
use crate::daily_log::kit;
use crate::daily_log::lines::lines;
use crate::note_text::MemoryText;
use crate::workspace_kit::{text_at, text_if_there, workspace};
use crate::{AddedUnder, Note, Workspace, add_note, write_block};

const LOG: &str = "memory/2026-04-20.md";
const RECORDS: &str = "/home/state/notes.jsonl";

fn record(id: &str, text: &str, origin: Origin) -> NoteRecord {
    let note = Note {
        text: text.to_owned(),
        evidence: vec![EntryId::new("e1")],
        origin,
    };
    note.record(LOG, &crate::NoteId::new(id), text)
}

fn ledger(records: &[NoteRecord]) -> Ledger {
    let lines: String = records.iter().map(NoteRecord::line).collect();
    Ledger::of(lines.into_bytes())
}

/// The origin of the first line of a log, and its text.
fn read(ledger: &Ledger, file: &str, line: &str) -> (Option<Origin>, String) {
    let read = ledger.read(file, line);
    let line = &read.lines()[0];
    (line.ours().map(|own| own.origin), line.text().to_owned())
}

#[test]
fn line_is_ours_only_with_known_mark_and_unchanged_text() {
    let known = ledger(&[record("0a0a0a0a", "Likes tea", Origin::Untrusted)]);
    for (line, origin, shown) in [
        (
            "- Likes tea ^0a0a0a0a",
            Some(Origin::Untrusted),
            "- Likes tea",
        ),
        (
            "  * Likes tea  ^0a0a0a0a",
            Some(Origin::Untrusted),
            "  * Likes tea",
        ),
        // The owner has changed it.
        ("- Likes coffee ^0a0a0a0a", None, "- Likes coffee"),
        // Nothing is known about it.
        ("- Likes tea ^0b0b0b0b", Some(Origin::Agent), "- Likes tea"),
        ("- Likes tea", None, "- Likes tea"),
        ("- Likes tea ^my-tea", None, "- Likes tea ^my-tea"),
    ] {
        for file in [LOG, "memory/other.md", "MEMORY.md"] {
            assert_eq!(
                read(&known, file, line),
                (origin, shown.to_owned()),
                "{line}"
            );
        }
    }
}

#[test]
fn record_of_the_same_file_and_text_wins_over_others_with_its_mark() {
    let elsewhere = NoteRecord {
        file: "MEMORY.md".to_owned(),
        ..record("0a0a0a0a", "Likes tea", Origin::Owner)
    };
    let other_text = record("0a0a0a0a", "Likes coffee", Origin::System);
    let known = ledger(&[
        record("0a0a0a0a", "Likes tea", Origin::Untrusted),
        other_text,
        elsewhere,
    ]);
    let line = "- Likes tea ^0a0a0a0a";
    assert_eq!(read(&known, LOG, line).0, Some(Origin::Untrusted));
    assert_eq!(read(&known, "MEMORY.md", line).0, Some(Origin::Owner));
    assert_eq!(
        read(&known, LOG, "- Likes coffee ^0a0a0a0a").0,
        Some(Origin::System)
    );
}

#[test]
fn unwritten_records_are_found_with_stored_records() {
    let known = ledger(&[record("0a0a0a0a", "Likes tea", Origin::Untrusted)]);
    let both = known.with(&[record("0b0b0b0b", "Likes rye", Origin::System)]);
    for (line, origin) in [
        ("- Likes tea ^0a0a0a0a", Origin::Untrusted),
        ("- Likes rye ^0b0b0b0b", Origin::System),
    ] {
        assert_eq!(read(&both, LOG, line).0, Some(origin), "{line}");
    }
    let text = "- Likes tea ^0a0a0a0a\n- Likes rye ^0b0b0b0b\n";
    let (written, records) = known.written(LOG, &both.read(LOG, text));
    assert_eq!(written, text);
    assert_eq!(records, [record("0b0b0b0b", "Likes rye", Origin::System)]);
}

#[test]
fn damaged_ledger_line_loses_only_its_own_record() {
    let lines: Vec<String> = [
        ("0a0a0a0a", "one"),
        ("0b0b0b0b", "two"),
        ("0c0c0c0c", "three"),
    ]
    .iter()
    .map(|(id, text)| record(id, text, Origin::Owner).line())
    .collect();
    let bytes = [
        &lines[0],
        "{\"id\":\"0b0b\n",
        &lines[2],
        "{\"id\":\"0d0d0d0d\",\"fi",
    ]
    .concat();
    let known = Ledger::of(bytes.into_bytes());
    assert_eq!(known.n_damaged(), 1);
    assert_eq!(read(&known, LOG, "- one ^0a0a0a0a").0, Some(Origin::Owner));
    assert_eq!(read(&known, LOG, "- two ^0b0b0b0b").0, Some(Origin::Agent));
    assert_eq!(
        read(&known, LOG, "- three ^0c0c0c0c").0,
        Some(Origin::Owner)
    );
}

/// A workspace whose log has a block and whose memory has a line.
fn written() -> (MemoryDisk, Workspace) {
    let disk = MemoryDisk::new();
    let workspace = workspace(std::sync::Arc::new(disk.clone()));
    let mut block = kit::block(&[("User Preferences", "Wants short answers")]);
    block.sections[0].1[0].origin = Origin::Owner;
    write_block(&workspace, &block, Tz::UTC).unwrap();
    (disk, workspace)
}

#[test]
fn lost_ledger_loses_origins_but_no_lines() {
    let (disk, workspace) = written();
    let text = text_at(&disk, "/home/workspace/memory/2026-04-20.md");
    let items = |workspace: &Workspace| {
        let items = workspace.log_items("2026-04-20".parse().unwrap()).unwrap();
        items
            .into_iter()
            .map(|it| (it.text, it.origin))
            .collect::<Vec<_>>()
    };
    let said = "Wants short answers".to_owned();
    assert_eq!(items(&workspace), [(said.clone(), Origin::Owner)]);
    assert_eq!(ledger_state(&workspace).unwrap(), LedgerState::default());
    disk.remove(Path::new(RECORDS)).unwrap();
    assert_eq!(items(&workspace), [(said, Origin::Agent)]);
    assert_eq!(ledger_state(&workspace).unwrap().n_unknown, 1);
    assert_eq!(text_at(&disk, "/home/workspace/memory/2026-04-20.md"), text);
}

#[test]
fn torn_record_is_cut_off_by_the_next_commit() {
    let (disk, workspace) = written();
    let whole = text_at(&disk, RECORDS);
    append(&disk, Path::new(RECORDS), b"{\"id\":\"0a0a0a0a\",\"fi").unwrap();
    let own = record("0b0b0b0b", "Likes tea", Origin::Agent);
    workspace
        .commit_records(std::slice::from_ref(&own))
        .unwrap();
    assert_eq!(text_at(&disk, RECORDS), format!("{whole}{}", own.line()));
}

#[test]
fn record_is_durable_before_its_line() {
    let start = MemoryDisk::new();
    let add = |disk: CrashDisk| {
        let workspace = Workspace::new(std::sync::Arc::new(disk), HomeLayout::new("/home"));
        let note = Note {
            text: "Rent the small hall".to_owned(),
            evidence: Vec::new(),
            origin: Origin::Untrusted,
        };
        let at = "2026-04-20T12:05:00Z".parse().unwrap();
        add_note(&workspace, (&note, &AddedUnder::default()), at, Tz::UTC)
    };
    let whole = CrashDisk::new(&start, u64::MAX);
    add(whole.clone()).unwrap();
    for moment in 0..whole.n_moments() {
        let disk = CrashDisk::new(&start, moment);
        add(disk.clone()).unwrap_err();
        for unsynced in [Unsynced::Kept, Unsynced::Lost] {
            let found = disk.after_crash(unsynced);
            let log = Path::new("/home/workspace/memory/2026-04-20.md");
            let log = found.snapshot().remove(log).unwrap_or_default();
            let has_line = String::from_utf8_lossy(&log).contains(" ^");
            let records = text_if_there(&found, RECORDS).unwrap_or_default();
            assert!(
                !has_line || records.ends_with("}\n"),
                "moment {moment}: {records}"
            );
        }
    }
}

/// The output of every reader for a log and a memory file with these records.
fn everything(workspace: &Workspace) -> String {
    let mut found = Vec::new();
    for path in [LOG, "MEMORY.md"] {
        let path = path.parse().unwrap();
        let text = crate::file_lines::read(workspace, &path).unwrap();
        let read = workspace.read_note(path.as_str(), &text);
        crate::notes::cut_note(&read, &mut |it| {
            found.push(format!("{} {}\n", it.origin, it.text));
        });
        let readable = read.readable();
        let shown = readable.lines().filter(|line| !line.trim().is_empty());
        found.push(format!("{}\n", shown.collect::<Vec<_>>().join("\n")));
        let known = crate::lines_known_from(workspace, &path)
            .unwrap()
            .into_iter();
        let session = |(lines, session): (LineRange, String)| {
            format!("{session}: {}", read.line(lines.start).unwrap().text())
        };
        let mut known: Vec<String> = known.map(session).collect();
        known.dedup();
        found.push(format!("{known:#?}\n"));
    }
    for item in workspace.log_items("2026-04-20".parse().unwrap()).unwrap() {
        let item = crate::LogItem { line: 0, ..item };
        found.push(format!("{item:?}\n"));
    }
    let memory = OpenMemory::open(workspace).unwrap();
    for line in memory_lines(memory.text()) {
        found.push(format!(
            "{:?} {} {:?}\n",
            line.section, line.text, line.owner
        ));
    }
    drop(memory);
    for text in [
        "Tea in the morning",
        "Tokens live 15 minutes",
        "The boat leaks.",
    ] {
        let tombstone = crate::forget::test_kit::tombstone(text, &[("e1", 3)]);
        crate::add_tombstone(workspace, tombstone.clone()).unwrap();
        let known = crate::load_tombstones(workspace).unwrap();
        let left = crate::left_standing(workspace, &known).into_iter();
        let left = left.map(|(path, text)| format!("{path}: {text}"));
        found.push(format!("{:#?}\n", left.collect::<Vec<_>>()));
        let hidden = crate::plan_hidden_lines(workspace, &tombstone)
            .lines
            .into_iter();
        let hidden = hidden.map(|line| format!("{}: {}", line.path, line.text));
        found.push(format!("{:#?}\n", hidden.collect::<Vec<_>>()));
    }
    found.join("\n")
}

/// The golden home of a format; it is never edited.
fn golden(version: &str) -> (MemoryDisk, Workspace) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let root = root.join(version);
    let disk = MemoryDisk::new();
    for (from, to) in [
        ("daily_log.md", "workspace/memory/2026-04-20.md"),
        (
            "workspace/memory/2026-04-20.md",
            "workspace/memory/2026-04-20.md",
        ),
        ("workspace/MEMORY.md", "workspace/MEMORY.md"),
        ("state/notes.jsonl", "state/notes.jsonl"),
    ] {
        let read = base::disk::read_some(&base::disk::OsDisk, &root.join(from), 1 << 20).unwrap();
        if let Some(bytes) = read {
            let to = Path::new("/home").join(to);
            base::disk::create_parent(&disk, &to).unwrap();
            base::disk::replace(&disk, &to, &bytes).unwrap();
        }
    }
    let workspace = workspace(std::sync::Arc::new(disk.clone()));
    (disk, workspace)
}

#[test]
fn homes_of_all_formats_are_read_alike() {
    let [first, second, third] = ["v1", "v2", "v3"].map(|version| everything(&golden(version).1));
    assert!(third.contains("owner - Wants short answers"), "{third}");
    assert_eq!(first, third, "format 1");
    assert_eq!(second, third, "format 2");
}

#[test]
fn earlier_format_file_is_migrated_by_its_first_change() {
    let (third, _) = golden("v3");
    let memory = |disk: &MemoryDisk| text_at(disk, "/home/workspace/MEMORY.md");
    let line = new_line("dd44", "I sing on Mondays");
    let edits = [Edit::Add {
        section: "Facts".to_owned(),
        line,
    }];
    let change = |workspace: &Workspace| {
        let mut open = OpenMemory::open(workspace).unwrap();
        let after = edited(open.text(), &edits);
        let change = crate::curated::MemoryChange {
            id: open.next_id().unwrap(),
            at: "2026-04-21T09:00:00Z".parse().unwrap(),
            cause: "a test",
            candidates: &[],
        };
        open.write(&after, change).unwrap();
    };
    change(&golden("v3").1);
    let expected = {
        let (disk, workspace) = golden("v3");
        change(&workspace);
        memory(&disk)
    };
    assert_ne!(memory(&third), expected);
    for version in ["v1", "v2"] {
        let (disk, workspace) = golden(version);
        let before = memory(&disk);
        change(&workspace);
        assert_eq!(memory(&disk), expected, "{version}");
        assert!(!expected.contains("<!--"), "{expected}");
        // The undo is byte for byte.
        let mut open = OpenMemory::open(&workspace).unwrap();
        let preimage = open.undoable().unwrap();
        open.undo(&preimage).unwrap();
        assert_eq!(memory(&disk), before);
    }
}

#[test]
fn records_of_earlier_version_are_migrated() {
    let (disk, workspace) = golden("v2");
    let path = Path::new("/home/workspace/MEMORY.md");
    let text = text_at(&disk, path);
    let (bare, comment) = text.split_once("\n<!-- notes").unwrap();
    let replace =
        |path: &Path, text: &str| base::disk::replace(&disk, path, text.as_bytes()).unwrap();
    replace(path, bare);
    base::disk::create_parent(&disk, Path::new(RECORDS)).unwrap();
    let copy = Path::new("/home/state/memory-records");
    replace(copy, &format!("<!-- notes{comment}"));
    let mut open = OpenMemory::open(&workspace).unwrap();
    let ids = |text: &MemoryText| -> Vec<String> {
        let lines = memory_lines(text).into_iter();
        lines
            .filter_map(|line| line.id().map(str::to_owned))
            .collect()
    };
    assert_eq!(ids(open.text()), ["c7f3", "ab12", "dd01"]);
    let after = edited(open.text(), &[Edit::Remove("c7f3".to_owned())]);
    let change = crate::curated::MemoryChange {
        id: open.next_id().unwrap(),
        at: "2026-04-21T09:00:00Z".parse().unwrap(),
        cause: "a test",
        candidates: &[],
    };
    open.write(&after, change).unwrap();
    drop(open);
    disk.remove(copy).unwrap();
    let workspace = crate::workspace_kit::workspace(std::sync::Arc::new(disk));
    let open = OpenMemory::open(&workspace).unwrap();
    assert_eq!(ids(open.text()), ["ab12", "dd01"]);
}

#[test]
fn duplicate_memory_line_gets_its_own_mark() {
    let (disk, workspace) = written();
    let add = |id: &str| Edit::Add {
        section: "Facts".to_owned(),
        line: new_line(id, "I prefer tea"),
    };
    let mut open = OpenMemory::open(&workspace).unwrap();
    let after = edited(open.text(), &[add("aa11"), add("bb22")]);
    let change = crate::curated::MemoryChange {
        id: open.next_id().unwrap(),
        at: "2026-04-21T09:00:00Z".parse().unwrap(),
        cause: "a test",
        candidates: &[],
    };
    open.write(&after, change).unwrap();
    let ids: Vec<_> = memory_lines(open.text())
        .iter()
        .filter_map(|line| line.id().map(str::to_owned))
        .collect();
    assert_eq!(ids, ["aa11", "bb22"]);
    let text = text_at(&disk, "/home/workspace/MEMORY.md");
    assert!(
        text.contains(&format!("- I prefer tea ^{}\n", short_hash("I prefer tea"))),
        "{text}"
    );
    assert!(!text.contains("<!--"), "{text}");
}

#[test]
fn edited_program_line_has_owner_origin_and_is_unchanged() {
    let (disk, workspace) = written();
    let path = Path::new("/home/workspace/MEMORY.md");
    let line = new_line("aa11", "I prefer tea");
    let mut open = OpenMemory::open(&workspace).unwrap();
    let add = |section: &str, line| Edit::Add {
        section: section.to_owned(),
        line,
    };
    let change = |open: &mut OpenMemory<'_>, edits: &[Edit]| {
        let after = edited(open.text(), edits);
        let change = crate::curated::MemoryChange {
            id: open.next_id().unwrap(),
            at: "2026-04-21T09:00:00Z".parse().unwrap(),
            cause: "a test",
            candidates: &[],
        };
        open.write(&after, change).unwrap();
    };
    change(&mut open, &[add("Facts", line)]);
    drop(open);
    let text = text_at(&disk, path).replace("- I prefer tea ^", "-  I prefer coffee  ^");
    base::disk::replace(&disk, path, text.as_bytes()).unwrap();
    let mut open = OpenMemory::open(&workspace).unwrap();
    assert_eq!(memory_lines(open.text())[0].owner, LineOwner::Owner);
    assert_eq!(memory_lines(open.text())[0].text, "I prefer coffee");
    change(
        &mut open,
        &[add("Facts", new_line("bb22", "I live in Graz"))],
    );
    assert!(
        text_at(&disk, path).starts_with(&text),
        "{}",
        text_at(&disk, path)
    );
}

proptest! {
    #[test]
    fn i9_owners_lines_never_change_for_any_memory_text(
        own in prop::collection::vec("(?s)[-* ]{0,3}[a-z ^>!0-9é日-]{0,30}", 0..6),
        end in prop::sample::select(vec!["\n", "\r\n"]),
        text in "(?s).{1,30}",
    ) {
        prop_assume!(!crate::prepared_line(&text).is_empty());
        let before = own.join(end);
        let disk = MemoryDisk::new();
        let path = Path::new("/home/workspace/MEMORY.md");
        base::disk::create_parent(&disk, path).unwrap();
        base::disk::replace(&disk, path, before.as_bytes()).unwrap();
        let workspace = workspace(std::sync::Arc::new(disk.clone()));
        let mut open = OpenMemory::open(&workspace).unwrap();
        let add = |id: &str, text: &str| Edit::Add { section: "Facts".to_owned(), line: new_line(id, text) };
        let after = edited(open.text(), &[add("c7f3", &text), add("aa11", "x")]);
        let change = crate::curated::MemoryChange {
            id: open.next_id().unwrap(),
            at: "2026-04-21T09:00:00Z".parse().unwrap(),
            cause: "a test",
            candidates: &[],
        };
        open.write(&after, change).unwrap();
        prop_assert_eq!(open.text().readable(), after.readable());
        let written = text_at(&disk, path);
        let mut left = written.lines();
        for line in before.lines() {
            prop_assert!(left.any(|found| found == line), "{before:?}\n{written:?}");
        }
        let preimage = open.undoable().unwrap();
        open.undo(&preimage).unwrap();
        prop_assert_eq!(text_at(&disk, path), before);
    }

    #[test]
    fn i16_ledger_reads_any_text_and_keeps_line_numbers(text in "(?s)(- [a-z]{0,3} \\^[0-9a-f]{7,9}|<!-- notes( \\^[0-9a-f]{8} [a-z:]{0,9})?( -->)?|<!-- /flush 0c2394e2 (-->)?|<!-- flush session=s epoch=2 span=a..b -->|\r?\n|.){0,12}") {
        let known = ledger(&[record("0a0a0a0a", "x", Origin::Agent)]);
        let text = format!("{text}\n");
        let read = known.read(LOG, &text);
        prop_assert_eq!(read.lines().len(), lines(&text).len());
        prop_assert_eq!(read.raw(), &*text);
        memory_lines(&read);
        let taken = known.taken_over(LOG, text.as_bytes(), &BTreeSet::new());
        let known = ledger(&known.all().chain(taken.records).collect::<Vec<_>>());
        let again = known.taken_over(LOG, &taken.bytes, &BTreeSet::new());
        prop_assert_eq!(again.bytes, taken.bytes);
    }
}
