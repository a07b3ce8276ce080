//! Which settings the file of a workspace may set.
//!
//! A workspace may come from anywhere. It sets only what can neither send, start nor read anything nor widen
//! what the assistant may do; each such setting says so beside itself in the schema, and no other counts.

use schemars::schema_for;
use serde_json::Value;

use super::error::ConfigError;
use super::settings::Settings;
use super::values::Origin;
use super::values::{Setting, Values};

/// What a setting has in the schema where a workspace may set it.
const MARK: &str = "x-workspace";

/// Fails at the first setting that a workspace set and may not.
pub(super) fn check(values: &Values) -> Result<(), ConfigError> {
    let is_foreign = |it: &(&String, &Setting)| matches!(it.1.origin, Origin::Workspace { .. });
    let mut foreign = values.iter().filter(is_foreign).peekable();
    if foreign.peek().is_none() {
        // Few workspaces set anything, and each command would make the schema.
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
