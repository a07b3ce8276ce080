//! The result of a command: an object for programs, text for people.
//!
//! Prints nothing; [`Context::emit`](crate::context::Context::emit) does.

use serde::Serialize;
use serde_json::{Value, json};

use crate::environment::Stream;

/// The result of a command.
pub(crate) trait Report {
    /// Where a line goes on that is broken; `None` where the text has its breaks already.
    const INDENT: Option<&'static str> = None;

    /// The object for programs; its keys are a contract with scripts.
    fn json(&self) -> Value;

    /// The text for people.
    fn human(&self, stdout: Stream) -> String;
}

/// A report of which serde makes the object.
pub(crate) trait PlainReport: Serialize {
    /// As of [`Report::INDENT`].
    const INDENT: Option<&'static str> = None;
    /// The text for people.
    fn shown(&self, stdout: Stream) -> String;
}

impl<T: PlainReport> Report for T {
    const INDENT: Option<&'static str> = <T as PlainReport>::INDENT;

    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, stdout: Stream) -> String {
        self.shown(stdout)
    }
}

/// The object without those of its optional keys that say nothing: null, false, or an empty list.
pub(crate) fn without_empty<const N: usize>(mut object: Value, optional: [&str; N]) -> Value {
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
