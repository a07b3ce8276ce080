//! A replay that loses its power at any moment, once or twice, and the result of resuming it.
//!
//! Enumerates the moments of the disk; never kills a process.

use std::path::Path;
use std::sync::LazyLock;

use agent::{Event, ReplayMode};
use base::disk::{CrashDisk, MemoryDisk, Unsynced};
use base::{Block, Disk, Message, estimate_message, head};
use import::Recording;
use testkit::{TimedMessage, conversation};

use crate::pipeline::{Home, MAIN, assert_exactly_once, matters, put, recording};

/// The room of the window next to the prompt: so small that twelve messages are compacted twice.
const ROOM: u64 = 2_200;

/// The tokens of the prompt of a home that [`start`] begins.
pub(crate) fn prompt_tokens() -> u64 {
    static PROMPT: LazyLock<u64> = LazyLock::new(|| {
        let said = two_days(1, 1);
        let home = Home::new(start(), 100_000);
        let (_, events) = home.replay(&recording(&said), ReplayMode::Fresh);
        let mut sizes = events.iter().filter_map(|event| {
            let Event::Message { context_tokens, .. } = event else {
                return None;
            };
            Some(*context_tokens)
        });
        sizes.next().unwrap().0 - estimate_message(&said[0].message).0
    });
    *PROMPT
}

/// The window, which grows with the prompt, so that the room and the compactions stay the same.
fn window() -> u64 {
    prompt_tokens() + ROOM
}

const TRANSCRIPT: &str = "sessions/main.jsonl";

/// Messages over two days, each of a fifth of the room that the prompt leaves.
fn two_days(n_messages: usize, n_words: usize) -> Vec<TimedMessage> {
    let mut said = matters(n_messages, 45, n_words);
    for said in said.iter_mut().skip(1).step_by(2) {
        said.message = Message::assistant(said.message.text());
    }
    said
}

/// A home that the owner has used before.
fn start() -> MemoryDisk {
    let disk = MemoryDisk::new();
    put(
        &disk,
        "workspace/MEMORY.md",
        b"# Memory\n- Paints fences.\n",
    );
    put(&disk, "workspace/AGENTS.md", b"Be brief.\n");
    disk
}

/// How many messages were reported as durable.
fn n_acknowledged(events: &[Event]) -> usize {
    let is_message = |event: &&Event| matches!(event, Event::Message { .. });
    events.iter().filter(is_message).count()
}

/// The whole lines of the transcript.
fn whole_lines(disk: &MemoryDisk) -> Vec<u8> {
    let mut bytes = Home::files(disk)
        .remove(Path::new(TRANSCRIPT))
        .unwrap_or_default();
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    bytes.truncate(end.map_or(0, |end| end + 1));
    bytes
}

/// The engine that writes notes and summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Engine {
    /// The double, which notes every message.
    Double,
    /// The program's own engine, which selects what to note.
    Offline,
}

/// A replay that is crashed.
struct Case {
    said: Vec<TimedMessage>,
    recording: Recording,
    engine: Engine,
    /// How many compactions it takes without a crash.
    n_compactions: usize,
}

impl Case {
    /// The case, and the run without a crash whose moments are enumerated.
    fn new(said: &[TimedMessage], engine: Engine) -> (Self, CrashDisk) {
        let mut case = Self {
            said: said.to_vec(),
            recording: recording(said),
            engine,
            n_compactions: 0,
        };
        let whole = CrashDisk::new(&start(), u64::MAX);
        let home = case.home(whole.clone());
        home.replayed(&case.recording, ReplayMode::Fresh);
        case.n_compactions = home.transcript(MAIN).compactions().len();
        (case, whole)
    }

    fn home(&self, disk: impl Disk + 'static) -> Home {
        let home = Home::new(disk, window());
        match self.engine {
            Engine::Double => home,
            Engine::Offline => home.with_offline_engine(),
        }
    }

    fn messages(&self) -> Vec<Message> {
        self.said.iter().map(|said| said.message.clone()).collect()
    }

    /// The conditions that hold after a crash, before anything is repaired: every acknowledged message is there (I1).
    fn assert_acknowledged(&self, found: &MemoryDisk, events: &[Event]) {
        let n_acknowledged = n_acknowledged(events);
        if n_acknowledged > 0 {
            let messages = self.home(found.clone()).transcript(MAIN).messages();
            assert!(n_acknowledged <= messages.len());
            assert_eq!(messages, self.messages()[..messages.len()]);
        }
    }

    /// The conditions that hold after a resumed replay has finished.
    fn assert_whole(&self, disk: &MemoryDisk, found_lines: &[u8]) {
        let transcript = self.home(disk.clone()).transcript(MAIN);
        assert_eq!(transcript.messages(), self.messages(), "I1");
        assert!(whole_lines(disk).starts_with(found_lines), "I2");
        assert_exactly_once(&transcript, disk);
        if self.engine == Engine::Double {
            let spans = transcript.spans(&Home::blocks(disk)).into_iter();
            let covered: Vec<usize> = spans.flat_map(|(first, last)| first..=last).collect();
            let expected: Vec<usize> = (0..self.said.len()).collect();
            assert_eq!(covered, expected, "each entry in one block");
        }
        assert!(transcript.compactions().len() >= self.n_compactions);
        for (path, bytes) in Home::files(&start()) {
            let found = Home::files(disk).remove(&path);
            assert_eq!(found, Some(bytes), "{}", path.display());
        }
    }

    /// Crashes at a moment, checks the home, perhaps crashes the resumed replay too, and resumes to the end.
    fn crash_and_resume(&self, at: u64, again: Option<u64>) {
        let crashing = CrashDisk::new(&start(), at);
        let home = self.home(crashing.clone());
        let (result, events) = home.replay(&self.recording, ReplayMode::Fresh);
        assert!(result.is_err(), "no crash at {at}");
        for unsynced in [Unsynced::Kept, Unsynced::Lost] {
            let mut found = crashing.after_crash(unsynced);
            self.assert_acknowledged(&found, &events);
            let lines = whole_lines(&found);
            if let Some(again) = again {
                let crashing = CrashDisk::new(&found, again);
                let home = self.home(crashing.clone());
                let (_, events) = home.replay(&self.recording, ReplayMode::Resume);
                found = crashing.after_crash(unsynced);
                self.assert_acknowledged(&found, &events);
            }
            let home = self.home(found.clone());
            let (result, _) = home.replay(&self.recording, ReplayMode::Resume);
            let place = format!("after a crash at {at}, {again:?}, {unsynced:?}");
            result.unwrap_or_else(|error| panic!("{place}: {error}"));
            let check = || self.assert_whole(&found, &lines);
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check));
            assert!(checked.is_ok(), "{place}");
        }
    }
}

#[test]
fn i1_i2_i4_replay_survives_crash_at_each_disk_operation() {
    let (case, run) = Case::new(&two_days(12, 32), Engine::Double);
    assert_eq!(case.n_compactions, 2);
    let whole = run.after_crash(Unsynced::Lost);
    case.assert_whole(&whole, b"");
    let days: Vec<String> = Home::logs(&whole).into_keys().collect();
    assert_eq!(days, ["2026-04-20", "2026-04-21"]);
    for at in run.boundaries() {
        case.crash_and_resume(at, None);
    }
}

#[test]
fn i1_i2_i4_replay_survives_second_crash_during_resume() {
    let (case, run) = Case::new(&two_days(8, 41), Engine::Double);
    assert_eq!(case.n_compactions, 1);
    let boundaries: Vec<u64> = run.boundaries().into_iter().collect();
    for (number, at) in boundaries.iter().enumerate() {
        // Some other boundary, another one for each; a prime that shares no rhythm with them.
        let again = boundaries[number * 37 % boundaries.len()] / 3;
        case.crash_and_resume(*at, Some(again));
    }
}

#[test]
fn i1_i2_i4_replay_survives_crash_between_any_two_bytes() {
    let (case, run) = Case::new(&two_days(5, 1)[4..], Engine::Double);
    for at in 0..run.n_moments() {
        case.crash_and_resume(at, None);
    }
}

#[test]
fn i1_i2_i4_replay_with_offline_engine_survives_crashes() {
    let mut said = conversation(12, 70);
    for said in &mut said {
        for block in said.message.content_mut() {
            if let Block::Text(text) = block {
                *text = head(text, 1_200).to_owned();
            }
        }
    }
    let (case, run) = Case::new(&said, Engine::Offline);
    assert!(case.n_compactions > 1, "{}", case.n_compactions);
    let whole = run.after_crash(Unsynced::Lost);
    assert!(Home::blocks(&whole).len() > 2);
    for at in run.boundaries().into_iter().step_by(17) {
        case.crash_and_resume(at, None);
    }
}
