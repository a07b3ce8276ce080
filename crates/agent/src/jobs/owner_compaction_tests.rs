//! Compaction at the owner's request: the plan and the outcome agree, and the owner's instructions reach the model.

use std::sync::Arc;

use base::model::Purpose;
use session::Payload;

use super::*;
use crate::test_kit::{Home, Script, home, main, offline_home};

fn compactions(home: &Home) -> usize {
    let payloads = home.payloads(&main());
    let is_compaction = |payload: &&Payload| matches!(payload, Payload::Compaction(_));
    payloads.iter().filter(is_compaction).count()
}

#[tokio::test]
async fn compact_now_executes_plan_after_flush() {
    let home = offline_home();
    home.talk_long_in("main").await;
    let file = home.read("sessions/main.jsonl");
    let before = home.entries(&main());
    let Ok(plan) = plan_compaction(&home.runtime, &main()).unwrap() else {
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
    let after = home.entries(&main());
    assert_eq!(after[1..], before[plan.n_leaving..]);
    assert_eq!(after.get(1), plan.first_kept.as_ref());
    assert_eq!(compactions(&home), 1);
    let log = home.read("workspace/memory/2026-03-02.md");
    assert!(log.contains("rent hall 0"));
    // I2: what was written before stands.
    assert!(home.read("sessions/main.jsonl").starts_with(&file));
}

#[tokio::test]
async fn compact_instructions_reach_model_despite_open_breaker() {
    let script = Script::replies(5);
    let home = home(Arc::clone(&script) as _);
    home.talk_long_in("main").await;
    let mut turn = home.turn();
    let open = Meta {
        compaction_failures: 3,
        ..turn.state().clone()
    };
    turn.append_meta(home.runtime.home.clock.now(), open)
        .unwrap();
    drop(turn);
    let wishes = Some("keep the prices of the halls ".repeat(100));
    let compacted = compact_now(&home.runtime, &main(), wishes, &mut |_| {}).await;
    let Ok(CompactionOutcome::Done { .. }) = compacted else {
        panic!("{compacted:?}");
    };
    let mut requests = script.requests().into_iter();
    let asked = requests.find(|request| request.purpose == Purpose::Summarise);
    let asked = format!("{:?}", asked.unwrap());
    let n_wishes = asked.matches("keep the prices of the halls").count();
    assert!(
        (1..100).contains(&n_wishes),
        "{n_wishes}: bounded, and there"
    );
}

#[tokio::test]
async fn compact_without_anything_to_replace_writes_nothing() {
    let home = offline_home();
    home.say("2026-03-02T08:00:00Z", "I decided to rent the hall.")
        .await;
    let before = home.read("sessions/main.jsonl");
    let Err(why) = plan_compaction(&home.runtime, &main()).unwrap() else {
        panic!("nothing leaves");
    };
    assert_eq!(why.strategy, "handoff");
    assert!(why.keep.is_some_and(|keep| why.shown < keep), "{why:?}");
    let compacted = compact_now(&home.runtime, &main(), None, &mut |_| {}).await;
    assert_eq!(compacted.unwrap(), CompactionOutcome::Nothing(why));
    assert_eq!(home.read("sessions/main.jsonl"), before);
    assert_eq!(home.read("workspace/memory/2026-03-02.md"), "");
}
