//! A session that is taken up again shows what it showed when it was left.
//!
//! Looks at the view alone; what a crash leaves is the matter of `crash`.

use std::path::Path;
use std::sync::Arc;

use agent::{ReplayClock, ReplayInput, ReplayMode, replay};
use base::TokenCount;
use base::disk::{Disk, MemoryDisk};
use import::Recording;
use testkit::ScriptedModel;

use crate::in_process::{plain_answer, runtime};

/// Long tool results among short messages: what is shown is far less than what is stored.
const SAMPLE: &str = include_str!("../../../../examples/sample.jsonl");

const WINDOW: TokenCount = TokenCount(16_000);

/// Replays these messages, in a process of its own as it were, and tells whether the next process would
/// show the session from where this one did.
fn is_shown_whole(disk: &Arc<dyn Disk>, lines: &[&str]) -> bool {
    let recordings = MemoryDisk::new();
    let path = Path::new("/talk.jsonl");
    recordings.create_dir(Path::new("/")).unwrap();
    base::disk::replace(&recordings, path, lines.join("\n").as_bytes()).unwrap();
    let recording = Recording::open(Arc::new(recordings), path).unwrap();
    let clock = Arc::new(ReplayClock::new());
    let model = Arc::new(ScriptedModel::new().otherwise(plain_answer));
    let runtime = runtime(disk, Arc::clone(&clock) as _, model, WINDOW);
    let name = "talk".parse().unwrap();
    let source = ReplayInput {
        recording: &recording,
        name: &name,
        mode: ReplayMode::Resume,
    };
    let executor = tokio::runtime::Builder::new_current_thread().build();
    let mut on_event = |_| {};
    let replayed = replay(&runtime, &clock, source, &mut on_event);
    executor.unwrap().block_on(replayed).unwrap();
    let snapshot = runtime.home.sessions.read(&name, runtime.resume_limit());
    !snapshot.unwrap().view.is_cut
}

#[test]
fn i1_nothing_leaves_the_window_unseen_between_two_processes() {
    let lines: Vec<&str> = SAMPLE.lines().collect();
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    let cut: Vec<usize> = (1..=lines.len())
        .step_by(7)
        .filter(|n_messages| !is_shown_whole(&disk, &lines[..*n_messages]))
        .collect();
    assert_eq!(cut, [0; 0]);
}
