//! What a command gives: an object for programs, text for people.
//!
//! Prints nothing; [`Context::emit`](crate::app::Context::emit) does.

use serde_json::Value;

use crate::environment::Stream;

/// What a command gives.
pub(crate) trait Report {
    /// Where a line goes on that is broken; `None` where the text has its breaks already.
    const INDENT: Option<&'static str> = None;

    /// The object for programs; its keys are a contract with scripts.
    fn json(&self) -> Value;

    /// The text for people.
    fn human(&self, stdout: Stream) -> String;
}

/// Adds a key to an object where there is a value for it.
pub(crate) fn put(object: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let (Some(members), Some(value)) = (object.as_object_mut(), value) {
        members.insert(key.to_owned(), value.into());
    }
}
