//! Compaction that the owner asks for: what the plan says is what happens, and wishes reach the model.

use std::sync::Arc;

use base::Model;
use base::model::Purpose;
use session::Payload;

use super::*;
use crate::test_kit::{Home, Script, home, main, offline_home};

/// Says enough that something can leave, and too little that it must.
async fn talk(home: &Home) {
    let filling = "so it goes on ".repeat(750);
    for minute in 0..5 {
        let at = format!("2026-03-02T08:0{minute}:00Z");
        let text = format!("I decided to rent hall {minute}. {filling}");
        home.say(&at, &text).await;
    }
}

fn compactions(home: &Home) -> usize {
    let payloads = home.payloads(&main());
    let is_compaction = |payload: &&Payload| matches!(payload, Payload::Compaction(_));
    payloads.iter().filter(is_compaction).count()
}

fn items(home: &Home) -> Vec<EntryId> {
    let limit = home.runtime.resume_limit();
    let view = home
        .runtime
        .home
        .sessions
        .read(&main(), limit)
        .unwrap()
        .view;
    view.items.into_iter().map(|item| item.entry).collect()
}

#[tokio::test]
async fn a_compaction_does_what_was_planned_after_a_flush() {
    let home = offline_home();
    talk(&home).await;
    let file = home.read("sessions/main.jsonl");
    let before = items(&home);
    let PlannedCompaction::Leaves(plan) = plan_compaction(&home.runtime, &main()).unwrap() else {
        panic!("something leaves");
    };
    assert_eq!(home.read("sessions/main.jsonl"), file);
    assert_eq!(plan.flush, FlushNeed::Needed);
    assert_eq!(plan.n_leaving + plan.n_kept, before.len());

    let compacted = compact_now(&home.runtime, &main(), None, &mut |_| {}).await;
    let CompactionOutcome::Done {
        plan: done,
        tokens_after,
    } = compacted.unwrap()
    else {
        panic!("nothing left");
    };
    assert_eq!(done, plan);
    assert!(tokens_after < plan.tokens_before);
    assert_eq!(items(&home)[1..], before[plan.n_leaving..]);
    assert_eq!(
        (Some(items(&home)[1].clone()), compactions(&home)),
        (plan.first_kept, 1)
    );
    assert!(
        home.read("workspace/memory/2026-03-02.md")
            .contains("rent hall 0")
    );
    // I2: what was written before stands.
    assert!(home.read("sessions/main.jsonl").starts_with(&file));
}

#[tokio::test]
async fn instructions_for_a_summary_reach_the_model_even_with_an_open_breaker() {
    let mut script = Script::new();
    for _ in 0..5 {
        script = script.says("Noted.");
    }
    let script = Arc::new(script);
    let home = home(Arc::clone(&script) as Arc<dyn Model>);
    talk(&home).await;
    let mut turn = home
        .runtime
        .home
        .sessions
        .begin_turn(&main(), home.runtime.resume_limit())
        .unwrap();
    let open = Meta {
        compaction_failures: 3,
        ..turn.state().clone()
    };
    turn.append_meta("2026-03-02T08:10:00Z".parse().unwrap(), open)
        .unwrap();
    drop(turn);
    let wishes = Some("keep the prices of the halls ".repeat(100));
    let compacted = compact_now(&home.runtime, &main(), wishes, &mut |_| {}).await;
    assert!(
        matches!(compacted, Ok(CompactionOutcome::Done { .. })),
        "{compacted:?}"
    );
    let requests = script.requests();
    let asked = requests
        .iter()
        .find(|request| request.purpose == Purpose::Summarise)
        .map(|request| format!("{request:?}"))
        .unwrap();
    let n_wishes = asked.matches("keep the prices of the halls").count();
    assert!(
        (1..100).contains(&n_wishes),
        "{n_wishes}: bounded, and there"
    );
}

#[tokio::test]
async fn where_nothing_can_leave_nothing_is_written() {
    let home = offline_home();
    home.say("2026-03-02T08:00:00Z", "I decided to rent the hall.")
        .await;
    let before = home.read("sessions/main.jsonl");
    let PlannedCompaction::Stays(why) = plan_compaction(&home.runtime, &main()).unwrap() else {
        panic!("nothing leaves");
    };
    assert_eq!(why.strategy, "handoff");
    assert!(why.keep.is_some_and(|keep| why.shown < keep), "{why:?}");
    let compacted = compact_now(&home.runtime, &main(), None, &mut |_| {}).await;
    assert_eq!(compacted.unwrap(), CompactionOutcome::Nothing(why));
    assert_eq!(home.read("sessions/main.jsonl"), before);
    assert_eq!(home.read("workspace/memory/2026-03-02.md"), "");
}
