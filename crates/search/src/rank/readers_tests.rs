//! Many readers of the index alongside one writer.
//!
//! Knows the states that were committed and compares every answer with them; contains no scores.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use base::disk::OsDisk;

use super::tests::{Home, said};
use super::*;
use crate::rank::SearchAnswer;

const N_READERS: usize = 3;
const N_STATES: usize = 60;

/// Tells readers that the stream has ended, even if the writer failed.
struct TellsEnd<'a>(&'a AtomicBool);

impl Drop for TellsEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn ask(index: &Index) -> SearchAnswer {
    let question = "When does the ferry leave?";
    search(index, question, &SearchOptions::default()).unwrap()
}

/// Moves passages, adds some and takes some away, in notes and in a session.
fn change(home: &mut Home, state: usize) {
    home.write(
        "memory/2024-05-01.md",
        &format!("- the ferry leaves at {state}\n").repeat(1 + state % 5),
    );
    home.write(
        &format!("memory/2024-05-{:02}.md", 2 + state % 9),
        "- a ferry is late\n",
    );
    let said = said(state + 2, "user", &format!("Ferry number {state} leaves."));
    home.sessions.documents = vec![("sessions/a.jsonl".into(), vec![said])];
}

#[test]
fn concurrent_readers_see_only_committed_states_in_order() {
    let mut home = Home::new(&[("memory/2024-05-01.md", "- the ferry leaves at 0\n")]);
    let path = home.directory.path().join("index");
    let mut committed = vec![ask(&home.index)];
    let is_over = AtomicBool::new(false);
    let start = Barrier::new(N_READERS + 1);
    // One reads with the index that it has, the others with one that they open each time.
    let read = |reader: usize| {
        let open = || Index::open(Arc::new(OsDisk), &path).unwrap();
        let mut index = open();
        let mut seen = vec![ask(&index)];
        start.wait();
        while !is_over.load(Ordering::SeqCst) {
            if reader > 0 {
                index = open();
            }
            let answer = ask(&index);
            if seen.last() != Some(&answer) {
                seen.push(answer);
            }
        }
        seen.push(ask(&index));
        seen
    };
    let read = &read;
    let seen: Vec<Vec<SearchAnswer>> = thread::scope(|scope| {
        let readers: Vec<_> = (0..N_READERS)
            .map(|reader| scope.spawn(move || read(reader)))
            .collect();
        start.wait();
        let over = TellsEnd(&is_over);
        for state in 1..=N_STATES {
            change(&mut home, state);
            // No reader keeps the writer from it.
            home.sync();
            committed.push(ask(&home.index));
        }
        drop(over);
        readers
            .into_iter()
            .map(|reader| reader.join().unwrap())
            .collect()
    });
    for seen in seen {
        assert_eq!(seen.first(), committed.first());
        assert_eq!(seen.last(), committed.last());
        // States come in the order in which they were committed.
        let mut at = 0;
        for answer in &seen {
            let ahead = committed[at..].iter().position(|state| state == answer);
            at += ahead.unwrap_or_else(|| panic!("{answer:?} was never committed after {at}"));
        }
    }
}
