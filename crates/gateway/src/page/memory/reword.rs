//! Rewords a line of `MEMORY.md` that the owner wrote by hand, in its place.
//!
//! Changes only that line, and only if it is still as it was shown.

use agent::ops::left_by_last;
use axum::http::StatusCode;
use memory::WorkspacePath;
use memory::candidates::Access;
use memory::curated::CuratedLine;
use memory::files::reword_line;

use super::file::{refused, was_changed};
use crate::http::{HttpError, HttpState};

const MEMORY_FILE: &str = "MEMORY.md";

/// Writes the line in the owner's new words; returns what identifies the change for its undo.
pub(super) fn reword(
    state: &HttpState,
    line: &CuratedLine,
    words: &str,
) -> Result<String, HttpError> {
    let home = &state.runtime.home;
    let path: WorkspacePath = MEMORY_FILE.parse()?;
    let edit = reword_line(&home.workspace, &path, (line, words), home.clock.now());
    edit.map_err(|error| {
        if was_changed(&error) {
            let message = "MEMORY.md has changed, so nothing was corrected";
            HttpError::new(StatusCode::CONFLICT, message).hint("reload the page and try again")
        } else {
            refused(error)
        }
    })?;
    Ok(left_by_last(&state.desk(Access::Read)?))
}
