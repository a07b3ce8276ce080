//! The models that are asked for each purpose: the owner's lists and their fallbacks.
//!
//! Compares names, because models cannot be compared.

use super::*;
use crate::test_kit::{Script, models};

fn script(name: &str, concurrency: usize) -> Arc<dyn Model> {
    Arc::new(Script::new().named(name, concurrency))
}

fn names(models: &[&Arc<dyn Model>]) -> Vec<String> {
    models.iter().map(|it| it.profile().name).collect()
}

#[test]
fn purpose_without_own_models_uses_chat_models() {
    let mut models = models(script("first", 9));
    models.others.chat = vec![script("second", 9)];
    models.others.summarise = vec![script("cheap", 9), script("dear", 9)];
    let remote = |purpose| names(&models.remote(purpose));
    assert_eq!(remote(Purpose::Flush), ["first", "second"]);
    assert_eq!(remote(Purpose::Consolidate), ["first", "second"]);
    assert_eq!(remote(Purpose::Summarise), ["cheap", "dear"]);
}

#[test]
fn preferred_model_answers_first_and_others_stay_fallbacks() {
    let mut models = models(script("first", 9));
    models.others.chat = vec![script("second", 9), script("third", 9)];
    assert_eq!(models.names(), ["first", "second", "third"]);
    let third = models.clone().preferring("third");
    assert_eq!(third.names(), ["third", "second", "first"]);
    for name in ["first", "missing"] {
        let same = models.clone().preferring(name);
        assert_eq!(same.names(), models.names(), "{name}");
    }
}

#[test]
fn offline_engine_ends_list_of_remote_models() {
    let mut models = models(script("first", 9));
    models.others.flush = vec![Arc::clone(&models.offline) as _, script("never", 9)];
    assert!(models.remote(Purpose::Flush).is_empty());
    assert!(models.is_offline_for(Purpose::Flush));
    assert!(!models.is_offline_for(Purpose::Summarise));
    assert!(!models.is_offline());
    let offline = Arc::clone(&models.offline);
    let alone = Models::new(Arc::clone(&offline) as _, offline);
    assert!(alone.remote(Purpose::Chat).is_empty());
    assert!(alone.is_offline() && alone.is_offline_for(Purpose::Consolidate));
}

#[test]
fn can_work_beside_requires_writers_that_take_second_call() {
    let mut models = models(script("busy", 1));
    assert!(!models.can_work_beside());
    models.others.flush = vec![script("free", 2), script("last resort", 1)];
    assert!(!models.can_work_beside());
    models.others.summarise = vec![Arc::clone(&models.offline) as _];
    assert!(models.can_work_beside());
}

#[test]
fn i6_chat_models_keep_owners_window_and_summarisers_their_own() {
    let windowed = |window: u64| -> Arc<dyn Model> { Arc::new(Script::new().with_window(window)) };
    let mut models = models(windowed(64_000));
    models.others.chat = vec![windowed(8_000)];
    models.others.summarise = vec![windowed(100_000)];
    let owner = TokenCount(32_000);
    let window = |model: &Arc<dyn Model>| models.window_of(&**model, owner).0;
    assert_eq!(window(&models.primary), 32_000);
    assert_eq!(window(&models.others.chat[0]), 8_000);
    assert_eq!(window(&models.others.summarise[0]), 100_000);
    assert_eq!(models.window_of(&*models.offline, owner).0, 32_000);
}
