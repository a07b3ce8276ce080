//! A block is written exactly once, whatever happens to the machine, the disk or the log in between.

use std::sync::Arc;

use base::disk::{Crash, CrashDisk, DiskOperation, HookedDisk, MemoryDisk, OsDisk, Unsynced};
use base::test_kit::Words;
use base::{Disk, HomeLayout};
use proptest::prelude::*;

use super::super::BlockKind;
use super::super::kit::block;
use super::*;
use crate::workspace_kit::text_at;

const LOG: &str = "/home/workspace/memory/2026-04-20.md";

fn workspace(disk: impl Disk + 'static) -> Workspace {
    Workspace::new(Arc::new(disk), HomeLayout::new("/home"))
}

fn write(disk: impl Disk + 'static, block: &FlushBlock) -> Result<BlockReport, LogError> {
    write_block(&workspace(disk), block, Tz::UTC)
}

/// A disk whose log of the day holds `text`; without a text there is no log.
fn disk_with(text: Option<&str>) -> MemoryDisk {
    let files = text.map(|text| (PathBuf::from(LOG), text.as_bytes().to_vec()));
    MemoryDisk::from_snapshot(files.into_iter().collect())
}

fn log_of(disk: &MemoryDisk) -> String {
    let bytes = disk.snapshot().remove(Path::new(LOG)).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn sample() -> FlushBlock {
    block(&[("Task Progress", "one é|two"), ("Issues Found", "three")])
}

/// The same flush after a restart, when another engine answers.
fn other_answer() -> FlushBlock {
    block(&[("User Preferences", "four"), ("Issues Found", "three")])
}

/// The texts of the notes of ours in the log, with the records on the disk.
fn notes_of(disk: &MemoryDisk) -> Vec<String> {
    let day = "2026-04-20".parse().unwrap();
    let items = workspace(disk.copy()).log_items(day).unwrap();
    let ours = items.into_iter().filter(|item| item.id.is_some());
    ours.map(|item| item.text).collect()
}

/// The log holds the notes of one attempt, each once, and the owner's lines in their order.
#[track_caller]
fn check_log(disk: &MemoryDisk, owner: &[&str], context: &str) {
    let text = log_of(disk);
    // A note that stood already stays above those of the second attempt.
    let tries = [
        &["one é", "two", "three"][..],
        &["four", "three"],
        &["three", "four"],
    ];
    let found = notes_of(disk);
    assert!(
        tries.iter().any(|own| found == *own),
        "{context}: {found:?}\n{text}"
    );
    assert!(!text.contains("<!--"), "{context}\n{text}");
    check_owner(&text, owner, context);
}

#[track_caller]
fn check_owner(text: &str, owner: &[&str], context: &str) {
    let mut lines = text.lines();
    for wanted in owner {
        assert!(
            lines.any(|line| line == *wanted),
            "{wanted:?} is gone: {context}\n{text}"
        );
    }
}

/// Crashes at every moment of a first write, edits the log that is found, and writes again.
fn at_every_crash(start: Option<&str>, again: &FlushBlock, owner: &[&str]) {
    let start = disk_with(start);
    let crashes = CrashDisk::crashes(&start, |disk| write(disk, &sample()));
    for Crash {
        done, found, when, ..
    } in crashes
    {
        let context = format!("{when}, {done:?}");
        let second = write(found.clone(), again).unwrap();
        if done.is_ok() {
            assert_eq!(second.outcome, BlockOutcome::AlreadyThere, "{context}");
        }
        check_log(&found, owner, &context);
    }
}

#[test]
fn i4_retry_after_crash_at_any_byte_leaves_one_block() {
    for again in [sample(), other_answer()] {
        at_every_crash(None, &again, &["# 2026-04-20"]);
        at_every_crash(Some("mine\n"), &again, &["mine"]);
        at_every_crash(Some("mine\nyes"), &again, &["mine", "yes"]);
        at_every_crash(Some("# 2026-04-20\r\n\r\nmine\r\n"), &again, &["mine"]);
    }
}

/// A disk with the records of a block and half of its first note.
fn torn() -> MemoryDisk {
    let disk = disk_with(Some("mine\n"));
    write(disk.clone(), &sample()).unwrap();
    let text = log_of(&disk);
    let end = text.find("- two").unwrap();
    replace(&disk, Path::new(LOG), &text.as_bytes()[..end + 4]).unwrap();
    disk
}

#[test]
fn i4_crash_during_repair_leaves_one_block() {
    let torn = torn();
    let report = write(torn.copy(), &other_answer()).unwrap();
    assert!(report.quarantined.is_some());
    let crashes = CrashDisk::crashes(&torn, |disk| write(disk, &other_answer()));
    for Crash {
        done, found, when, ..
    } in crashes
    {
        write(found.clone(), &sample()).unwrap();
        check_log(&found, &["mine"], &format!("{when}, {done:?}"));
    }
}

#[test]
fn i4_full_disk_at_any_byte_leaves_one_block_after_retry() {
    let start = disk_with(Some("mine\n"));
    let whole = CrashDisk::new(&start, u64::MAX);
    write(whole.clone(), &sample()).unwrap();
    for moment in 0..whole.n_moments() {
        let disk = CrashDisk::full(&start, moment);
        let error = write(disk.clone(), &sample()).unwrap_err();
        assert!(
            matches!(error, LogError::File(FileError::Disk(_))),
            "{error}"
        );
        let found = disk.after_crash(Unsynced::Kept);
        write(found.clone(), &other_answer()).unwrap();
        check_log(&found, &["mine"], &format!("moment {moment}"));
    }
}

/// Groups of lines that an owner may write anywhere, including difficult ones.
const OWNERS: [&[&str]; 8] = [
    &["plain words"],
    &["- call mum"],
    &["**Issues Found:**", "- of my own"],
    &["", "## 09:00 \u{2014} Dentist", ""],
    &["日記 🙂"],
    &["<!-- a comment -->"],
    &["> quoted", "", "", "# 2026-04-20"],
    &["## 10:00 \u{2014} Session Notes", "by hand"],
];

proptest! {
    /// The owner writes into the log between a crash and the next attempt.
    #[test]
    fn i4_text_written_by_owner_meanwhile_stays(
        texts in prop::collection::vec("[a-zé日🙂 .*-]{1,20}", 1..5),
        before in prop::sample::select(vec![None, Some("mine\n"), Some("mine"), Some("a\r\nmine\r\n")]),
        progress in any::<prop::sample::Index>(),
        unsynced in prop::sample::select(vec![Unsynced::Kept, Unsynced::Lost]),
        edits in prop::collection::vec((0..OWNERS.len(), any::<prop::sample::Index>()), 0..4),
        is_same_answer in any::<bool>(),
    ) {
        let start = disk_with(before);
        let first = block(&[("Task Progress", &texts.join("|")), ("Issues Found", "last")]);
        let whole = CrashDisk::new(&start, u64::MAX);
        let report = write(whole.clone(), &first).unwrap();
        prop_assert_eq!(report.outcome, BlockOutcome::Written);
        let moments: Vec<u64> = (0..whole.n_moments()).collect();
        let disk = CrashDisk::new(&start, *progress.get(&moments));
        write(disk.clone(), &first).unwrap_err();

        let found = disk.after_crash(unsynced);
        let bytes = found.snapshot().remove(Path::new(LOG)).unwrap_or_default();
        let mut lines: Vec<Vec<u8>> = bytes
            .split_inclusive(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
        let mut wanted: Vec<(usize, &str)> = Vec::new();
        for (owner, place) in edits {
            let at = place.index(lines.len() + 1);
            if let Some(last) = at.checked_sub(1).filter(|last| !lines[*last].ends_with(b"\n")) {
                lines[last].push(b'\n');
            }
            let group = OWNERS[owner];
            wanted.iter_mut().filter(|(line, _)| *line >= at).for_each(|(line, _)| *line += group.len());
            for (offset, line) in group.iter().enumerate() {
                lines.insert(at + offset, format!("{line}\n").into_bytes());
                wanted.push((at + offset, line));
            }
        }
        wanted.sort_unstable();
        let owner: Vec<&str> = wanted.iter().map(|(_, line)| *line).filter(|line| !line.is_empty()).collect();
        if !lines.is_empty() {
            found.create_dir(Path::new("/home/workspace/memory")).unwrap();
            replace(&found, Path::new(LOG), &lines.concat()).unwrap();
        }
        let again = if is_same_answer { first.clone() } else { other_answer() };
        let report = write(found.clone(), &again).unwrap();
        let text = log_of(&found);
        let n_blocks = usize::from(report.outcome != BlockOutcome::Nothing);
        check_owner(&text, &owner, "");
        let marks: Vec<&str> = text.lines().filter_map(|line| Some(crate::note::marked(line)?.1)).collect();
        let unique: std::collections::BTreeSet<&str> = marks.iter().copied().collect();
        prop_assert_eq!(unique.len(), marks.len(), "{}", text);
        prop_assert!(before.is_none() || text.contains("mine"));
        // Whatever is not in the block is said by what the owner kept.
        // After a crash in the very last bytes that is the first answer.
        let told = if report.outcome == BlockOutcome::AlreadyThere { &first } else { &again };
        for note in told.sections.iter().flat_map(|(_, notes)| notes) {
            let said = crate::note::prepare(&note.text).trim_end_matches('.').to_lowercase();
            prop_assert!(text.to_lowercase().contains(&said), "{said:?}\n{text}");
        }

        let done = write(found.clone(), &again).unwrap();
        let expected = match n_blocks {
            0 => BlockOutcome::Nothing,
            _ => BlockOutcome::AlreadyThere,
        };
        prop_assert_eq!(done.outcome, expected);
        prop_assert_eq!(log_of(&found), text);
    }
}

#[test]
fn i4_existing_block_is_only_synced() {
    let disk = disk_with(None);
    write(disk.clone(), &sample()).unwrap();
    let text = log_of(&disk);
    // Its writer may have died before the sync: file and directory, one moment each.
    let again = CrashDisk::new(&disk, u64::MAX);
    let report = BlockReport {
        outcome: BlockOutcome::AlreadyThere,
        log: "memory/2026-04-20.md".parse().unwrap(),
        n_notes: 0,
        quarantined: None,
    };
    assert_eq!(write(again.clone(), &other_answer()).unwrap(), report);
    assert_eq!(
        (
            again.n_moments(),
            log_of(&again.after_crash(Unsynced::Kept))
        ),
        (2, text)
    );
    let span = sample().span;
    let confirm = |disk: CrashDisk, session: &str| {
        confirm_block(
            &workspace(disk),
            &report.log,
            &SessionId::new(session),
            &span,
        )
        .unwrap()
    };
    assert!(confirm(again.clone(), "s"));
    assert_eq!(again.n_moments(), 4);
    assert!(!confirm(again.clone(), "t"));
    assert_eq!(again.n_moments(), 4);
}

#[test]
fn block_without_new_notes_writes_no_file() {
    let disk = disk_with(Some("- One é\n- two\n- three.\n"));
    let before = disk.snapshot();
    for block in [sample(), block(&[])] {
        let report = write(disk.clone(), &block).unwrap();
        assert_eq!((report.outcome, report.n_notes), (BlockOutcome::Nothing, 0));
    }
    let mut after = disk.snapshot();
    after.remove(Path::new("/home/state/locks/@daily-log.lock"));
    assert_eq!(after, before);
}

#[test]
fn second_writer_fails_while_logs_are_locked() {
    let disk = disk_with(Some("mine\n"));
    let lock = workspace(disk.clone()).lock_logs().unwrap();
    let before = disk.snapshot();
    let error = write(disk.clone(), &sample()).unwrap_err();
    let process = std::process::id();
    assert_eq!(
        error.to_string(),
        format!("the daily logs are locked by process {process}")
    );
    assert_eq!(disk.snapshot(), before);
    drop(lock);
    write(disk, &sample()).unwrap();
}

#[test]
fn failed_sync_stops_all_later_writes() {
    let start = disk_with(Some("mine\n"));
    let whole = CrashDisk::new(&start, u64::MAX);
    write(whole.clone(), &sample()).unwrap();
    let (mut n_poisoned, mut n_open) = (0, 0);
    for moment in 2..whole.n_moments() {
        let workspace = workspace(CrashDisk::new(&start, moment));
        let first = write_block(&workspace, &sample(), Tz::UTC).unwrap_err();
        let second = write_block(&workspace, &sample(), Tz::UTC).unwrap_err();
        match (first, second) {
            (LogError::File(FileError::Disk(first)), LogError::File(FileError::Poisoned(_)))
                if first.act.starts_with("sync") =>
            {
                n_poisoned += 1;
            }
            (LogError::File(FileError::Disk(first)), LogError::File(FileError::Disk(_)))
                if first.act != "sync" =>
            {
                n_open += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    // Of the records, of their new folder and of the log.
    assert!(n_poisoned == 3 && n_open > 100, "{n_poisoned} {n_open}");
}

#[test]
fn i12_block_is_written_to_log_of_owners_day() {
    let at_night = FlushBlock {
        at: "2026-04-20T23:30:00Z".parse().unwrap(),
        ..sample()
    };
    for (timezone, log, time) in [
        ("UTC", "memory/2026-04-20.md", "23:30"),
        ("Europe/Berlin", "memory/2026-04-21.md", "01:30"),
        ("America/New_York", "memory/2026-04-20.md", "19:30"),
    ] {
        let timezone = Tz::named(timezone).unwrap();
        let disk = disk_with(None);
        let report = write_block(&workspace(disk.clone()), &at_night, timezone).unwrap();
        assert_eq!((report.log.as_str(), report.n_notes), (log, 3));
        let written = text_at(&disk, Path::new("/home/workspace").join(log));
        let day = log.trim_start_matches("memory/").trim_end_matches(".md");
        written.begins(&format!("# {day}\n\n## {time} \u{2014} "));
    }
}

#[test]
fn log_deleted_by_owner_is_recreated() {
    let disk = disk_with(None);
    write(disk.clone(), &sample()).unwrap();
    disk.remove(Path::new(LOG)).unwrap();
    let report = write(disk.clone(), &sample()).unwrap();
    assert_eq!(report.outcome, BlockOutcome::Written);
    check_log(&disk, &["# 2026-04-20"], "");
}

#[test]
fn log_with_unfinished_block_is_kept_in_quarantine() {
    let disk = torn();
    let found = log_of(&disk);
    let report = write(disk.clone(), &other_answer()).unwrap();
    let kept = report.quarantined.unwrap();
    assert_eq!(kept.parent(), Some(Path::new("/home/state/quarantine")));
    assert_eq!(disk.snapshot().remove(&kept).unwrap(), found.as_bytes());
    check_log(&disk, &["mine"], "");
}

#[test]
fn logs_that_differ_in_invalid_bytes_are_quarantined_separately() {
    let kept = [b'\xfe', b'\xff'].map(|invalid| {
        let disk = torn();
        let found = [&[invalid, b'\n'][..], log_of(&disk).as_bytes()].concat();
        replace(&disk, Path::new(LOG), &found).unwrap();
        write(disk, &other_answer()).unwrap().quarantined.unwrap()
    });
    assert_ne!(kept[0], kept[1]);
}

#[test]
fn log_above_size_limit_is_rejected() {
    let large = "x".repeat(usize::try_from(LOG_BYTES_MAX).unwrap());
    for text in [large.clone(), format!("{large}x")] {
        let disk = disk_with(Some(&text));
        let error = write(disk.clone(), &sample()).unwrap_err();
        assert!(
            matches!(error, LogError::File(FileError::TooLarge { .. })),
            "{error}"
        );
        assert_eq!(log_of(&disk).len(), text.len());
    }
    let error = check_length(&"memory/2026-04-20.md".parse().unwrap(), 9_000_000);
    assert_eq!(
        error.unwrap_err().to_string(),
        "memory/2026-04-20.md takes 9000000 bytes; the limit is 8388608"
    );
}

/// A workspace on the real disk and a directory next to it.
fn real_workspace() -> (tempfile::TempDir, Workspace, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    OsDisk.create_dir(&path("workspace/memory")).unwrap();
    OsDisk.create_dir(&path("outside")).unwrap();
    let workspace = Workspace::new(Arc::new(OsDisk), HomeLayout::new(home.path()));
    let outside = path("outside");
    (home, workspace, outside)
}

#[test]
fn log_linked_outside_workspace_is_rejected() {
    use std::os::unix::fs::symlink;
    let (home, workspace, outside) = real_workspace();
    let memory = home.path().join("workspace/memory");
    let log = memory.join("2026-04-20.md");
    append(&OsDisk, &outside.join("there"), b"theirs").unwrap();
    for target in ["there", "not there"] {
        symlink(outside.join(target), &log).unwrap();
        let error = write_block(&workspace, &sample(), Tz::UTC).unwrap_err();
        assert!(
            matches!(error, LogError::File(FileError::Outside(..))),
            "{error}"
        );
        OsDisk.remove(&log).unwrap();
    }
    OsDisk.rename(&memory, &outside.join("memory")).unwrap();
    symlink(outside.join("memory"), &memory).unwrap();
    let error = write_block(&workspace, &sample(), Tz::UTC).unwrap_err();
    assert!(
        matches!(error, LogError::File(FileError::Outside(..))),
        "{error}"
    );
    assert_eq!(
        OsDisk.list(&outside.join("memory")).unwrap(),
        Vec::<PathBuf>::new()
    );
    assert_eq!(
        read_all(&OsDisk, &outside.join("there"), 99).unwrap(),
        b"theirs"
    );
}

#[test]
fn log_behind_link_inside_workspace_keeps_link() {
    let (home, workspace, _) = real_workspace();
    let log = home.path().join("workspace/memory/2026-04-20.md");
    let target = home.path().join("workspace/today.md");
    std::os::unix::fs::symlink("../today.md", &log).unwrap();
    append(&OsDisk, &target, b"mine\n").unwrap();
    write_block(&workspace, &sample(), Tz::UTC).unwrap();
    let text = String::from_utf8(read_all(&OsDisk, &target, LOG_BYTES_MAX).unwrap()).unwrap();
    let (half, _) = text.split_once("wo ^").unwrap();
    replace(&OsDisk, &target, half.as_bytes()).unwrap();
    let report = write_block(&workspace, &other_answer(), Tz::UTC).unwrap();
    assert!(report.quarantined.is_some());
    let text = String::from_utf8(read_all(&OsDisk, &target, LOG_BYTES_MAX).unwrap()).unwrap();
    assert!(
        text.starts_with("mine\n") && text.contains("- four ^"),
        "{text}"
    );
    assert!(!text.contains("one é"), "{text}");
    assert!(std::fs::symlink_metadata(&log).unwrap().is_symlink());
}

#[test]
fn text_that_an_editor_saved_meanwhile_is_never_overwritten() {
    let disk = torn();
    let before = log_of(&disk);
    let owner = disk.clone();
    // The owner saves the log at the moment when its old state goes into quarantine.
    let saved = HookedDisk::before(disk.clone(), move |operation| {
        if let DiskOperation::Append(path, _) = operation
            && path.starts_with("/home/state/quarantine")
        {
            owner.append(Path::new(LOG), b"saved\n")?;
        }
        Ok(())
    });
    let error = write(saved, &other_answer()).unwrap_err();
    assert!(
        matches!(error, LogError::File(FileError::Changed(_))),
        "{error}"
    );
    assert_eq!(log_of(&disk), format!("{before}saved\n"));
}

/// The golden files of the formats; they are never edited.
#[test]
fn logs_of_all_formats_read_alike_and_format_3_is_written() {
    let golden = include_str!("../../../../tests/fixtures/v3/workspace/memory/2026-04-20.md");
    let records = include_str!("../../../../tests/fixtures/v3/state/notes.jsonl");
    let disk = disk_with(Some("# 2026-04-20\n\nDentist at nine.\n"));
    let mut morning = block(&[
        (
            "Task Progress",
            "Refresh tokens are signed; café.ts is left",
        ),
        ("User Preferences", "Wants short answers"),
    ]);
    morning.sections[1].1[0].origin = base::Origin::Owner;
    let berlin = Tz::named("Europe/Berlin").unwrap();
    write_block(&workspace(disk.clone()), &morning, berlin).unwrap();
    let evening = FlushBlock {
        span: (EntryId::new("f1"), EntryId::new("f7")),
        epoch: 3,
        kind: BlockKind::SessionNotes,
        at: "2026-04-20T19:05:00Z".parse().unwrap(),
        ..block(&[
            ("Important Decisions", "Tokens live 15 minutes"),
            ("User Preferences", "wants short answers"),
        ])
    };
    let report = write_block(&workspace(disk.clone()), &evening, berlin).unwrap();
    assert_eq!(report.n_notes, 1);
    assert_eq!(log_of(&disk), golden);
    let ledger = disk.snapshot().remove(Path::new("/home/state/notes.jsonl"));
    let written = String::from_utf8(ledger.unwrap()).unwrap();
    assert!(records.starts_with(&written), "{written}");
    // What an earlier version wrote is not written again, nor changed.
    for older in [
        include_str!("../../../../tests/fixtures/v1/daily_log.md"),
        include_str!("../../../../tests/fixtures/v2/daily_log.md"),
    ] {
        let disk = disk_with(Some(older));
        for block in [&morning, &evening] {
            let again = write_block(&workspace(disk.clone()), block, berlin).unwrap();
            assert_eq!(again.outcome, BlockOutcome::AlreadyThere);
        }
        assert_eq!(log_of(&disk), older);
        // The first note that is added takes the log over.
        let note = crate::Note {
            text: "Tea at five".into(),
            evidence: Vec::new(),
            origin: base::Origin::Owner,
        };
        let at = "2026-04-20T19:30:00Z".parse().unwrap();
        let under = crate::AddedUnder::default();
        crate::add_note(&workspace(disk.clone()), (&note, &under), at, berlin).unwrap();
        let expected = format!("{golden}\n## 21:30 \u{2014} Note\n\n- Tea at five\n");
        assert_eq!(log_of(&disk), expected);
        let ledger = disk.snapshot().remove(Path::new("/home/state/notes.jsonl"));
        assert_eq!(String::from_utf8(ledger.unwrap()).unwrap(), written);
    }
}
