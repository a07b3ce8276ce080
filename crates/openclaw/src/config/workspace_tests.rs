//! What a workspace may set, setting by setting.
//!
//! Lays each setting with its default value: a setting is refused whatever it says.

use std::path::Path;

use base::disk::MemoryDisk;

use super::super::layers::{Config, ConfigSources, load};
use super::super::values::with_value;
use super::*;
use crate::environment::Environment;
use crate::home::Home;

fn load_workspace(file: &str) -> Result<Config, ConfigError> {
    let disk = MemoryDisk::default();
    let workspace = Path::new("/h/workspace");
    base::Disk::create_dir(&disk, workspace).unwrap();
    base::disk::replace(&disk, &workspace.join("config.yaml"), file.as_bytes()).unwrap();
    let home = Home::find(Some(Path::new("/h")), &Environment::default()).unwrap();
    load(ConfigSources {
        disk: &disk,
        home: &home,
        variables: &[],
        assignments: &[],
    })
}

/// One setting as a file says it, without nesting.
fn file_of(key: &str, value: &Value) -> String {
    with_value(Value::Null, key, value).to_string()
}

#[test]
fn a_workspace_sets_only_what_can_neither_send_start_nor_read() {
    let defaults = load_workspace("").unwrap();
    let mut allowed = Vec::new();
    for (key, setting) in &defaults.values {
        match load_workspace(&file_of(key, &setting.value)) {
            Ok(_) => allowed.push(key.as_str()),
            Err(ConfigError::NotOfWorkspace { key: refused, .. }) => assert_eq!(refused, *key),
            Err(other) => panic!("{key}: {other:?}"),
        }
    }
    insta::assert_snapshot!(allowed.join("\n"));
}

#[test]
fn a_refused_setting_is_named_with_its_line_and_where_it_may_stand() {
    let file = "timezone: UTC\nmodel:\n  provider: openai-compatible\n  apiKeyFile: ~/.ssh/id\n";
    let error = crate::error::CliError::from(load_workspace(file).unwrap_err());
    insta::assert_snapshot!(format!("{error:#?}"));
}

#[test]
fn what_lies_deeper_than_a_setting_is_checked_like_it() {
    for file in [
        "model: {purposes: {flush: {name: a, baseUrl: 'http://h'}}}",
        "model: {fallbacks: [{name: a}]}",
        "memory: {embedding: {provider: http}}",
        "hooks: {afterCompaction: [curl]}",
        "mcp: {servers: []}",
    ] {
        let found = load_workspace(file);
        assert!(
            matches!(found, Err(ConfigError::NotOfWorkspace { .. })),
            "{file}: {found:?}"
        );
    }
}

/// The check runs over what the names became.
#[test]
fn a_name_of_another_program_is_checked_as_the_setting_that_it_is() {
    let config = load_workspace("auto_compact_threshold: 90000\n").unwrap();
    let shown = &config.values["compaction.replace.threshold"];
    assert!(matches!(shown.origin, ValueOrigin::Workspace { .. }));
}

#[test]
fn a_mistyped_name_is_told_as_one() {
    let found = load_workspace("modell: {baseUrl: x}\n");
    assert!(
        matches!(found, Err(ConfigError::Unknown { .. })),
        "{found:?}"
    );
}
