//! Which settings a workspace file may set.
//!
//! A workspace is untrusted. It may set only settings that cannot send, start or read anything, or widen the
//! assistant's permissions; the schema marks them.

use std::cell::LazyCell;

use serde_json::Value;

use super::settings::settings_schema;
use super::values::{Setting, ValueOrigin, Values};
use crate::error::{CliError, ErrorKind, Result};

/// The schema property that marks settings that a workspace may set.
const MARK: &str = "x-workspace";

/// Fails on the first setting that a workspace may not set.
pub(super) fn check(values: &Values) -> Result<()> {
    let is_foreign =
        |it: &(&String, &Setting)| matches!(it.1.origin, ValueOrigin::Workspace { .. });
    let mut foreign = values.iter().filter(is_foreign);
    // The schema is built only if it is needed, because few workspaces set anything.
    let schema = LazyCell::new(settings_schema);
    match foreign.find(|(key, _)| !may_set(schema.as_value(), key)) {
        Some((key, setting)) => {
            let message = format!(
                "{key} cannot be set by a workspace: it could send, start or read something, or widen the \
                 assistant's permissions"
            );
            Err(CliError::new(ErrorKind::Config, message)
                .doing(format!("reading {}", setting.origin))
                .hint(format!(
                    "remove the line; to set it for yourself, run `openclaw config set {key} VALUE`, which writes \
                     your own config.yaml"
                )))
        }
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
