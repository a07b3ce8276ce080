//! The order in which layers override each other.
//!
//! Covers the rules that whole runs of the program do not show.

use compaction::Free;
use serde_json::json;

use super::*;
use crate::config::test_kit::read;

fn load_with(variables: &[(&str, Option<&str>)], assignments: &[(&str, &str)]) -> Result<Config> {
    read(&[], variables, assignments)
}

#[test]
fn default_settings_load_without_warnings() {
    let config = load_with(&[], &[]).unwrap();
    let compaction = &config.settings.compaction;
    assert_eq!(
        [
            compaction.context_window.get(),
            compaction.reserve_tokens_floor.get(),
            compaction.soft_threshold_tokens.get(),
            compaction.keep_recent_tokens.get(),
            compaction.prune_after_rounds.get(),
        ],
        [200_000, 20_000, 4_000, 20_000, 10]
    );
    assert_eq!(compaction.tiered.context_window.get(), 128_000);
    assert!(!compaction.context_warnings);
    assert_eq!(config.settings.model.concurrency.get(), 10);
    assert_eq!(config.settings.timezone.to_string(), "auto");
    assert_eq!(config.warnings, Vec::<String>::new());
}

#[test]
fn settings_map_to_environment_variables() {
    let config = load_with(&[], &[]).unwrap();
    let variables: Vec<_> = config.values.keys().map(|key| variable_of(key)).collect();
    insta::assert_snapshot!(variables.join("\n"), @r"
    OPENCLAW_MODEL__PROVIDER
    OPENCLAW_MODEL__NAME
    OPENCLAW_MODEL__BASE_URL
    OPENCLAW_MODEL__API_KEY_ENV
    OPENCLAW_MODEL__API_KEY_FILE
    OPENCLAW_MODEL__CONTEXT_WINDOW
    OPENCLAW_MODEL__CONCURRENCY
    OPENCLAW_MODEL__FALLBACKS
    OPENCLAW_MODEL__PURPOSES__FLUSH
    OPENCLAW_MODEL__PURPOSES__SUMMARISE
    OPENCLAW_MODEL__PURPOSES__CONSOLIDATE
    OPENCLAW_COMPACTION__CONTEXT_WINDOW
    OPENCLAW_COMPACTION__RESERVE_TOKENS_FLOOR
    OPENCLAW_COMPACTION__SOFT_THRESHOLD_TOKENS
    OPENCLAW_COMPACTION__KEEP_RECENT_TOKENS
    OPENCLAW_COMPACTION__PRUNE_AFTER_ROUNDS
    OPENCLAW_COMPACTION__PRUNE_ALLOW
    OPENCLAW_COMPACTION__PRUNE_DENY
    OPENCLAW_COMPACTION__EXECUTION
    OPENCLAW_COMPACTION__DEADLINE_SECONDS
    OPENCLAW_COMPACTION__CONTEXT_WARNINGS
    OPENCLAW_COMPACTION__STRATEGY
    OPENCLAW_COMPACTION__REPLACE__THRESHOLD
    OPENCLAW_COMPACTION__TIERED__CONTEXT_WINDOW
    OPENCLAW_COMPACTION__TIERED__BACKGROUND_THRESHOLD
    OPENCLAW_COMPACTION__TIERED__AGGRESSIVE_THRESHOLD
    OPENCLAW_COMPACTION__TIERED__EMERGENCY_THRESHOLD
    OPENCLAW_COMPACTION__MIDDLE__THRESHOLD_TOKENS
    OPENCLAW_COMPACTION__MIDDLE__PROTECTED_TAIL_MESSAGES
    OPENCLAW_COMPACTION__MIDDLE__MAX_CONVERSATION_MESSAGES
    OPENCLAW_COMPACTION__MIDDLE__MAX_TOOL_RESULT_CHARS
    OPENCLAW_HOOKS__BEFORE_COMPACTION
    OPENCLAW_HOOKS__AFTER_COMPACTION
    OPENCLAW_DREAMING__TRIGGERS
    OPENCLAW_DREAMING__LOOKBACK_DAYS
    OPENCLAW_DREAMING__PROMOTION
    OPENCLAW_DREAMING__DAILY_TOKENS
    OPENCLAW_DREAMING__REVIEW_PER_DAY
    OPENCLAW_DREAMING__REVIEW_WAITING
    OPENCLAW_BACKUP__SCHEDULE
    OPENCLAW_BACKUP__FOLDER
    OPENCLAW_BACKUP__KEEP
    OPENCLAW_BACKUP__RECIPIENT_FILE
    OPENCLAW_BACKUP__PASSPHRASE_FILE
    OPENCLAW_PROMISES__NOTIFY
    OPENCLAW_PROMISES__WEBHOOK
    OPENCLAW_PROMISES__QUIET_HOURS
    OPENCLAW_HOMES__IDENTITY_FILE
    OPENCLAW_HOMES__PASSPHRASE_FILE
    OPENCLAW_TOOLS__FILES
    OPENCLAW_MCP__SERVERS
    OPENCLAW_SANDBOX__READ_ONLY
    OPENCLAW_SANDBOX__COMPACTION__PRUNE_AFTER_ROUNDS
    OPENCLAW_SANDBOX__COMPACTION__WARN_AT_TOKEN_THRESHOLD
    OPENCLAW_MEMORY__SESSIONS
    OPENCLAW_MEMORY__SOURCES
    OPENCLAW_MEMORY__RECALL__BUDGET_TOKENS
    OPENCLAW_MEMORY__EMBEDDING__PROVIDER
    OPENCLAW_MEMORY__EMBEDDING__MODEL
    OPENCLAW_MEMORY__EMBEDDING__BASE_URL
    OPENCLAW_MEMORY__EMBEDDING__API_KEY_ENV
    OPENCLAW_MEMORY__EMBEDDING__REQUESTS_PER_MINUTE
    OPENCLAW_TIMEZONE
    ");
}

#[test]
fn last_assignment_wins_and_earlier_ones_are_checked() {
    let key = "compaction.contextWindow";
    let variable = ("OPENCLAW_COMPACTION__CONTEXT_WINDOW", Some("50000"));
    let config = load_with(
        &[variable],
        &[(key, "60000"), (key, "70 thousand"), (key, "80000")],
    );
    // The second assignment is reported because it is text, although the third one overrides it.
    let error = config.unwrap_err();
    let wrong = format!("invalid value for {key}: ");
    assert!(error.message.starts_with(&wrong), "{error:?}");
    let config = load_with(&[variable], &[(key, "60000"), (key, "80000")]).unwrap();
    let shown = &config.values[key];
    assert_eq!(shown.value, json!(80_000));
    assert_eq!(
        shown.origin,
        ValueOrigin::Set {
            assignment: "compaction.contextWindow=80000".into()
        }
    );
}

#[test]
fn group_can_be_assigned_as_whole() {
    let config = load_with(
        &[],
        &[("compaction", "{contextWindow: 64000, pruneAfterRounds: 3}")],
    );
    let compaction = config.unwrap().settings.compaction;
    assert_eq!(compaction.context_window.get(), 64_000);
    assert_eq!(compaction.prune_after_rounds.get(), 3);
    assert_eq!(compaction.keep_recent_tokens.get(), 20_000);
}

#[test]
fn variable_that_is_not_utf8_is_rejected() {
    let config = load_with(&[("OPENCLAW_TIMEZONE", None)], &[]);
    assert_eq!(
        config.unwrap_err().message,
        "the variable OPENCLAW_TIMEZONE is not UTF-8"
    );
}

#[test]
fn unknown_or_partial_keys_are_rejected() {
    for key in [
        "",
        ".",
        "compaction.",
        "timezone.city",
        "compaction..contextWindow",
        "a.b.c.d",
    ] {
        let error = load_with(&[], &[(key, "1")]).unwrap_err();
        let is_told = ["unknown setting ", "invalid value for "]
            .iter()
            .any(|start| error.message.starts_with(start));
        assert!(is_told, "{key}: {error:?}");
    }
}

#[test]
fn group_without_settings_changes_nothing() {
    for value in ["", "# contextWindow: 5", "{}", "~"] {
        let config = load_with(&[], &[("compaction", value)]).unwrap();
        let defaults = load_with(&[], &[]).unwrap();
        assert_eq!(config.settings, defaults.settings, "{value}");
    }
}

#[test]
fn purpose_model_is_replaced_whole_by_last_layer() {
    let key = "model.purposes.flush";
    let config = load_with(
        &[],
        &[(key, "{name: a, concurrency: 1}"), (key, "{name: b}")],
    )
    .unwrap();
    assert_eq!(config.values[key].value, json!({"name": "b"}));
    let list = &config.settings.model.purposes.flush.0;
    let found: Vec<_> = list
        .iter()
        .map(|it| (it.name.as_deref(), it.concurrency))
        .collect();
    assert_eq!(found, [(Some("b"), None)]);
    let alone = load_with(&[], &[("model.purposes.flush.name", "c")]).unwrap();
    assert_eq!(alone.settings.model.purposes.flush.0.len(), 1);
    let wrong = load_with(&[], &[(key, "[{nam: c}]")]).unwrap_err();
    assert!(wrong.message.contains("nam"), "{wrong:?}");
    let wrong = load_with(&[], &[(key, "haiku")]).unwrap_err();
    assert!(wrong.message.contains(key), "{wrong:?}");
}

#[test]
fn soft_threshold_counts_as_set_only_if_configured() {
    let key = "compaction.softThresholdTokens";
    let settings = crate::wiring::settings(&load_with(&[], &[(key, "5000")]).unwrap());
    let (reserve, soft) = (TokenCount(20_000), TokenCount(5_000));
    assert_eq!(settings.reserve_tokens_floor, Free::Default(reserve));
    assert_eq!(settings.soft_threshold_tokens, Free::Set(soft));
}

#[test]
fn dotted_name_inside_group_is_rejected() {
    let config = load_with(
        &[],
        &[
            ("timezone", "UTC"),
            ("compaction", "{'replace.threshold': 1}"),
        ],
    );
    let error = config.unwrap_err();
    assert!(error.message.starts_with("unknown setting "), "{error:?}");
}
