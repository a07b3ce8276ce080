//! Many processes that ask, alongside one that changes what they ask about.
//!
//! Checks that an answer never mixes two states, and that the states appear in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use base::Disk;
use base::disk::OsDisk;
use serde_json::Value;
use testkit::TestHome;

const N_STATES: usize = 12;
const N_READERS: usize = 3;
const PIERS: [&str; 4] = ["north", "south", "east", "west"];

/// A note in which every line has the same number.
fn note(state: usize) -> String {
    let line = |pier| format!("- The ferry of the {pier} pier leaves at gate {state}.\n");
    PIERS.map(line).concat()
}

/// Saves in one step, as an editor does.
fn save(home: &TestHome, state: usize) {
    let at = |name: &str| home.path().join("workspace").join(name);
    home.write("workspace/next.tmp", note(state));
    let (next, log) = (at("next.tmp"), at("memory/2026-04-20.md"));
    OsDisk.rename(&next, &log).unwrap();
}

/// The number in all lines of an answer.
fn state_of(answer: &Value) -> usize {
    let degraded = &answer["degraded"];
    assert!(
        degraded.is_null() || degraded == "being-written",
        "{answer}"
    );
    let results = answer["results"].as_array().unwrap();
    let number = |found: &Value| {
        let text = found["text"].as_str().unwrap();
        let number = text.rsplit(' ').next().unwrap().trim_end_matches('.');
        number.parse().unwrap()
    };
    let numbers: Vec<usize> = results.iter().map(number).collect();
    assert_eq!(numbers, [numbers[0]; PIERS.len()], "{answer}");
    numbers[0]
}

#[test]
fn concurrent_searches_see_existing_states_in_order() {
    let home = TestHome::init();
    save(&home, 0);
    let ask = || {
        let arguments = "memory search --json --source memory 'ferry gate'";
        state_of(&home.ok(arguments).json())
    };
    assert_eq!(ask(), 0);
    let saved = AtomicUsize::new(0);
    let seen: Vec<Vec<usize>> = thread::scope(|scope| {
        let read = || {
            let mut seen = Vec::new();
            while seen.last() != Some(&N_STATES) {
                seen.push(ask());
                assert!(seen.last() <= Some(&saved.load(Ordering::SeqCst)));
            }
            seen
        };
        let readers: Vec<_> = (0..N_READERS).map(|_| scope.spawn(read)).collect();
        for state in 1..=N_STATES {
            saved.store(state, Ordering::SeqCst);
            save(&home, state);
            // Who writes the index now is whoever comes first.
            let _found = ask();
        }
        readers
            .into_iter()
            .map(|reader| reader.join().unwrap())
            .collect()
    });
    for seen in seen {
        assert!(seen.is_sorted(), "{seen:?}");
    }
}
