//! Configurations of other programs, and the settings that they become.

use compaction::{Replace, Strategy};
use testkit::Words;

use super::super::layers::Config;
use super::*;
use crate::config::test_kit;

/// The settings that result from a file.
fn read(file: &str, assignments: &[(&str, &str)]) -> Result<Config> {
    test_kit::read(&[("config.yaml", file)], &[], assignments)
}

fn strategy(file: &str) -> Strategy {
    read(file, &[]).unwrap().settings.compaction.to_strategy()
}

#[test]
fn settings_of_other_programs_are_read_under_their_names() {
    let files = [
        "auto_compact_threshold: 150000\n",
        "compaction:\n  threshold: 90000\n",
        "auto_compact_threshold: 0\n",
        "auto_compact_threshold: -1\n",
        "defaults:\n  context_window: 64000\n  compaction:\n    background_threshold: 0.70\n    \
         aggressive_threshold: 0.75\n    emergency_threshold: 0.90\n",
        "compaction: {background_threshold: 0.7}\n",
        "CompactionStrategy: summarize\nCompactionThresholdTokens: 60000\nProtectedTailMessages: 8\n\
         MaxToolResultChars: 20000\nMaxConversationMessages: 40\n",
        "CompactionStrategy: none\nCompactionThresholdTokens: 60000\n",
        "MaxConversationMessages: 40\n",
    ];
    let read_as = files.map(|file| format!("{file}-> {:?}\n", strategy(file)));
    insta::assert_snapshot!(read_as.join("\n"));
    let warns = read("context_warnings: true\n", &[]).unwrap();
    let warns = warns.settings.compaction;
    assert!(warns.context_warnings && warns.to_strategy() == Strategy::Handoff);
}

#[test]
fn strategy_in_higher_layer_overrides_alias_without_conflict() {
    let config = read(
        "auto_compact_threshold: 150000\n",
        &[("compaction.strategy", "handoff")],
    );
    let compaction = config.unwrap().settings.compaction;
    assert_eq!(compaction.to_strategy(), Strategy::Handoff);
    let config = read("", &[("CompactionThresholdTokens", "500")]).unwrap();
    assert!(matches!(
        config.settings.compaction.to_strategy(),
        Strategy::Middle(_)
    ));
}

#[test]
fn conflicting_aliases_are_reported_with_place() {
    let problems: Vec<String> = [
        "auto_compact_threshold: 1\ncompaction:\n  threshold: 2\n",
        "auto_compact_threshold: 1\ncompaction:\n  replace:\n    threshold: 2\n",
        "auto_compact_threshold: 1\ncompaction:\n  strategy: handoff\n",
        "auto_compact_threshold: 1\nCompactionStrategy: summarize\n",
        "auto_compact_threshold: 1\nProtectedTailMessages: 6\n",
        "compaction:\n  threshold: 1\n  background_threshold: 0.5\n",
        "auto_compact_threshold: lots\n",
        "CompactionStrategy: sometimes\n",
        "compaction:\n  strategy: tiered\n  tiered:\n    aggressiveThreshold: 0.5\n",
        "compaction:\n  tiered:\n    backgroundThreshold: 1.5\n",
    ]
    .iter()
    .map(|file| {
        let error = read(file, &[]).unwrap_err();
        let wrong = error.message.strip_prefix("invalid value for ").unwrap();
        let (key, problem) = wrong.split_once(": ").unwrap();
        let origin = error.whiles[0].strip_prefix("reading ").unwrap();
        format!("{key}, {origin}: {problem}")
    })
    .collect();
    insta::assert_snapshot!(problems.join("\n"));
}

#[test]
fn repeated_equal_setting_is_not_conflict() {
    let twice =
        "auto_compact_threshold: 7000\ncompaction:\n  threshold: 7000\n  strategy: replace\n";
    let threshold = Some(base::TokenCount(7_000));
    assert_eq!(strategy(twice), Strategy::Replace(Replace { threshold }));
}

#[test]
fn aliases_lead_to_existing_settings() {
    let config = read("", &[]).unwrap();
    for Alias(_, setting, _) in ALIASES {
        assert!(config.values.contains_key(*setting), "{setting}");
    }
}

#[test]
fn per_agent_settings_are_rejected_with_hint_to_separate_homes() {
    for text in [
        "agents: [{id: small, compaction: {background_threshold: 0.7}}]\n",
        "agents:\n  compaction:\n    background_threshold: 0.7\n",
    ] {
        let failure = read(text, &[]).unwrap_err();
        failure.message.begins("unknown setting agents");
        assert!(
            failure
                .hints
                .iter()
                .any(|hint| hint.contains("openclaw --home DIR init")),
            "{failure:?}"
        );
    }
}
