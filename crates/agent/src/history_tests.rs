//! Rewinds and forks: the notes written before, and what search and the next turn see afterwards.

use base::TokenCount;
use base::test_kit::Words;
use search::{PassageSource, SearchOptions, SourceMessage};
use session::{Epoch, Payload};

use super::*;
use crate::expand::{ExpandOptions, ExpandOrder, expand};
use crate::jobs::compaction_kit::compaction;
use crate::test_kit::{Home, main, offline_home};

async fn talked() -> Home {
    let home = offline_home();
    home.say("2026-03-02T08:00:00Z", "I decided to rent the small hall.")
        .await;
    home.say("2026-03-02T08:05:00Z", "I decided to paint it turquoise.")
        .await;
    home
}

fn log(home: &Home) -> String {
    home.read("workspace/memory/2026-03-02.md")
}

/// The entry of the first message.
fn first(home: &Home) -> EntrySelector {
    EntrySelector::Entry(home.entries(&main())[0].to_string())
}

async fn went_back(home: &Home, to: &EntrySelector) -> Result<Rewound, TurnError> {
    rewind(&home.runtime, &main(), to, &mut |_| {}).await
}

async fn fork_of(home: &Home, name: &SessionName, new: &SessionName) -> Result<Forked, TurnError> {
    fork(&home.runtime, name, None, new, &mut |_| {}).await
}

/// The texts of a session that search gets.
fn searched(home: &Home, path: &str) -> String {
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let mut texts = Vec::new();
    let mut sink = |message: SourceMessage| texts.push(message.text);
    knowledge.sessions().read(path, None, &mut sink).unwrap();
    texts.join("\n")
}

#[tokio::test]
async fn rewind_flushes_abandoned_branch_and_hides_it_from_search() {
    let home = talked().await;
    let to = first(&home);
    let rewound = went_back(&home, &to).await.unwrap();
    assert_eq!(rewound.flush, Some(FlushOutcome::Written { n_notes: 2 }));
    assert_eq!(rewound.plan.left.unwrap().n_messages, 3);
    assert!(log(&home).contains("turquoise"), "{}", log(&home));
    let searched = searched(&home, "sessions/main.jsonl");
    searched.holds("small hall");
    searched.lacks("turquoise");
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let found = knowledge.search("turquoise", &SearchOptions::default(), &mut |_| {});
    let results = found.unwrap().results.into_iter();
    let paths: Vec<String> = results.map(|it| it.path).collect();
    assert_eq!(paths, ["memory/2026-03-02.md"; 2]);
}

#[tokio::test]
async fn rewind_to_current_entry_writes_nothing() {
    let home = talked().await;
    let to = first(&home);
    went_back(&home, &to).await.unwrap();
    let before = home.read("sessions/main.jsonl");
    let again = went_back(&home, &to).await.unwrap();
    assert_eq!((again.entry, again.flush), (None, None));
    assert_eq!(home.read("sessions/main.jsonl"), before);
}

#[tokio::test]
async fn i4_second_rewind_does_not_duplicate_notes() {
    let home = talked().await;
    let last = home.entries(&main()).pop().unwrap().to_string();
    went_back(&home, &first(&home)).await.unwrap();
    let noted = log(&home);
    let back = EntrySelector::Entry(last);
    let rewound = went_back(&home, &back).await.unwrap();
    assert_eq!((rewound.flush, log(&home)), (None, noted));
    assert_eq!(rewound.plan.back.unwrap().n_messages, 3);
    assert!(searched(&home, "sessions/main.jsonl").contains("turquoise"));
}

#[tokio::test]
async fn fork_copies_are_indexed_and_noted_once() {
    let home = talked().await;
    let new = "plan-b".parse().unwrap();
    let forked = fork_of(&home, &main(), &new).await.unwrap();
    assert_eq!(forked.flush, Some(FlushOutcome::Written { n_notes: 2 }));
    assert_eq!(forked.fork.n_messages(), 4);
    let noted = log(&home);
    assert_eq!(searched(&home, "sessions/plan-b.jsonl"), "");
    let ended = crate::flush(
        &home.runtime,
        &new,
        crate::FlushReason::ChatEnd,
        &mut |_| {},
    )
    .await;
    assert_eq!((ended.unwrap(), log(&home)), (None, noted));
    let ochre = "I decided on ochre instead.";
    home.say_in("plan-b", "2026-03-02T09:00:00Z", ochre).await;
    assert!(searched(&home, "sessions/plan-b.jsonl").contains("ochre"));
    let error = fork_of(&home, &main(), &new).await.unwrap_err();
    assert_eq!(error.to_string(), "session plan-b already exists");
}

#[tokio::test]
async fn forgotten_messages_stay_hidden_in_forks() {
    let home = talked().await;
    let EntrySelector::Entry(original) = first(&home) else {
        unreachable!()
    };
    let new: SessionName = "new".parse().unwrap();
    fork_of(&home, &main(), &new).await.unwrap();
    let copy = home.entries(&new).remove(0);
    let expanded = || {
        let options = ExpandOptions {
            by: Some(EntrySelector::Entry(copy.to_string())),
            budget: TokenCount(1_000),
            order: ExpandOrder::Ends,
        };
        let limit = home.runtime.resume_limit();
        let expansion = expand(&home.runtime.home, &new, &options, limit);
        format!("{:?}", expansion.unwrap().pieces)
    };
    assert!(expanded().contains("small hall"));
    home.forget("main", EntryId::new(original), 2);
    assert_eq!(expanded(), "[]");

    // A copy of the copy, made since; the session between them is gone.
    let last: SessionName = "last".parse().unwrap();
    fork_of(&home, &new, &last).await.unwrap();
    let path = std::path::Path::new("/home/sessions/new.jsonl");
    home.disk.remove(path).unwrap();
    let said = searched(&home, "sessions/last.jsonl");
    said.holds("turquoise");
    said.lacks("small hall");
}

#[tokio::test]
async fn fork_copies_are_found_after_original_is_removed() {
    let home = talked().await;
    let new = "plan-b".parse().unwrap();
    fork_of(&home, &main(), &new).await.unwrap();
    let path = std::path::Path::new("/home/sessions/main.jsonl");
    home.disk.remove(path).unwrap();
    assert!(searched(&home, "sessions/plan-b.jsonl").contains("turquoise"));
}

#[tokio::test]
async fn rewind_and_fork_fail_while_turn_is_open() {
    let home = talked().await;
    let to = first(&home);
    let turn = home.turn();
    let before = home.read("sessions/main.jsonl");
    let error = went_back(&home, &to).await.unwrap_err();
    assert!(matches!(error, TurnError::Begin(_)), "{error}");
    let new = "plan-b".parse().unwrap();
    let error = fork_of(&home, &main(), &new).await.unwrap_err();
    assert!(matches!(error, TurnError::Begin(_)), "{error}");
    assert_eq!(home.read("sessions/main.jsonl"), before);
    assert_eq!(home.read("sessions/plan-b.jsonl"), "");
    drop(turn);
}

#[tokio::test]
async fn i4_fork_is_rejected_while_notes_cannot_be_written() {
    let home = talked().await;
    let lock = std::path::Path::new("/home/state/locks/@daily-log.lock");
    let lock = home.disk.try_lock(lock).unwrap();
    let new = "plan-b".parse().unwrap();
    let error = fork_of(&home, &main(), &new).await.unwrap_err();
    assert!(matches!(error, TurnError::NotWrittenDown { .. }), "{error}");
    assert_eq!(home.read("sessions/plan-b.jsonl"), "");
    drop(lock);
    let forked = fork_of(&home, &main(), &new).await.unwrap();
    assert_eq!(forked.flush, Some(FlushOutcome::Written { n_notes: 2 }));
}

#[tokio::test]
async fn rewind_behind_compaction_keeps_epoch() {
    let home = talked().await;
    let to = first(&home);
    let spot = EntrySelector::EndOf(Epoch(0));
    let error = went_back(&home, &spot).await.unwrap_err();
    let expected = "session main has no compaction of epoch 0; its current epoch is 0";
    assert_eq!(error.to_string(), expected);
    let mut turn = home.turn();
    let kept = turn.view().items[2].entry.clone();
    let now = home.runtime.home.clock.now();
    turn.append_compaction(now, compaction(kept)).unwrap();
    drop(turn);
    went_back(&home, &to).await.unwrap();
    let turn = home.turn();
    assert_eq!(turn.state().compaction_count, Epoch(1));
    assert_eq!(turn.view().items.len(), 1);
    let rewinds = home.payloads(&main()).into_iter();
    let rewinds = rewinds.filter(|payload| matches!(payload, Payload::Rewind(_)));
    assert_eq!(rewinds.count(), 1);
}
