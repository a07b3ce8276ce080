//! Two sides of a fact, one of which is rejected, and a `DREAMS.md` with unreadable bytes.
//!
//! Compares the state and the files as a whole.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, replace};

use super::super::kit::{at, candidate, dreamt, home, read, workspace, write};
use super::super::model::Proposal;
use super::*;

const MEMORY: &str = "# Long-term memory\n";
const DREAMS: &str = "# Dreams\n\n## Candidate Memory Items (Pending Review)\n";
const ALLERGIC: &str = "I am allergic to peanuts";
const NOT_ALLERGIC: &str = "I am not allergic to peanuts";

/// A home in which both sides of a fact wait, and another candidate.
fn both_sides() -> MemoryDisk {
    let disk = home(MEMORY, DREAMS);
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = MemoryTxn::open(&workspace, at("09:00:00"), Access::Write).unwrap();
    let staged = vec![
        candidate("aa11", ALLERGIC),
        candidate("bb22", NOT_ALLERGIC),
        candidate("cc33", "I prefer tea over coffee"),
    ];
    open.dream(&dreamt(&[], &staged)).unwrap();
    disk
}

/// Each candidate with its outcome.
fn known(desk: &MemoryTxn<'_>) -> Vec<String> {
    let state = desk.state();
    let all = state.pending.iter().chain(&state.history);
    all.map(|own| format!("{} {}", own.id, own.status.as_str()))
        .collect()
}

#[test]
fn rejecting_one_side_leaves_other_pending() {
    let disk = both_sides();
    let workspace = workspace(Arc::new(disk));
    let mut open = MemoryTxn::open(&workspace, at("10:00:00"), Access::Write).unwrap();
    open.reject(&[CandidateId::new("aa11")]).unwrap();
    assert_eq!(
        known(&open),
        ["bb22 pending", "cc33 pending", "aa11 rejected"]
    );
}

#[test]
fn i9_accept_of_candidate_next_to_owners_line_keeps_that_line() {
    let owners = format!("# Long-term memory\n\n- {ALLERGIC}\n");
    let disk = home(&owners, DREAMS);
    let workspace = workspace(Arc::new(disk));
    let mut open = MemoryTxn::open(&workspace, at("09:00:00"), Access::Write).unwrap();
    let beside = Candidate {
        proposal: Proposal::Beside {
            other: ALLERGIC.to_owned(),
        },
        ..candidate("aa11", NOT_ALLERGIC)
    };
    open.dream(&dreamt(&[], &[beside])).unwrap();
    open.accept(&[CandidateId::new("aa11")]).unwrap();
    let lines: Vec<String> = crate::curated::memory_lines(open.memory())
        .into_iter()
        .map(|own| own.text)
        .collect();
    assert_eq!(lines, [ALLERGIC, NOT_ALLERGIC]);
}

#[test]
fn misread_candidates_stay_pending_and_other_decisions_count() {
    for (good, bad) in [
        (&b"tea over coffee"[..], &b"th\xe9 over coffee"[..]),
        (b"tea over coffee", b"te\0a over coffee, they say"),
        (b"Replay] cc33", b"Replay] cc\xff33"),
    ] {
        let disk = both_sides();
        let text = read(&disk, "DREAMS.md").replacen("Status: pending", "Status: rejected", 1);
        write(&disk, "DREAMS.md", &text);
        let bytes = text.into_bytes();
        let place = (0..bytes.len()).find(|place| bytes[*place..].starts_with(good));
        let place = place.unwrap();
        let broken = [&bytes[..place], bad, &bytes[place + good.len()..]].concat();
        replace(&disk, Path::new("/home/workspace/DREAMS.md"), &broken).unwrap();
        let workspace = workspace(Arc::new(disk.clone()));
        for time in ["10:00:00", "10:00:10"] {
            let open = MemoryTxn::open(&workspace, at(time), Access::Write).unwrap();
            assert_eq!(
                known(&open),
                ["bb22 pending", "cc33 pending", "aa11 rejected"]
            );
            let findings: Vec<&str> = open
                .state()
                .pending
                .iter()
                .map(|own| own.finding.as_str())
                .collect();
            assert_eq!(findings, [NOT_ALLERGIC, "I prefer tea over coffee"]);
            let kept = (time == "10:00:00").then_some("DREAMS.md.found-20260420T100000");
            assert_eq!(open.kept_dreams(), kept);
        }
        let kept = base::disk::read_all(
            &disk,
            Path::new("/home/workspace/DREAMS.md.found-20260420T100000"),
            1 << 20,
        );
        assert_eq!(kept.unwrap(), broken, "to the byte");
    }
}
