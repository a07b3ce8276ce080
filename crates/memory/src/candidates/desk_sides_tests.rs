//! Two sides of which one was accepted, and a `DREAMS.md` of which bytes cannot be read.
//!
//! Compares the state and the files as a whole.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, replace};

use super::super::kit::{at, candidate, home, read, workspace, write};
use super::*;
use crate::candidates::{Beside, Proposal};

const MEMORY: &str = "# Long-term memory\n";
const DREAMS: &str = "# Dreams\n\n## Candidate Memory Items (Pending Review)\n";
const ALLERGIC: &str = "I am allergic to peanuts";
const NOT_ALLERGIC: &str = "I am not allergic to peanuts";

fn side(id: &str, finding: &str, other: &str) -> Candidate {
    Candidate {
        proposal: Proposal::Beside {
            other: other.to_owned(),
            why: Beside::SaidBoth,
        },
        ..candidate(id, finding)
    }
}

/// A home in which both sides of a fact wait, and something else.
fn both_sides() -> MemoryDisk {
    let disk = home(MEMORY, DREAMS);
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = Desk::open(&workspace, at("09:00:00"), Review::TakeIn).unwrap();
    let staged = vec![
        side("aa11", ALLERGIC, NOT_ALLERGIC),
        side("bb22", NOT_ALLERGIC, ALLERGIC),
        candidate("cc33", "I prefer tea over coffee"),
    ];
    open.dream(&DreamPlan {
        staged,
        ..DreamPlan::default()
    })
    .unwrap();
    disk
}

/// Each candidate with what became of it and why.
fn known(desk: &Desk<'_>) -> Vec<String> {
    let state = desk.state();
    let all = state.pending.iter().chain(&state.history);
    all.map(|own| {
        let because = own.decided_because.clone().unwrap_or_default();
        format!("{} {} {because}", own.id, own.status.as_str())
            .trim()
            .to_owned()
    })
    .collect()
}

#[test]
fn to_accept_one_side_turns_the_other_down_and_an_undo_brings_both_back() {
    let disk = both_sides();
    let workspace = workspace(Arc::new(disk.clone()));
    let before = read(&disk, "DREAMS.md");
    let mut open = Desk::open(&workspace, at("10:00:00"), Review::TakeIn).unwrap();
    let done = open.accept(&[CandidateId::new("bb22")]).unwrap();
    let ids =
        |list: &[Candidate]| -> Vec<String> { list.iter().map(|own| own.id.to_string()).collect() };
    assert_eq!(
        (ids(&done.accepted), ids(&done.settled), ids(&done.rejected)),
        (vec!["bb22".to_owned()], vec!["aa11".to_owned()], Vec::new())
    );
    let settled = [
        "cc33 pending",
        "bb22 accepted",
        "aa11 rejected you accepted bb22, which says otherwise",
    ];
    assert_eq!(known(&open), settled);
    assert!(!open.state().was_rejected(ALLERGIC), "it may be said anew");
    drop(open);
    // It stands so after another start, too.
    let mut open = Desk::open(&workspace, at("10:01:00"), Review::TakeIn).unwrap();
    assert_eq!(known(&open), settled);
    let undone = open.undo().unwrap();
    assert_eq!(undone, "the owner accepted bb22, turned down by that aa11");
    assert_eq!(
        known(&open),
        ["cc33 pending", "bb22 pending", "aa11 pending"]
    );
    assert_eq!(read(&disk, "MEMORY.md"), MEMORY);
    let blocks = |text: &str| {
        let mut blocks: Vec<String> = text
            .split("\n### ")
            .map(|block| block.trim_end().to_owned())
            .collect();
        blocks.sort();
        blocks
    };
    assert_eq!(blocks(&read(&disk, "DREAMS.md")), blocks(&before));
}

#[test]
fn what_is_chosen_takes_the_place_of_the_line_that_it_stood_against_until_an_undo() {
    let disk = home(MEMORY, DREAMS);
    let workspace = workspace(Arc::new(disk.clone()));
    let mut open = Desk::open(&workspace, at("09:00:00"), Review::TakeIn).unwrap();
    let against = |id: &str, finding: &str, why| Candidate {
        proposal: Proposal::Beside {
            other: ALLERGIC.to_owned(),
            why,
        },
        ..candidate(id, finding)
    };
    open.dream(&DreamPlan {
        promoted: vec![candidate("aa11", ALLERGIC)],
        staged: vec![
            against("bb22", NOT_ALLERGIC, Beside::Contradiction),
            against("cc33", "I am allergic to walnuts", Beside::OwnersLine),
        ],
        ..DreamPlan::default()
    })
    .unwrap();
    let before = read(&disk, "MEMORY.md");
    let lines = |disk: &MemoryDisk| -> Vec<String> {
        let lines = crate::curated::memory_lines(&read(disk, "MEMORY.md"));
        lines.into_iter().map(|line| line.text).collect()
    };
    open.accept(&[CandidateId::new("cc33")]).unwrap();
    assert_eq!(lines(&disk), [ALLERGIC, "I am allergic to walnuts"]);
    open.undo().unwrap();
    open.accept(&[CandidateId::new("bb22")]).unwrap();
    let chosen = format!("{NOT_ALLERGIC} (until 2026-04-19, said 2026-04-19: {ALLERGIC})");
    assert_eq!(lines(&disk), [chosen]);
    open.undo().unwrap();
    assert_eq!(read(&disk, "MEMORY.md"), before);
}

#[test]
fn who_accepts_both_sides_at_once_means_both() {
    let disk = both_sides();
    let workspace = workspace(Arc::new(disk));
    let mut open = Desk::open(&workspace, at("10:00:00"), Review::TakeIn).unwrap();
    let both = ["aa11", "bb22"].map(CandidateId::new);
    let done = open.accept(&both).unwrap();
    assert_eq!((done.accepted.len(), done.settled), (2, Vec::new()));
}

#[test]
fn to_turn_one_side_down_leaves_the_other_waiting() {
    let disk = both_sides();
    let workspace = workspace(Arc::new(disk));
    let mut open = Desk::open(&workspace, at("10:00:00"), Review::TakeIn).unwrap();
    open.reject(&[CandidateId::new("aa11")]).unwrap();
    assert_eq!(
        known(&open),
        ["bb22 pending", "cc33 pending", "aa11 rejected"]
    );
}

#[test]
fn bytes_that_cannot_be_read_reword_and_reject_nothing_and_what_else_was_decided_counts() {
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
            let open = Desk::open(&workspace, at(time), Review::TakeIn).unwrap();
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
