//! A redaction, and texts that other messages support.

use std::path::PathBuf;
use std::sync::Arc;

use base::disk::MemoryDisk;
use base::{LineRange, Origin, Timestamp};

use super::super::{ForgetChoice, PlannedLines, forget, plan_forgetting};
use super::*;
use crate::WorkspacePath;
use crate::forget::test_kit::entry;
use crate::ledger::earlier_line;
use crate::tombstone::{OwnerLines, load_tombstones};
use crate::workspace_kit::{text_at, workspace};

const MEMORY: &str = "/home/workspace/MEMORY.md";

/// The lines that stay after the entries of a session with the same text were redacted.
fn staying(
    lines: &[(&str, &[&str])],
    (redacted, text): (&[&str], &str),
    words: &[&str],
    said: &[(&str, &str)],
) -> Vec<String> {
    let line = |(text, evidence): &(&str, &[&str])| {
        earlier_line("0a0a0a0a", text, evidence, Origin::Owner)
    };
    let memory: Vec<String> = lines.iter().map(line).collect();
    let memory = format!("# Memory\n\n{}\n", memory.join("\n"));
    let files = [(PathBuf::from(MEMORY), memory.into_bytes())];
    let disk = MemoryDisk::from_snapshot(files.into_iter().collect());
    let known = workspace(Arc::new(disk.clone()));
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let choice = ForgetChoice {
        entries: redacted.iter().map(|id| entry(id, text)).collect(),
        words: words.clone(),
        ..ForgetChoice::default()
    };
    let said = said
        .iter()
        .map(|(id, text)| (EntryId::new(*id), (*text).to_owned()));
    let plan = plan_forgetting(&known, choice)
        .unwrap()
        .sparing(OtherMessages {
            said: &said.collect(),
            words: &words,
            common: CommonWords::default(),
        });
    let now: Timestamp = "2026-03-02T08:04:17Z".parse().unwrap();
    forget(&known, &plan, OwnerLines::Leave, now).unwrap();
    let tombstones = load_tombstones(&known).unwrap();
    let after = text_at(&disk, MEMORY);
    let read = known.read_note("MEMORY.md", &after);
    let ours = read.lines().iter().filter_map(|line| {
        let entries: Vec<EntryId> = line.record()?.entries().collect();
        let is_left = !tombstones.hides_note(line.item(), &entries);
        is_left.then(|| line.item().to_owned())
    });
    ours.collect()
}

#[test]
fn redacted_copy_keeps_lines_that_original_supports() {
    let text = "My dentist is Dr. Huber";
    let lines = [(text, &["e1"][..]), ("The gate is red", &["e2"])];
    for words in [&[][..], &["Huber"]] {
        let copy = (&["c1"][..], text);
        let all = staying(
            &lines,
            copy,
            words,
            &[("e1", text), ("e2", "The gate is red")],
        );
        assert_eq!(all, [text, "The gate is red"], "{words:?}");
        let left = staying(&lines, copy, words, &[]);
        assert_eq!(left, ["The gate is red"], "the original is gone, {words:?}");
    }
}

#[test]
fn spared_lines_are_not_planned_for_removal() {
    let text = "My dentist is Dr. Huber";
    let line = |number, keeper, evidence: &[&str]| PlannedLines {
        path: WorkspacePath::known("MEMORY.md"),
        lines: LineRange::line(number),
        text: text.into(),
        hash: TextHash::of(text).unwrap(),
        current: None,
        is_older_value: false,
        keeper,
        evidence: evidence.iter().map(|id| EntryId::new(*id)).collect(),
        because: Reason::Chosen,
    };
    let plan = ForgetPlan {
        lines: vec![
            line(1, Keeper::Owner, &[]),
            line(2, Keeper::Program, &["e1"]),
            line(3, Keeper::Program, &["c1"]),
        ],
        entries: vec![entry("c1", text)],
        ..ForgetPlan::default()
    };
    let plan = plan.sparing(OtherMessages {
        said: &HashMap::from([(EntryId::new("e1"), text.to_owned())]),
        words: &["Huber".to_owned()],
        common: CommonWords::default(),
    });
    let left: Vec<_> = plan.lines.iter().map(|it| it.lines.start).collect();
    assert_eq!(left, [3], "its only evidence is redacted");
    let mut standing: Vec<_> = plan.standing.iter().map(|(at, _)| at.start_line).collect();
    standing.sort_unstable();
    assert_eq!(standing, [1, 2]);
}

#[test]
fn line_stays_if_other_evidence_contains_all_of_it() {
    let text = "The locker has the code 4711";
    let lines = [(text, &["e1", "e2"][..])];
    let redacted = (&["e1"][..], "It is 4711");
    for (said, expected) in [
        ("So the locker has the code 4711.", &[text][..]),
        ("Which code has the locker?", &[]),
    ] {
        assert_eq!(staying(&lines, redacted, &[], &[("e2", said)]), expected);
        assert_eq!(
            staying(&lines, redacted, &["4711"], &[("e2", said)]),
            expected
        );
    }
}
