//! Candidates and a workspace for tests.
//!
//! Only compiled for tests.

use std::path::Path;

use base::disk::{MemoryDisk, replace};
use base::{Disk, Origin, Timestamp};

use super::{Candidate, CandidateId, DreamPlan, Evidence, FoundIn, Proposal, Signal, Status};
use crate::curated::{NewLine, memory_lines};
use crate::note_text::MemoryText;
use crate::workspace_kit::text_if_there;
pub(crate) use crate::workspace_kit::workspace;

pub(crate) fn at(time: &str) -> Timestamp {
    format!("2026-04-20T{time}Z").parse().unwrap()
}

pub(crate) fn candidate(id: &str, finding: &str) -> Candidate {
    Candidate {
        id: CandidateId::new(id),
        finding: finding.into(),
        proposed_as: None,
        section: "Preferences".into(),
        proposal: Proposal::Add,
        evidence: vec![Evidence {
            path: "sessions/main.jsonl".into(),
            key: format!("entry-{id}"),
            line: 7,
            hash: "81ab03ff".into(),
            quote: format!("well, {finding}"),
            day: "2026-04-19".parse().unwrap(),
            scope: None,
        }],
        origin: Origin::Owner,
        found_in: FoundIn::SessionReplay,
        day: "2026-04-19".parse().unwrap(),
        proposed_at: at("08:00:00"),
        score: 66,
        signals: vec![Signal {
            name: "importance".into(),
            value: 80,
            weight: 35,
        }],
        staged_because: Some("it was found by a backfill".into()),
        status: Status::Pending,
        decided_at: None,
        missing_since: None,
        is_shown: false,
    }
}

/// A line of `MEMORY.md`.
pub(crate) fn new_line(id: &str, text: &str) -> NewLine {
    NewLine {
        id: id.into(),
        text: text.into(),
        evidence: Vec::new(),
        origin: Origin::Owner,
        day: "2026-04-20".parse().unwrap(),
    }
}

/// The ids of the lines of ours in `MEMORY.md`.
pub(crate) fn line_ids(memory: &MemoryText) -> Vec<String> {
    let lines = memory_lines(memory).into_iter();
    lines
        .filter_map(|line| line.id().map(str::to_owned))
        .collect()
}

/// The plan of a dream that promotes and stages these candidates.
pub(crate) fn dreamt(promoted: &[Candidate], staged: &[Candidate]) -> DreamPlan {
    DreamPlan {
        promoted: promoted.to_vec(),
        staged: staged.to_vec(),
        log: Some("a dream".into()),
        ..DreamPlan::default()
    }
}

/// A home with these two files.
pub(crate) fn home(memory: &str, dreams: &str) -> MemoryDisk {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/home/workspace/memory"))
        .unwrap();
    write(&disk, "MEMORY.md", memory);
    write(&disk, "DREAMS.md", dreams);
    disk
}

pub(crate) fn write(disk: &dyn Disk, name: &str, text: &str) {
    let path = Path::new("/home/workspace").join(name);
    replace(disk, &path, text.as_bytes()).unwrap();
}

pub(crate) fn read(disk: &dyn Disk, name: &str) -> String {
    let path = Path::new("/home/workspace").join(name);
    text_if_there(disk, path).unwrap_or_default()
}
