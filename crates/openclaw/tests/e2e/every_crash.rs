//! A replay on a disk that loses its power at any moment, between the bytes of a write too.
//!
//! Looks at what the next start finds, and at what a resumed replay makes of it.

use std::path::Path;
use std::sync::Arc;

use agent::{ReplayClock, ReplayError, ReplayMode, ReplayReport, Source, replay};
use base::disk::{CrashDisk, Disk, MemoryDisk, Unsynced};
use base::{Block, TokenCount, Tz, head};
use import::Recording;
use memory::daily_log::{BlockState, parse};
use testkit::{Said, ScriptedModel, conversation, to_jsonl};

use crate::in_process::{HOME, plain_answer, runtime};

/// So small that a short conversation is compacted more than once.
const WINDOW: TokenCount = TokenCount(1_400);

/// Messages of the conversation.
const N_MESSAGES: usize = 70;

/// Longest message in characters: what is said here matters less than how often something is written.
const CHARS_MAX: usize = 400;

/// The crash falls on every so manieth moment; a prime, so that no rhythm of the writes is met alone.
const STRIDE: usize = 307;

fn short_conversation() -> Vec<Said> {
    let mut said = conversation(12, N_MESSAGES);
    for said in &mut said {
        for block in said.message.content_mut() {
            if let Block::Text(text) = block {
                *text = head(text, CHARS_MAX).to_owned();
            }
        }
    }
    said
}

/// The recording, on a disk of its own that never fails.
fn recording(said: &[Said]) -> Recording {
    let disk = MemoryDisk::new();
    let path = Path::new("/talk.jsonl");
    disk.create_dir(Path::new("/")).unwrap();
    base::disk::replace(&disk, path, to_jsonl(said).as_bytes()).unwrap();
    Recording::open(Arc::new(disk), path).unwrap()
}

fn run(disk: &Arc<dyn Disk>, recording: &Recording) -> Result<ReplayReport, ReplayError> {
    let clock = Arc::new(ReplayClock::new());
    let model = Arc::new(ScriptedModel::new().otherwise(plain_answer));
    let runtime = runtime(disk, Arc::clone(&clock) as _, model, WINDOW);
    let source = Source {
        recording,
        name: &"talk".parse().unwrap(),
        mode: ReplayMode::Resume,
    };
    let mut on_event = |_| {};
    let executor = tokio::runtime::Builder::new_current_thread().build();
    executor
        .unwrap()
        .block_on(replay(&runtime, &clock, source, &mut on_event))
}

/// What a transcript says of its messages, and the spans of the blocks that took effect.
#[derive(Debug, PartialEq)]
struct Outcome {
    /// Index in the recording and hash of what is stored.
    messages: Vec<(u64, String)>,
    /// The marker that held at each compaction.
    markers: Vec<Option<u64>>,
    spans: Vec<(usize, usize)>,
    n_torn_blocks: usize,
}

fn outcome(disk: &MemoryDisk) -> Outcome {
    let files = disk.snapshot();
    let sessions = Path::new(HOME).join("sessions/talk.jsonl");
    let lines: Vec<serde_json::Value> = String::from_utf8_lossy(&files[&sessions])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let position = |id: &str| lines.iter().position(|line| line["id"] == id).unwrap();
    let logs = files
        .iter()
        .filter(|(path, _)| path.starts_with(Path::new(HOME).join("workspace/memory")))
        .filter(|(path, _)| path.extension().is_some_and(|extension| extension == "md"));
    let blocks: Vec<_> = logs
        .flat_map(|(_, bytes)| parse(&String::from_utf8_lossy(bytes)).blocks)
        .collect();
    let mut spans: Vec<(usize, usize)> = blocks
        .iter()
        .map(|block| {
            (
                position(block.span.0.as_str()),
                position(block.span.1.as_str()),
            )
        })
        .collect();
    spans.sort_unstable();
    Outcome {
        messages: lines
            .iter()
            .filter(|line| line["type"] == "message")
            .map(|line| {
                let index = line["source"]["index"].as_u64().unwrap();
                let content = line["message"]["content"].to_string();
                (index, base::short_hash(&content))
            })
            .collect(),
        markers: markers(&lines),
        spans,
        n_torn_blocks: blocks
            .iter()
            .filter(|block| block.state == BlockState::Torn)
            .count(),
    }
}

fn markers(lines: &[serde_json::Value]) -> Vec<Option<u64>> {
    let mut marker = None;
    let mut found = Vec::new();
    for line in lines {
        if line["type"] == "meta" {
            marker = line["memoryFlushCompactionCount"].as_u64();
        } else if line["type"] == "compaction" {
            found.push(marker);
        }
    }
    found
}

#[track_caller]
fn assert_whole(found: &Outcome, whole: &Outcome, crash_at: u64) {
    assert_eq!(found.messages, whole.messages, "at {crash_at}");
    assert_eq!(found.n_torn_blocks, 0, "at {crash_at}");
    for pair in found.spans.windows(2) {
        assert!(pair[0].1 < pair[1].0, "at {crash_at}: {pair:?} overlap");
    }
    for (epoch, marker) in (0..).zip(&found.markers) {
        assert_eq!(*marker, Some(epoch), "at {crash_at}");
    }
}

#[test]
fn i1_i4_a_crash_at_any_moment_loses_and_doubles_nothing() {
    let recording = recording(&short_conversation());
    let steady = CrashDisk::new(&MemoryDisk::new(), u64::MAX);
    let disk: Arc<dyn Disk> = Arc::new(steady.clone());
    run(&disk, &recording).unwrap();
    let whole = outcome(&steady.after_crash(Unsynced::Lost));
    assert_eq!(whole.messages.len(), N_MESSAGES);
    assert!(whole.markers.len() > 2, "{whole:?}");
    assert!(whole.spans.len() > 2, "{whole:?}");

    for crash_at in (0..steady.n_moments()).step_by(STRIDE) {
        let crashing = CrashDisk::new(&MemoryDisk::new(), crash_at);
        let disk: Arc<dyn Disk> = Arc::new(crashing.clone());
        assert!(run(&disk, &recording).is_err(), "no crash at {crash_at}");
        for unsynced in [Unsynced::Kept, Unsynced::Lost] {
            let found = crashing.after_crash(unsynced);
            let disk: Arc<dyn Disk> = Arc::new(found.clone());
            run(&disk, &recording).unwrap_or_else(|error| panic!("{crash_at}: {error}"));
            assert_whole(&outcome(&found), &whole, crash_at);
        }
    }
}

#[test]
fn i1_a_full_disk_loses_nothing_and_room_lets_it_go_on() {
    let recording = recording(&short_conversation());
    let steady = CrashDisk::new(&MemoryDisk::new(), u64::MAX);
    let disk: Arc<dyn Disk> = Arc::new(steady.clone());
    run(&disk, &recording).unwrap();
    let whole = outcome(&steady.after_crash(Unsynced::Lost));
    for full_at in (0..steady.n_moments()).step_by(4 * STRIDE) {
        let full = CrashDisk::full(&MemoryDisk::new(), full_at);
        let disk: Arc<dyn Disk> = Arc::new(full.clone());
        assert!(run(&disk, &recording).is_err(), "never full at {full_at}");
        let found = full.after_crash(Unsynced::Kept);
        let disk: Arc<dyn Disk> = Arc::new(found.clone());
        run(&disk, &recording).unwrap_or_else(|error| panic!("{full_at}: {error}"));
        let found = outcome(&found);
        assert_eq!(found.messages, whole.messages);
        assert_eq!(found.n_torn_blocks, 0);
    }
}

#[test]
fn the_days_of_the_blocks_are_those_of_the_messages() {
    let said = short_conversation();
    let recording = recording(&said);
    let memory = MemoryDisk::new();
    let disk: Arc<dyn Disk> = Arc::new(memory.clone());
    run(&disk, &recording).unwrap();
    let mut expected: Vec<String> = said
        .iter()
        .map(|said| format!("{}.md", base::day(said.at, Tz::UTC)))
        .collect();
    expected.dedup();
    let logs = disk
        .list(&Path::new(HOME).join("workspace/memory"))
        .unwrap();
    let found: Vec<String> = logs
        .iter()
        .map(|log| log.to_string_lossy().into_owned())
        .collect();
    assert_eq!(found, expected);
}
