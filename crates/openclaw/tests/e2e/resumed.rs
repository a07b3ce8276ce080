//! A session that is resumed shows the same view as when it was left.
//!
//! Looks only at the view; `crash` covers what a crash leaves.

use std::sync::Arc;

use agent::{ReplayClock, ReplayMode};
use base::disk::MemoryDisk;

use crate::pipeline::{Home, main_session, recording_of};

/// Long tool results among short messages: what is shown is far less than what is stored.
const SAMPLE: &str = include_str!("../../../../examples/sample.jsonl");

/// Replays these messages as if in a separate process, and returns whether the next process would show the session from
/// the same place.
fn is_shown_whole(home: &Home, lines: &[&str]) -> bool {
    home.replayed(&recording_of(&lines.join("\n")), ReplayMode::Resume);
    let runtime = home.runtime(Arc::new(ReplayClock::new()));
    let limit = runtime.resume_limit();
    let snapshot = runtime.home.sessions.read(&main_session(), limit);
    !snapshot.unwrap().view.is_cut
}

#[test]
fn i1_resume_limit_never_cuts_reopened_view() {
    let lines: Vec<&str> = SAMPLE.lines().collect();
    let home = Home::new(MemoryDisk::new(), 16_000);
    let cut: Vec<usize> = (1..=lines.len())
        .step_by(7)
        .filter(|n_messages| !is_shown_whole(&home, &lines[..*n_messages]))
        .collect();
    assert_eq!(cut, [0; 0]);
}
