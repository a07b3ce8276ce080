//! What became of a note.
//!
//! Renders what it is given; writes no note.

use serde::Serialize;

use super::human::printable;

/// A note that was added, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Added {
    /// The log.
    pub(crate) path: String,
    /// Its line there; null where the log says it already.
    pub(crate) line: Option<usize>,
    /// The note as it stands there.
    pub(crate) text: String,
    /// Under this id the same words were forgotten; they are found again by this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) told_again: Option<String>,
    /// Whether nothing was written because that was asked for.
    pub(crate) dry_run: bool,
}

/// A line or two for people.
pub(crate) fn render(added: &Added) -> String {
    let text = printable(&added.text);
    let path = &added.path;
    let noted = match (added.line, added.dry_run) {
        (Some(line), false) => format!("noted in {path}:{line}: {text}\n"),
        (Some(line), true) => format!("would be noted in {path}:{line}: {text}\n"),
        (None, _) => format!("{path} says it already: {text}\n"),
    };
    let again = match (&added.told_again, added.dry_run) {
        (Some(id), false) => format!("it was forgotten under {id}, and is found again\n"),
        (Some(id), true) => format!("it was forgotten under {id}, and would be found again\n"),
        (None, _) => String::new(),
    };
    noted + &again
}
