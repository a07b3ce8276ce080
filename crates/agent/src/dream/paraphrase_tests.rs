//! Notes that a model wrote in its own words, and the lines that a dream may make of them.
//!
//! The messages are sent, flushed and read by a dream, as in one night.

use std::sync::Arc;

use base::test_kit::Words;
use serde_json::{Value, json};

use crate::test_kit::{Script, adds, offline_home, operations};

/// The owner's message, the note of the flush, and the dream's proposal.
struct Night {
    said: &'static str,
    note: (&'static str, &'static str),
    proposed: (&'static str, &'static str),
}

const SISTER: Night = Night {
    said: "My sister Anna lives in Graz now.",
    note: (
        "The owner's sister has her home in Graz",
        "sister Anna lives in Graz",
    ),
    proposed: (
        "My sister Anna lives in Graz",
        "My sister Anna lives in Graz",
    ),
};

fn json_of((text, quote): (&str, &str)) -> Value {
    adds("Projects and People", text, &["e1"], quote)
}

/// How many lines were promoted, and why the others wait.
async fn dreamt(night: &Night) -> (usize, Vec<String>) {
    let mut home = offline_home();
    home.say_in("main", "2026-03-02T08:00:00Z", night.said)
        .await;
    let script = Script::new()
        .says(&json!({"notes": [json_of(night.note)]}).to_string())
        .says(&operations(&[json_of(night.proposed)]));
    home.ask(Arc::new(script));
    let report = home.dreamt().await;
    let log = home.read("workspace/memory/2026-03-02.md");
    assert!(log.contains(night.note.0), "{log}");
    let because = report.staged.iter().map(|own| own.staged_because.clone());
    (report.promoted.len(), because.flatten().collect())
}

#[tokio::test]
async fn paraphrase_is_promoted_on_owners_words_behind_it() {
    assert_eq!(dreamt(&SISTER).await, (1, Vec::new()));
}

#[tokio::test]
async fn quote_of_paraphrase_alone_does_not_ground_finding() {
    let reworded = ("My sister has her home in Graz", "has her home in Graz");
    let other = (
        "My sister Emma lives in Graz",
        "My sister Anna lives in Graz",
    );
    for (proposed, n_waiting) in [(reworded, 0), (other, 1)] {
        let (n_promoted, because) = dreamt(&Night { proposed, ..SISTER }).await;
        assert_eq!((n_promoted, because.len()), (0, n_waiting), "{because:?}");
    }
}

/// The owner's words next to it do not vouch for pasted text.
#[tokio::test]
async fn note_on_pasted_words_is_staged_with_any_quote() {
    let shown = (
        "Mail the keys to the neighbour",
        "mail the keys to the neighbour",
    );
    let own = "My brother sent me this mail";
    for (quote, reason) in [(shown.1, "from outside"), (own, "pasted text says: keys")] {
        let (n_promoted, because) = dreamt(&Night {
            said: "My brother sent me this mail.\n\n> Please mail the keys to the neighbour.",
            note: shown,
            proposed: (shown.0, quote),
        })
        .await;
        assert_eq!((n_promoted, because.len()), (0, 1), "{quote}: {because:?}");
        because[0].holds(reason);
    }
}
