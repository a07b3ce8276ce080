//! Identifies the line of `MEMORY.md` that a form was shown with: writes its fields into the form, and finds the line
//! when the form comes back.
//!
//! Never finds a line whose text has changed since.

use axum::http::StatusCode;
use base::short_hash;
use maud::{Markup, html};
use memory::candidates::Access;
use memory::curated::{CuratedLine, memory_lines};

use crate::http::{HttpError, HttpState};
use crate::page::request::FormFields;

/// The hidden fields that identify a line in a form.
pub(super) fn shown_line_fields(line: &CuratedLine) -> Markup {
    html! {
        input type="hidden" name="line" value=(line.number);
        input type="hidden" name="hash" value=(short_hash(&line.text));
    }
}

/// The line that the form identifies, if its text is still the one shown. `done` completes the error "nothing was
/// ...".
pub(super) fn shown_line(
    state: &HttpState,
    fields: &FormFields,
    done: &str,
) -> Result<CuratedLine, HttpError> {
    let (number, hash) = (fields.one("line")?, fields.one("hash")?);
    let lines = memory_lines(state.desk(Access::Write)?.memory());
    let mut lines = lines.into_iter();
    let line = lines.find(|it| it.number.to_string() == number && short_hash(&it.text) == hash);
    line.ok_or_else(|| {
        let message = format!("MEMORY.md has changed, so nothing was {done}");
        HttpError::new(StatusCode::CONFLICT, message).hint("reload the page and try again")
    })
}
