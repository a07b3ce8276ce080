//! What the configurations of other programs become here.

use std::path::Path;

use base::disk::MemoryDisk;
use compaction::{Middle, Permille, Replace, Strategy, Tiered};

use super::super::layers::{Assignment, Config, ConfigSources, load};
use super::*;
use crate::environment::Environment;
use crate::home::Home;

/// The settings that a file gives.
fn read(file: &str, assignments: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let disk = MemoryDisk::default();
    base::Disk::create_dir(&disk, Path::new("/h")).unwrap();
    base::disk::replace(&disk, Path::new("/h/config.yaml"), file.as_bytes()).unwrap();
    let home = Home::find(Some(Path::new("/h")), &Environment::default()).unwrap();
    let assignments: Vec<_> = assignments
        .iter()
        .map(|(key, value)| Assignment {
            key: (*key).to_owned(),
            value: (*value).to_owned(),
        })
        .collect();
    load(ConfigSources {
        disk: &disk,
        home: &home,
        variables: &[],
        assignments: &assignments,
    })
}

#[track_caller]
fn check(file: &str, expected: Strategy) {
    let found = read(file, &[]).unwrap().settings.compaction.to_strategy();
    assert_eq!(found, expected, "{file}");
}

fn replace(threshold: Option<u64>) -> Strategy {
    Strategy::Replace(Replace {
        threshold: threshold.map(base::TokenCount),
    })
}

#[test]
fn each_program_of_origin_is_read_under_its_own_names() {
    check("auto_compact_threshold: 150000\n", replace(Some(150_000)));
    check("compaction:\n  threshold: 90000\n", replace(Some(90_000)));
    check("auto_compact_threshold: 0\n", replace(None));
    check("auto_compact_threshold: -1\n", replace(None));
    let tighter = Tiered {
        background: Permille(700),
        aggressive: Permille(750),
        emergency: Permille(900),
    };
    check(
        "defaults:\n  context_window: 64000\n  compaction:\n    background_threshold: 0.70\n    \
         aggressive_threshold: 0.75\n    emergency_threshold: 0.90\n",
        Strategy::Tiered(tighter),
    );
    check(
        "compaction: {background_threshold: 0.7}\n",
        Strategy::Tiered(Tiered {
            background: Permille(700),
            ..Tiered::default()
        }),
    );
    check(
        "CompactionStrategy: summarize\nCompactionThresholdTokens: 60000\nProtectedTailMessages: 8\n\
         MaxToolResultChars: 20000\nMaxConversationMessages: 40\n",
        Strategy::Middle(Middle {
            threshold: base::TokenCount(60_000),
            protected_tail: 8,
            messages_max: 40,
            result_chars_max: 20_000,
        }),
    );
    check(
        "CompactionStrategy: none\nCompactionThresholdTokens: 60000\n",
        Strategy::Off,
    );
    check(
        "MaxConversationMessages: 40\n",
        Strategy::Middle(Middle {
            messages_max: 40,
            ..Middle::default()
        }),
    );
    let warns = read("context_warnings: true\n", &[])
        .unwrap()
        .settings
        .compaction;
    assert!(warns.context_warnings && warns.to_strategy() == Strategy::Handoff);
}

#[test]
fn a_higher_layer_chooses_another_strategy_without_a_contradiction() {
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
fn names_that_contradict_one_another_are_told_with_their_place() {
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
    .map(|file| match read(file, &[]) {
        Err(ConfigError::Wrong {
            key,
            origin,
            problem,
        }) => format!("{key}, {origin}: {problem}"),
        other => panic!("{file}: {other:?}"),
    })
    .collect();
    insta::assert_snapshot!(problems.join("\n"));
}

#[test]
fn the_same_said_twice_is_no_contradiction() {
    check(
        "auto_compact_threshold: 7000\ncompaction:\n  threshold: 7000\n  strategy: replace\n",
        replace(Some(7_000)),
    );
}

#[test]
fn every_other_name_leads_to_a_setting() {
    let config = read("", &[]).unwrap();
    for Alias(_, setting, _) in ALIASES {
        assert!(config.values.contains_key(*setting), "{setting}");
    }
}

#[test]
fn settings_for_each_agent_are_an_error_that_names_a_home_for_each() {
    for text in [
        "agents: [{id: small, compaction: {background_threshold: 0.7}}]\n",
        "agents:\n  compaction:\n    background_threshold: 0.7\n",
    ] {
        let failure = crate::error::CliError::from(read(text, &[]).unwrap_err());
        assert!(
            failure.message.starts_with("unknown setting agents"),
            "{failure:?}"
        );
        assert!(
            failure
                .hints
                .iter()
                .any(|hint| hint.contains("openclaw --home DIR init")),
            "{failure:?}"
        );
    }
}
