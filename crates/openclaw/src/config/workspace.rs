//! Which settings a workspace file may set.
//!
//! A workspace is untrusted. It may set only what cannot send, start or read anything or widen the assistant's
//! permissions: the settings marked in the schema.

use schemars::schema_for;
use serde_json::Value;

use super::error::ConfigError;
use super::settings::Settings;
use super::values::ValueOrigin;
use super::values::{Setting, Values};

/// The schema property of settings that a workspace may set.
const MARK: &str = "x-workspace";

/// Fails on the first setting that a workspace may not set.
pub(super) fn check(values: &Values) -> Result<(), ConfigError> {
    let is_foreign =
        |it: &(&String, &Setting)| matches!(it.1.origin, ValueOrigin::Workspace { .. });
    let mut foreign = values.iter().filter(is_foreign).peekable();
    if foreign.peek().is_none() {
        // Few workspaces set anything; skip building the schema in every command.
        return Ok(());
    }
    let schema = schema_for!(Settings);
    match foreign.find(|(key, _)| !may_set(schema.as_value(), key)) {
        Some((key, setting)) => Err(ConfigError::NotOfWorkspace {
            key: key.clone(),
            origin: setting.origin.clone(),
        }),
        None => Ok(()),
    }
}

/// Whether the schema marks the setting.
fn may_set(schema: &Value, key: &str) -> bool {
    let setting = key.split('.').try_fold(schema, |group, name| {
        group.get("properties").and_then(|it| it.get(name))
    });
    setting.and_then(|it| it.get(MARK)) == Some(&Value::Bool(true))
}

#[cfg(test)]
#[path = "workspace_tests.rs"]
mod tests;
