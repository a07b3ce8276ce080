//! Tests of the index on disk: crashes between its halves, damage, readers alongside a writer.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests damage files on purpose"
)]

use std::fs;
use std::io::ErrorKind;

use base::disk::{DiskError, DiskOperation, HookedDisk, OsDisk};

use super::*;
use crate::index::IndexError;
use crate::notes_kit::{Home, copy, now};
use crate::rank::{SearchOptions, search};
use crate::sync::{difference, sync};

#[path = "open_crash_tests.rs"]
mod crash;

impl Home {
    fn inspect(&self) -> Inspection {
        Index::inspect(Arc::new(OsDisk), &self.index_path()).unwrap()
    }

    /// Whether a crash left the index half written.
    fn is_unhealed(&self) -> bool {
        matches!(self.inspect(), Inspection::Unhealed(_))
    }

    /// Copies the index aside under a name.
    fn save(&self, name: &str) {
        copy(&self.index_path(), &self.directory.path().join(name));
    }

    /// Replaces one half of the present index with that of a saved one.
    fn restore(&self, name: &str, half: Half) {
        let saved = self.directory.path().join(name);
        match half {
            Half::Postings => {
                fs::remove_dir_all(self.index_path().join(LEXICAL)).unwrap();
                copy(&saved.join(LEXICAL), &self.index_path().join(LEXICAL));
            }
            Half::Store => {
                for ending in ["", "-wal", "-shm"] {
                    let name = format!("{STORE}{ending}");
                    if self.index_path().join(&name).exists() {
                        fs::remove_file(self.index_path().join(&name)).unwrap();
                    }
                    if saved.join(&name).exists() {
                        fs::copy(saved.join(&name), self.index_path().join(&name)).unwrap();
                    }
                }
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Half {
    Postings,
    Store,
}

fn found(index: &Index, question: &str) -> Vec<String> {
    let answer = search(index, question, &SearchOptions::default()).unwrap();
    let results = answer.results.into_iter();
    let shown = results.map(|it| format!("{}:{} {}", it.path, it.start_line, it.text));
    shown.collect()
}

fn is_private(path: &Path, mode: u32) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777 == mode
}

#[test]
fn index_is_created_private_synced_and_reopened() {
    let home = Home::new();
    home.write("memory/2024-05-01.md", "- the ferry leaves at noon\n");
    let index = home.open();
    assert!(!index.is_complete().unwrap());
    assert_eq!(home.sync(&index).n_changed, 1);
    drop(index);
    let index = home.open();
    assert!(index.is_complete().unwrap());
    let line = "memory/2024-05-01.md:1 - the ferry leaves at noon";
    assert_eq!(found(&index, "ferry"), [line]);
    for directory in [home.index_path(), home.index_path().join(LEXICAL)] {
        assert!(is_private(&directory, 0o700), "{directory:?}");
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            assert!(path.is_dir() || is_private(&path, 0o600), "{path:?}");
        }
    }
}

#[test]
fn i7_postings_are_rebuilt_if_they_differ_from_store() {
    let home = Home::new();
    home.write("memory/a.md", "- the ferry leaves at noon\n");
    home.write("memory/b.md", "- the ferry is green\n");
    home.sync(&home.open());
    home.save("first");
    home.write("memory/a.md", "- the ferry leaves at one\n- bring coats\n");
    home.write("memory/c.md", "- ferry tickets are dear\n");
    home.remove("memory/b.md");
    home.sync(&home.open());
    home.save("second");
    let after = found(&home.open(), "ferry");
    assert_eq!(after.len(), 3, "{after:?}");

    for (base, other, half) in [
        ("first", "second", Half::Postings),
        ("second", "first", Half::Postings),
        ("second", "first", Half::Store),
    ] {
        fs::remove_dir_all(home.index_path()).unwrap();
        copy(&home.directory.path().join(base), &home.index_path());
        home.restore(other, half);
        let at = format!("{base} {other} {half:?}");
        assert!(home.is_unhealed(), "{at}");
        let index = home.open();
        assert!(!home.is_unhealed(), "{at}");
        home.sync(&index);
        assert_eq!(found(&index, "ferry"), after, "{at}");
    }
}

#[test]
fn i16_index_gives_same_answers_after_damage_to_any_file() {
    let home = Home::new();
    for number in 0..20 {
        let text = format!("- the ferry {number} leaves\n- bring coat {number}\n");
        home.write(&format!("memory/{number}.md"), &text);
    }
    home.sync(&home.open());
    home.save("sound");
    let expected = found(&home.open(), "ferry 7");
    let files: Vec<PathBuf> = [home.index_path(), home.index_path().join(LEXICAL)]
        .iter()
        .flat_map(|directory| fs::read_dir(directory).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| path.strip_prefix(home.index_path()).unwrap().to_owned())
        .collect();
    assert!(files.len() > 5, "{files:?}");
    for file in files {
        for damage in ["empty", "half", "noise", "gone"] {
            fs::remove_dir_all(home.index_path()).unwrap();
            copy(&home.directory.path().join("sound"), &home.index_path());
            let path = home.index_path().join(&file);
            let bytes = fs::read(&path).unwrap();
            match damage {
                "empty" => fs::write(&path, []).unwrap(),
                "half" => fs::write(&path, &bytes[..bytes.len() / 2]).unwrap(),
                "noise" => fs::write(&path, vec![0xa5; bytes.len()]).unwrap(),
                _ => fs::remove_file(&path).unwrap(),
            }
            let mut index = home.open();
            // Damage inside a file shows only where a search meets it.
            if let Err(error) = search(&index, "ferry 7", &SearchOptions::default()) {
                assert!(error.is_damage(), "{file:?} {damage}: {error:?}");
                index.rebuild().unwrap();
            }
            home.sync(&index);
            assert_eq!(found(&index, "ferry 7"), expected, "{file:?} {damage}");
        }
    }
}

#[test]
fn older_index_is_reset_and_newer_one_rejected() {
    let home = Home::new();
    home.write("USER.md", "Lives by the ferry.\n");
    home.sync(&home.open());
    let set_version = |version: u32| {
        let connection = rusqlite::Connection::open(home.index_path().join(STORE)).unwrap();
        let set = connection.pragma_update(None, "user_version", version);
        set.unwrap();
    };
    set_version(0);
    let index = home.open();
    assert_eq!(index.n_files().unwrap(), 0);
    home.sync(&index);
    assert_eq!(found(&index, "ferry").len(), 1);
    drop(index);
    let path = home.index_path().join(STORE);
    let connection = rusqlite::Connection::open(path).unwrap();
    let version: u32 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    drop(connection);
    set_version(99);
    let refused = Index::open(Arc::new(OsDisk), &home.index_path());
    let is_refused = matches!(refused, Err(IndexError::TooNew(_, 99)));
    assert!(is_refused, "{refused:?}");
    set_version(version);
    assert_eq!(found(&home.open(), "ferry").len(), 1, "left alone");
}

#[test]
fn index_is_read_by_others_during_write_and_locked_for_writers() {
    let home = Home::new();
    home.write("memory/a.md", "- the ferry leaves at noon\n");
    home.sync(&home.open());
    let (first, second, writer) = (home.open(), home.open(), home.open());
    let snapshot = first.snapshot().unwrap();
    home.write("memory/a.md", "- the ferry leaves at one\n");
    home.sync(&writer);
    // The state that a search began with stays until it ends.
    assert_eq!(snapshot.totals.n_pieces, 1);
    let terms = crate::terms::Term {
        kind: crate::terms::TermKind::Stem,
        text: "noon".into(),
    };
    assert_eq!(snapshot.postings.of_term(&terms).unwrap().n_pieces, 1);
    drop(snapshot);
    for index in [&first, &second, &writer] {
        let found = found(index, "ferry");
        assert_eq!(found, ["memory/a.md:1 - the ferry leaves at one"]);
    }
    let lock = writer.lock().unwrap();
    home.write("memory/b.md", "- another\n");
    let refused = sync(&first, &home.corpus(), now(), &mut |_| ());
    let is_refused = matches!(refused, Err(IndexError::Locked(Some(_))));
    assert!(is_refused, "{refused:?}");
    assert_eq!(found(&first, "ferry").len(), 1);
    drop(lock);
    home.sync(&first);
    assert_eq!(found(&second, "another").len(), 1);
}

#[test]
fn reader_keeps_committed_state_between_commits_of_writer() {
    let home = Home::new();
    home.write("memory/a.md", "- the ferry leaves at noon\n");
    let writer = home.open();
    home.sync(&writer);
    home.save("first");
    let reader = home.open();
    let before = found(&reader, "ferry");
    home.write("memory/a.md", "- the ferry leaves at one\n");
    home.sync(&writer);
    let after = found(&writer, "ferry");
    home.save("second");
    drop((reader, writer));

    fs::remove_dir_all(home.index_path()).unwrap();
    copy(&home.directory.path().join("first"), &home.index_path());
    let (reader, living) = (home.open(), home.open());
    let lock = living.lock().unwrap();
    home.restore("second", Half::Postings);
    assert_eq!(found(&reader, "ferry"), before);
    // The writer died there: whoever asks next finds one state, whichever it is.
    drop(lock);
    assert_eq!(found(&reader, "ferry"), before);
    let next = home.open();
    assert!(!home.is_unhealed());
    home.sync(&next);
    for index in [&next, &reader] {
        assert_eq!(found(index, "ferry"), after);
    }
}

#[test]
fn i7_index_replaced_by_other_process_is_reported_as_replaced() {
    let home = Home::new();
    home.write("memory/a.md", "- the ferry leaves at noon\n");
    let (reader, mut other) = (home.open(), home.open());
    home.sync(&reader);
    home.write("memory/a.md", "- the ferry leaves at one\n");
    other.rebuild().unwrap();
    home.sync(&other);
    let options = SearchOptions::default();
    let refused = search(&reader, "ferry", &options);
    assert!(matches!(refused, Err(IndexError::Replaced)), "{refused:?}");
    home.write("memory/b.md", "- another\n");
    let refused = sync(&reader, &home.corpus(), now(), &mut |_| ());
    assert!(matches!(refused, Err(IndexError::Replaced)), "{refused:?}");
    drop(reader);
    let found = found(&home.open(), "ferry");
    assert_eq!(found, ["memory/a.md:1 - the ferry leaves at one"]);
    assert!(!home.is_unhealed());
}

#[test]
fn inspect_neither_creates_nor_repairs_index() {
    let home = Home::new();
    home.write("memory/2026-04-20.md", "- Milo eats tuna\n");
    assert!(matches!(home.inspect(), Inspection::Missing));
    assert!(!home.index_path().exists());
    let unread = |index: Option<&Index>| difference(index, &home.corpus()).unwrap().unread;
    assert_eq!(unread(None), ["memory/2026-04-20.md"]);
    home.sync(&home.open());
    let Inspection::Sound(index) = home.inspect() else {
        panic!("it is sound");
    };
    assert_eq!(unread(Some(&index)), [""; 0]);
    home.write("memory/2026-04-21.md", "- Milo sleeps\n");
    assert_eq!(unread(Some(&index)), ["memory/2026-04-21.md"]);
    drop(index);
    let store = home.index_path().join(STORE);
    fs::write(&store, "no database").unwrap();
    assert!(matches!(home.inspect(), Inspection::Damaged(..)));
    assert_eq!(fs::read(&store).unwrap(), b"no database");
}

#[test]
fn index_whose_creation_a_crash_ended_counts_as_missing() {
    let home = Home::new();
    home.write("memory/2026-04-20.md", "- Milo eats tuna\n");
    fs::create_dir_all(home.index_path()).unwrap();
    let store = home.index_path().join(STORE);
    fs::write(&store, "").unwrap();
    let read_only = || Index::inspect_read_only(Arc::new(OsDisk), &home.index_path()).unwrap();
    assert!(matches!(home.inspect(), Inspection::Missing));
    assert!(matches!(read_only(), Inspection::Missing));
    let connection = rusqlite::Connection::open(&store).unwrap();
    let begun = "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;";
    connection.execute_batch(begun).unwrap();
    drop(connection);
    assert!(fs::metadata(&store).unwrap().len() > 0);
    assert!(matches!(home.inspect(), Inspection::Missing));
    home.sync(&home.open());
    assert_eq!(found(&home.open(), "tuna").len(), 1);
    assert!(matches!(home.inspect(), Inspection::Sound(_)));
}

#[test]
fn i13_read_only_index_reads_write_ahead_log_unchanged() {
    let home = Home::new();
    home.write("memory/a.md", "- the ferry leaves at noon\n");
    let index = home.open();
    home.sync(&index);
    let expected = found(&index, "ferry");
    // The log of the store is there while somebody has it open, and after a crash.
    home.save("left");
    let left = home.directory.path().join("left");
    let log = left.join(format!("{STORE}-wal"));
    assert!(fs::metadata(&log).unwrap().len() > 0);
    let bytes = |directory: &Path| {
        let files = ["", "-wal", "-shm"].map(|ending| format!("{STORE}{ending}"));
        files.map(|name| fs::read(directory.join(name)).unwrap())
    };
    let before = bytes(&left);
    let read = Index::open_read_only(Arc::new(OsDisk), &left).unwrap();
    assert_eq!(found(&read, "ferry"), expected);
    drop(read);
    let inspected = Index::inspect_read_only(Arc::new(OsDisk), &left).unwrap();
    assert!(matches!(inspected, Inspection::Sound(_)), "{inspected:?}");
    drop(inspected);
    assert_eq!(bytes(&left), before);
    let names = fs::read_dir(&left).unwrap().count();
    assert_eq!(names, fs::read_dir(home.index_path()).unwrap().count());
}

#[test]
fn deleted_text_leaves_no_bytes_in_store() {
    let home = Home::new();
    let kept: Vec<String> = (0..40)
        .map(|n| format!("- ferry {n} leaves at noon\n"))
        .collect();
    let kept = kept.concat();
    home.write("memory/a.md", &format!("{kept}- the zyxomma sleeps\n"));
    home.write("memory/b.md", &format!("{kept}- the quagga wakes\n"));
    home.sync(&home.open());
    home.write("memory/a.md", &kept);
    fs::remove_file(home.workspace.root().join("memory/b.md")).unwrap();
    home.sync(&home.open());
    let bytes = fs::read(home.index_path().join(STORE)).unwrap();
    for (word, is_there) in [("noon", true), ("zyxomma", false), ("quagga", false)] {
        let found = bytes.windows(word.len()).any(|it| it == word.as_bytes());
        assert_eq!(found, is_there, "{word}");
    }
}

#[test]
fn full_disk_is_reported_as_obstacle_of_sync() {
    let home = Home::new();
    // Many enough for the thread that writes them to die while more come.
    for number in 0..400 {
        let text = format!("- the ferry {number} leaves\n").repeat(40);
        home.write(&format!("memory/{number}.md"), &text);
    }
    // No room for a further file of the postings.
    let full = HookedDisk::before(OsDisk, |operation| {
        if let DiskOperation::Append(path, _) = operation
            && path.extension().is_some_and(|ending| ending == "store")
        {
            return Err(DiskError::on("write", path)(ErrorKind::StorageFull.into()));
        }
        Ok(())
    });
    let index = Index::open(Arc::new(full), &home.index_path()).unwrap();
    let error = sync(&index, &home.corpus(), now(), &mut |_| ()).unwrap_err();
    assert_eq!(error.obstacle(), Some(ErrorKind::StorageFull), "{error:?}");
}
