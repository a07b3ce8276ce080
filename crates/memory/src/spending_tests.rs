//! The ledger: its entries, its limits, and the effect of damage.
//!
//! Compares whole days.

use std::path::Path;
use std::sync::Arc;

use base::disk::{Crash, CrashDisk, MemoryDisk, read_all};

use super::*;
use crate::workspace_kit::workspace;

const PATH: &str = "/home/state/ledger.json";

fn spent(input: u64, output: u64, n_calls: u64) -> Spent {
    Spent {
        input: TokenCount(input),
        output: TokenCount(output),
        n_calls,
    }
}

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn enter(workspace: &Workspace, on: &str, purpose: Purpose, input: u64) {
    let cost = (TokenCount(input), TokenCount(1));
    note_spent(workspace, day(on), purpose, cost).unwrap();
}

#[test]
fn ledger_sums_purposes_by_day_and_omits_conversation() {
    let disk = MemoryDisk::new();
    let workspace = workspace(Arc::new(disk.clone()));
    assert_eq!(
        spent_on(&workspace, day("2026-04-20")).unwrap(),
        SpentDay::default()
    );
    enter(&workspace, "2026-04-20", Purpose::Flush, 100);
    enter(&workspace, "2026-04-20", Purpose::Flush, 50);
    enter(&workspace, "2026-04-20", Purpose::Consolidate, 7);
    enter(&workspace, "2026-04-20", Purpose::Chat, 1_000);
    enter(&workspace, "2026-04-21", Purpose::Summarise, 9);
    let expected = SpentDay {
        notes: spent(150, 2, 2),
        summaries: Spent::default(),
        dreams: spent(7, 1, 1),
    };
    assert_eq!(spent_on(&workspace, day("2026-04-20")).unwrap(), expected);
}

#[test]
fn ledger_keeps_limited_number_of_days() {
    let disk = MemoryDisk::new();
    let workspace = workspace(Arc::new(disk.clone()));
    let mut on = day("2026-01-01");
    for _ in 0..=DAYS_MAX {
        enter(&workspace, &on.to_string(), Purpose::Flush, 1);
        on = Day::from(on.date().succ_opt().unwrap());
    }
    let first = spent_on(&workspace, day("2026-01-01")).unwrap();
    assert_eq!(first, SpentDay::default());
    let second = spent_on(&workspace, day("2026-01-02")).unwrap();
    assert_eq!(second.notes, spent(1, 1, 1));
}

#[test]
fn damaged_ledger_is_recreated_and_newer_version_is_unchanged() {
    let disk = MemoryDisk::new();
    let workspace = workspace(Arc::new(disk.clone()));
    enter(&workspace, "2026-04-20", Purpose::Flush, 100);
    replace(&disk, Path::new(PATH), b"{\"version\":1,\"da").unwrap();
    enter(&workspace, "2026-04-20", Purpose::Flush, 3);
    let found = spent_on(&workspace, day("2026-04-20")).unwrap();
    assert_eq!(found.notes, spent(3, 1, 1));
    let newer = b"{\"version\":2,\"days\":{}}";
    replace(&disk, Path::new(PATH), newer).unwrap();
    let cost = (TokenCount(1), TokenCount(1));
    let refused = note_spent(&workspace, day("2026-04-20"), Purpose::Flush, cost);
    assert!(
        matches!(refused, Err(FileError::TooNew(_, 2))),
        "{refused:?}"
    );
    assert_eq!(read_all(&disk, Path::new(PATH), 100).unwrap(), newer);
}

#[test]
fn crash_leaves_ledger_with_or_without_new_entry() {
    let start = MemoryDisk::new();
    let before = workspace(Arc::new(start.clone()));
    enter(&before, "2026-04-20", Purpose::Flush, 100);
    let enter_once = |disk: CrashDisk| {
        let workspace = workspace(Arc::new(disk.clone()));
        let cost = (TokenCount(10), TokenCount(1));
        note_spent(&workspace, day("2026-04-20"), Purpose::Flush, cost).unwrap_or_default();
    };
    for Crash { found, when, .. } in CrashDisk::crashes(&start, enter_once) {
        let workspace = workspace(Arc::new(found.clone()));
        let found = spent_on(&workspace, day("2026-04-20")).unwrap().notes;
        let either = [spent(100, 1, 1), spent(110, 2, 2)];
        assert!(either.contains(&found), "{when}: {found:?}");
    }
}
