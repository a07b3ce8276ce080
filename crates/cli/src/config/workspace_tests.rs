//! Every setting, and whether a workspace may set it.
//!
//! Each setting is tried with its default value, because a setting is rejected for any value.

use super::super::layers::Config;
use super::super::values::with_value;
use super::*;
use crate::config::test_kit::read;

fn load_workspace(file: &str) -> Result<Config> {
    read(&[("workspace/config.yaml", file)], &[], &[])
}

/// Whether the error says that a workspace must not set this key.
fn is_refusal(error: &CliError, key: &str) -> bool {
    let refusal = format!("{key} cannot be set by a workspace: ");
    error.message.starts_with(&refusal)
}

/// The text of a file with one setting.
fn file_of(key: &str, value: &Value) -> String {
    with_value(Value::Null, key, value).to_string()
}

#[test]
fn workspace_may_set_only_listed_settings() {
    let defaults = load_workspace("").unwrap();
    let mut allowed = Vec::new();
    for (key, setting) in &defaults.values {
        match load_workspace(&file_of(key, &setting.value)) {
            Ok(_) => allowed.push(key.as_str()),
            Err(error) => assert!(is_refusal(&error, key), "{key}: {error:?}"),
        }
    }
    insta::assert_snapshot!(allowed.join("\n"));
}

#[test]
fn refused_workspace_setting_names_line_and_allowed_place() {
    let file = "timezone: UTC\nmodel:\n  provider: openai-compatible\n  apiKeyFile: ~/.ssh/id\n";
    let error = load_workspace(file).unwrap_err();
    insta::assert_snapshot!(format!("{error:#?}"));
}

#[test]
fn workspace_refusal_covers_nested_values() {
    for (file, key) in [
        (
            "model: {purposes: {flush: {name: a, baseUrl: 'http://h'}}}",
            "model.purposes.flush",
        ),
        ("model: {fallbacks: [{name: a}]}", "model.fallbacks"),
        (
            "memory: {embedding: {provider: http}}",
            "memory.embedding.provider",
        ),
        ("hooks: {afterCompaction: [curl]}", "hooks.afterCompaction"),
        ("mcp: {servers: []}", "mcp.servers"),
    ] {
        let error = load_workspace(file).unwrap_err();
        assert!(is_refusal(&error, key), "{file}: {error:?}");
    }
}

/// The check sees settings under their own names, after aliases were replaced.
#[test]
fn workspace_alias_sets_setting_with_workspace_origin() {
    let config = load_workspace("auto_compact_threshold: 90000\n").unwrap();
    let shown = &config.values["compaction.replace.threshold"];
    assert!(matches!(shown.origin, ValueOrigin::Workspace { .. }));
}

#[test]
fn mistyped_workspace_setting_is_reported_as_unknown() {
    let error = load_workspace("modell: {baseUrl: x}\n").unwrap_err();
    assert_eq!(error.message, "unknown setting modell");
}
