//! A replay that is killed again and again, as by `kill -9`, ends with the same messages.
//!
//! The moment of each kill depends on the machine; the result must not.

use std::io::{BufRead, BufReader};

use testkit::{TestHome, Transcript, conversation, to_jsonl};

use crate::held;

/// Messages in the recording.
const N_MESSAGES: usize = 90;

/// Runs the replay until it has printed this many events, then kills it; returns `true` if the replay finished first.
fn killed_after(home: &TestHome, arguments: &str, n_events: usize) -> bool {
    let mut child = home.spawn(arguments);
    let stdout = child.stdout.take().unwrap();
    let n_seen = BufReader::new(stdout).lines().take(n_events).count();
    child.kill().unwrap();
    child.wait().unwrap();
    n_seen < n_events
}

#[test]
fn i1_i4_repeatedly_killed_replay_ends_with_same_messages() {
    let said = conversation(3, N_MESSAGES);
    let home = TestHome::new();
    home.input("talk.jsonl", to_jsonl(&said));
    let arguments = "replay talk.jsonl -s talk --json --resume --set compaction.contextWindow=6000";
    let mut n_kills = 0;
    // Small numbers first: there the home, the header and the first flush come into being.
    for n_events in (0..).map(|round| round % 9) {
        if killed_after(&home, arguments, n_events) {
            break;
        }
        n_kills += 1;
        assert!(n_kills < 10 * N_MESSAGES, "it never ends");
    }
    assert!(n_kills > 10, "{n_kills}");
    home.ok(arguments);
    held::all(&home, "talk", &said);

    let whole = TestHome::new();
    whole.input("talk.jsonl", to_jsonl(&said));
    whole.ok(arguments);
    let (killed, whole) = (
        Transcript::read(&home, "talk"),
        Transcript::read(&whole, "talk"),
    );
    assert_eq!(killed.messages(), whole.messages());
    assert!(whole.compaction_epochs().len() > 1, "too short to compact");
}
