//! The result of a command: an object for programs, text for people.
//!
//! Prints nothing; [`Context::emit`](crate::context::Context::emit) does.

use serde_json::Value;

use crate::environment::Stream;

/// The result of a command.
pub trait Report {
    /// The indent of continuation lines; `None` if the text is already wrapped.
    const INDENT: Option<&'static str> = None;

    /// The object for programs. Its keys must not change, because scripts rely on them.
    fn json(&self) -> Value;

    /// Whether the report is of a dry run. Its text is then printed below a line that says so.
    fn is_dry_run(&self) -> bool {
        false
    }

    /// The text for people.
    fn human(&self, stdout: Stream) -> String;
}

/// The first line of the report of a dry run, for people. For programs, the object has the key `dryRun`.
pub(crate) const DRY_RUN: &str = "dry run: nothing was written\n";

/// Removes those of the optional keys whose value is null, false or an empty list.
pub fn without_empty<const N: usize>(mut object: Value, optional: [&str; N]) -> Value {
    let says_nothing = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::String(_) | Value::Object(_) => false,
    };
    if let Some(members) = object.as_object_mut() {
        members.retain(|key, value| !optional.contains(&key.as_str()) || !says_nothing(value));
    }
    object
}
