//! Dreams of a service while the machine sleeps, after the clock is set, and on quiet days.

use dreaming::Trigger;

use super::*;
use crate::test_kit::{Home, dream_settings, offline_home};

const GRAZ: &str = "Remember that I live in Graz.";

fn nightly() -> DreamSettings {
    DreamSettings {
        triggers: vec![Trigger::Schedule(Box::new("0 3 * * *".parse().unwrap()))],
        ..dream_settings(100_000)
    }
}

/// The outcome of one minute.
#[derive(Debug, PartialEq)]
enum Minute {
    NoLook,
    NothingFound,
    Promoted(usize),
}

async fn minute(home: &Home, dreams: &mut Dreams) -> Minute {
    home.clock.advance(LOOK_EVERY);
    dreams.begin_if_due();
    if dreams.job.is_none() {
        return Minute::NoLook;
    }
    match dreams.end().await {
        None => Minute::NothingFound,
        Some(DreamNews::Changed { n_promoted, .. }) => Minute::Promoted(n_promoted),
        Some(news @ (DreamNews::Misread { .. } | DreamNews::Failed(_))) => panic!("{news:?}"),
    }
}

#[tokio::test]
async fn dream_missed_while_asleep_runs_once_after_waking() {
    let home = offline_home();
    home.record("2026-03-02T08:00:00Z", GRAZ);
    let mut dreams = Dreams::begin(&home.runtime, nightly()).at_once();
    assert_eq!(minute(&home, &mut dreams).await, Minute::NothingFound);
    // Three nights in sleep: the monotonic clock stood still.
    home.set("2026-03-05T07:00:00Z");
    assert_eq!(minute(&home, &mut dreams).await, Minute::Promoted(1));
    assert_eq!(minute(&home, &mut dreams).await, Minute::NothingFound);
    assert_eq!(minute(&home, &mut dreams).await, Minute::NoLook);
    // Set back over the time at which it ran, and forward again.
    home.set("2026-03-05T00:30:00Z");
    assert_eq!(minute(&home, &mut dreams).await, Minute::NothingFound);
    home.set("2026-03-05T07:30:00Z");
    let memory = home.read("workspace/MEMORY.md");
    minute(&home, &mut dreams).await;
    assert_eq!(home.read("workspace/MEMORY.md"), memory);
    assert_eq!(memory.matches("live in Graz").count(), 1, "{memory}");
}

#[tokio::test]
async fn i11_dreams_look_only_after_change_or_due_time() {
    let home = offline_home();
    home.record("2026-03-02T08:00:00Z", GRAZ);
    let mut dreams = Dreams::begin(&home.runtime, nightly()).at_once();
    assert_eq!(minute(&home, &mut dreams).await, Minute::NothingFound);
    for _ in 0..100 {
        assert_eq!(minute(&home, &mut dreams).await, Minute::NoLook);
    }
    let work = "And I work there, too.";
    home.say("2026-03-02T10:00:00Z", work).await;
    assert_eq!(minute(&home, &mut dreams).await, Minute::NothingFound);
    assert_eq!(minute(&home, &mut dreams).await, Minute::NoLook);
    home.set("2026-03-03T02:00:00Z");
    assert_ne!(minute(&home, &mut dreams).await, Minute::NoLook);
}

#[tokio::test]
async fn interrupted_dream_has_ended_when_once_returns() {
    let home = offline_home();
    home.record("2026-03-02T08:00:00Z", GRAZ);
    home.set("2026-03-05T07:00:00Z");
    let dreams = Dreams::begin(&home.runtime, nightly()).at_once();
    let held = Arc::clone(&dreams.runtime);
    let news = dreams.once(std::future::ready(())).await;
    assert!(news.is_none(), "{news:?}");
    // The task of the dream holds the runtime until it ends.
    assert_eq!(Arc::strong_count(&held), 1);
}
