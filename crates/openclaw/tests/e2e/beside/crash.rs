//! A compaction in the background on a disk that loses its power at any moment.
//!
//! Checks the state that the next start finds, and the state that it produces.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use agent::{TurnError, finish_jobs, poll_jobs};
use base::Disk;
use base::disk::{CrashDisk, MemoryDisk, Unsynced};
use base::model::{Purpose, Request};
use session::{Entry, Payload};

use super::oracle::{i5_nothing_is_lost, verifies};
use super::talk::{Gated, Talk, main, message};
use crate::in_process::HOME;
use crate::pipeline::{Answer, said};

/// So small that few messages are written.
const WINDOW: u64 = 2_400;

/// In a window of this size no compaction is due.
const WIDE: u64 = 16_000;

/// The crash falls on every n-th change of the disk, a byte or another one: each write is hit several times.
const STEP: usize = 29;

fn answer(request: &Request) -> Answer {
    match request.purpose {
        Purpose::Flush => said(testkit::noted(
            "Issues Found",
            &[("A crate is heavy", "e1", "the crate in row")],
        )),
        Purpose::Summarise => said("## Goals and Intent\n- The owner keeps a list."),
        Purpose::Chat | Purpose::Consolidate => said("Understood."),
    }
}

fn process(disk: &Arc<dyn Disk>, window: u64) -> Talk {
    let model = Gated::new(answer);
    model.open();
    Talk::new(disk, model, window)
}

/// A conversation at whose next safe point a compaction begins.
async fn about_to_compact() -> MemoryDisk {
    let disk = MemoryDisk::new();
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let talk = process(&shared, WIDE);
    for number in 0.. {
        talk.say(&message(number, 60)).await;
        let probe = process(&(Arc::new(disk.copy()) as _), WINDOW);
        probe.tend();
        if probe.has_job() {
            break;
        }
    }
    disk
}

/// Notes and a summary are made, and the summary becomes part of the session.
async fn compact(disk: &Arc<dyn Disk>) -> Result<(), TurnError> {
    let talk = process(disk, WINDOW);
    poll_jobs(&talk.runtime, &main(), &mut |_| {})?;
    finish_jobs(&talk.runtime, &main(), &mut |_| {}).await
}

/// The content of a home, with the places of entries instead of their ids.
#[derive(Debug, PartialEq)]
struct State {
    messages: Vec<String>,
    compactions: Vec<String>,
    blocks: Vec<String>,
    marker: Option<u64>,
    flushed_through: Option<usize>,
}

fn state(disk: &MemoryDisk) -> State {
    let talk = process(&(Arc::new(disk.clone()) as _), WINDOW);
    let entries = talk.entries(&main());
    verifies(&talk, &main());
    i5_nothing_is_lost(&talk, &main());
    let message = |entry: &&Entry| matches!(entry.payload, Payload::Message(_));
    let ids: Vec<&str> = entries
        .iter()
        .filter(message)
        .map(|it| it.id.as_str())
        .collect();
    let place = |id: &str| ids.iter().position(|it| *it == id);
    let without_ids = |text: String| {
        let numbered = ids.iter().enumerate();
        numbered.fold(text, |text, (place, id)| {
            text.replace(id, &format!("#{place}"))
        })
    };
    let mut found = State {
        messages: Vec::new(),
        compactions: Vec::new(),
        blocks: Vec::new(),
        marker: None,
        flushed_through: None,
    };
    for entry in &entries {
        match &entry.payload {
            Payload::Message(stored) => found.messages.push(stored.message.text()),
            Payload::Compaction(it) => {
                let marker = found.marker;
                let made = format!(
                    "{:?} after {marker:?}: {:?}\n{}",
                    it.epoch, it.first_kept, it.summary
                );
                found.compactions.push(without_ids(made));
            }
            Payload::Meta(meta) => {
                found.marker = meta.memory_flush_compaction_count.map(|epoch| epoch.0);
                let through = meta.flushed_through.as_ref();
                found.flushed_through = through.and_then(|id| place(id.as_str()));
            }
            other @ (Payload::Reset(_)
            | Payload::Rewind(_)
            | Payload::BranchSummary(_)
            | Payload::CustomMessage(_)
            | Payload::Custom(_)
            | Payload::SessionInfo(_)
            | Payload::Other(..)) => panic!("{other:?}"),
        }
    }
    let log = Path::new(HOME).join("workspace/memory/2026-04-20.md");
    let files: BTreeMap<_, _> = disk.snapshot();
    if let Some(log) = files.get(&log) {
        let text = String::from_utf8(log.clone()).unwrap();
        let session = talk.runtime.home.sessions.lineage(&main()).unwrap().session;
        let text = text.replace(session.as_str(), "SESSION");
        // A block may stand there whole but for the end of its last line.
        found.blocks = vec![without_hashes(&without_ids(text)).trim_end().to_owned()];
    }
    found
}

/// Hashes and ids of notes are computed from ids, which differ.
fn without_hashes(text: &str) -> String {
    let hashes = regex::Regex::new("[0-9a-f]{8,}").unwrap();
    hashes.replace_all(text, "HASH").into_owned()
}

#[tokio::test(start_paused = true)]
async fn i1_i4_i5_crashed_compaction_resumes_to_same_state() {
    let start = about_to_compact().await;
    let steady = CrashDisk::new(&start, u64::MAX);
    compact(&(Arc::new(steady.clone()) as _)).await.unwrap();
    let whole = state(&steady.after_crash(Unsynced::Lost));
    assert_eq!(
        (whole.compactions.len(), whole.blocks.len()),
        (1, 1),
        "{whole:?}"
    );
    assert_eq!(whole.marker, Some(0));

    let mut lost_before = None;
    let mut n_starts = 0;
    for crash_at in (0..steady.n_moments()).step_by(STEP) {
        let crashing = CrashDisk::new(&start, crash_at);
        let crashed = compact(&(Arc::new(crashing.clone()) as _)).await;
        assert!(crashed.is_err(), "no crash at {crash_at}");
        let mut found = Vec::new();
        // What was synced changes rarely; what was not, with each byte.
        let lost = crashing.after_crash(Unsynced::Lost);
        if lost_before.replace(lost.snapshot()) != Some(lost.snapshot()) {
            found.push(lost);
        }
        found.push(crashing.after_crash(Unsynced::Kept));
        for disk in found {
            n_starts += 1;
            let shared: Arc<dyn Disk> = Arc::new(disk.clone());
            compact(&shared).await.unwrap();
            assert_eq!(state(&disk), whole, "at {crash_at}");
            // And once more changes nothing.
            let before = disk.snapshot();
            compact(&shared).await.unwrap();
            assert_eq!(disk.snapshot(), before, "at {crash_at}");
        }
    }
    assert!(n_starts > 50, "{n_starts}");
}
