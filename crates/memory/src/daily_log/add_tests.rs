//! Notes outside of a flush.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, read_all};
use base::{Disk, EntryId};

use super::*;

const LOG: &str = "/w/memory/2026-04-20.md";

fn note(text: &str, origin: Origin) -> Note {
    Note {
        text: text.to_owned(),
        evidence: vec![EntryId::new("e-1")],
        origin,
    }
}

/// Adds the notes one after another at 14:05 in Berlin; gives the outcomes and the log.
fn check(before: &str, notes: &[Note]) -> (Vec<AddOutcome>, String) {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    if !before.is_empty() {
        disk.create_dir(Path::new("/w/memory")).unwrap();
        disk.append(Path::new(LOG), before.as_bytes()).unwrap();
    }
    let workspace = Workspace::new(Arc::clone(&disk), "/w".into(), "/l".into(), "/q".into());
    let at = "2026-04-20T12:05:00Z".parse().unwrap();
    let add = |note| {
        add_note(&workspace, note, at, Tz::Europe__Berlin)
            .unwrap()
            .outcome
    };
    let outcomes = notes.iter().map(add).collect();
    let log = read_all(&*disk, Path::new(LOG), 10_000).unwrap_or_default();
    (outcomes, String::from_utf8(log).unwrap())
}

#[test]
fn a_note_says_whose_it_is_and_an_owners_is_the_owners_own_line() {
    let notes = [
        note("Rent the small hall", Origin::Agent),
        note("The deposit is 300 euros", Origin::Owner),
    ];
    let (outcomes, log) = check("", &notes);
    let added = |line| AddOutcome::Added { line };
    assert_eq!(outcomes, [added(5), added(9)]);
    assert_eq!(
        log,
        "# 2026-04-20\n\n## 14:05 \u{2014} Note\n\n\
         - Rent the small hall <!-- n:ID e:e-1 h:HASH o:agent -->\n\n\
         ## 14:05 \u{2014} Note\n\n- The deposit is 300 euros\n"
            .replace(
                "ID",
                &short_hash("memory/2026-04-20.md\n14:05\nRent the small hall")
            )
            .replace("HASH", &short_hash("Rent the small hall"))
    );
}

#[test]
fn i8_what_the_log_says_already_is_not_added_again() {
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
fn i14_a_note_holds_no_secret_and_stays_one_line() {
    let key = format!("sk-ant-{}", "a1B2".repeat(10));
    let text = format!("the key is {key}\nand <!-- a comment -->");
    let (_, log) = check("by hand", &[note(&text, Origin::Agent)]);
    assert!(!log.contains(&key), "{log}");
    assert!(log.starts_with("by hand\n\n## 14:05"), "{log}");
    assert_eq!(log.lines().count(), 5, "{log}");
    assert_eq!(log.matches("<!--").count(), 1, "{log}");
}
