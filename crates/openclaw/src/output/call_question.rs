//! What the owner is asked before a tool of a server is called.
//!
//! Renders what it is given; calls nothing.

use agent::OutsideCall;
use base::{counted, head};

use super::human::printable;
use super::wrap::wrap_indented;

/// The most characters of the arguments that are shown.
const CHARS_MAX: usize = 600;

/// The question; the answer is typed behind it.
pub(crate) fn render(call: &OutsideCall<'_>, columns: usize) -> String {
    let shown = head(call.arguments, CHARS_MAX);
    let rest = if shown.len() < call.arguments.len() {
        let n_bytes = call.arguments.len() - shown.len();
        format!("    [{} more]\n", counted(n_bytes as u64, "byte", "bytes"))
    } else {
        String::new()
    };
    format!(
        "The assistant wants to call {} of your server {}, with:\n\n{}{rest}\nType `call` to agree; Enter does not call it: ",
        printable(call.tool),
        printable(call.server),
        wrap_indented(&printable(shown), columns, "    "),
    )
}
