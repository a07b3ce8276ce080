//! The conditions that must hold after every replay.
//!
//! Reads the files on disk, and runs only `session verify`.

use testkit::{LogBlock, Stored, TestHome, TimedMessage, Transcript, log_blocks, to_jsonl};

/// The messages of a recording as they must be stored.
pub(super) fn expected(said: &[TimedMessage]) -> Vec<Stored> {
    let recording = to_jsonl(said);
    let lines = recording.lines().zip(said);
    (0..)
        .zip(lines)
        .map(|(index, (line, said))| Stored {
            role: said.message.role().to_owned(),
            text: said.message.text(),
            index: Some(index),
            hash: Some(base::content_hash(line.as_bytes())),
        })
        .collect()
}

/// I1: every message of the recording is stored once, unchanged and in order.
#[track_caller]
pub(super) fn i1_every_message_once(home: &TestHome, session: &str, said: &[TimedMessage]) {
    let found = Transcript::read(home, session).messages();
    let expected = expected(said);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

/// I4: no entry is in two blocks that took effect, and every block in a log took effect.
#[track_caller]
pub(super) fn i4_no_entry_in_two_blocks(home: &TestHome, session: &str) {
    let transcript = Transcript::read(home, session);
    let positions = transcript.positions();
    let place = |block: &LogBlock| {
        assert!(block.is_closed, "{block:?} was never finished");
        let (first, last) = &block.span;
        (positions[first.as_str()], positions[last.as_str()])
    };
    let mut spans: Vec<(usize, usize)> = log_blocks(home).iter().map(place).collect();
    spans.sort_unstable();
    for pair in spans.windows(2) {
        assert!(pair[0].1 < pair[1].0, "{pair:?} overlap");
    }
    for (first, last) in spans {
        assert!(first <= last, "a span ends before it begins");
    }
}

/// Every compaction came after the flush of its epoch, and epochs count from 0 without a gap.
#[track_caller]
pub(super) fn every_compaction_was_flushed(home: &TestHome, session: &str) {
    let found = Transcript::read(home, session).markers_at_compactions();
    let expected: Vec<(u64, Option<u64>)> = (0..)
        .take(found.len())
        .map(|epoch| (epoch, Some(epoch)))
        .collect();
    assert_eq!(found, expected);
}

/// The program itself finds nothing wrong.
#[track_caller]
pub(super) fn verify_is_clean(home: &TestHome, session: &str) {
    let run = home.ok(&["session", "verify", session]);
    assert_eq!(run.stderr, "", "{}", run.transcript());
    assert!(run.stdout.ends_with(", clean\n"), "{}", run.transcript());
}

/// Checks all of the above.
#[track_caller]
pub(super) fn all(home: &TestHome, session: &str, said: &[TimedMessage]) {
    i1_every_message_once(home, session, said);
    i4_no_entry_in_two_blocks(home, session);
    every_compaction_was_flushed(home, session);
    verify_is_clean(home, session);
}
