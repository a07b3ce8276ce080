//! Adds a line to `MEMORY.md`, or corrects one, in the owner's words.
//!
//! Corrects only the line that was shown, and never one that the owner wrote by hand.

use std::sync::Arc;

use agent::{AskedError, AskedLine, AskedOutcome, remember_typed};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Redirect;
use base::MEMORY_SECTIONS;
use dreaming::ChangeReason;
use maud::{Markup, html};
use memory::candidates::Access;
use memory::curated::CuratedLine;
use serde::Deserialize;

use crate::http::{FormBody, HttpError, HttpState};
use crate::page::dreams::{LEFT_FIELD, left_by_last};
use crate::page::frame::csrf_field;
use crate::page::request::FormFields;

use super::shown::{shown_line, shown_line_fields};

/// The query: what was just asked for.
#[derive(Debug, Deserialize)]
pub(in crate::page) struct Asked {
    asked: Option<String>,
    /// What the change left, so that its undo reverts nothing else.
    left: Option<String>,
}

#[derive(Debug, Clone, Copy)]
enum AskedDone {
    Taken,
    Waits,
}

base::words! { AskedDone: Taken = "taken", Waits = "waits" }

impl Asked {
    /// What was done, with a button that undoes it.
    pub(super) fn in_words(&self, csrf: &str) -> Option<Markup> {
        Some(match AskedDone::parse(self.asked.as_deref()?)? {
            AskedDone::Taken => html! {
                span { "MEMORY.md has the line." }
                form method="post" action="/dreams/undo" {
                    (csrf_field(csrf))
                    input type="hidden" name=(LEFT_FIELD) value=(self.left.as_deref().unwrap_or_default());
                    button class="plain" { "Undo" }
                }
            },
            AskedDone::Waits => html! {
                span { "You wrote that line by hand, so it stays; the new one waits for your review." }
            },
        })
    }
}

/// The form that adds a line.
pub(super) fn add_form(csrf: &str) -> Markup {
    html! {
        details {
            summary { "Add a line" }
            form method="post" action="/memory/remember" class="stack" {
                (csrf_field(csrf))
                label { "What should last? " input type="text" name="text" required maxlength="240"; }
                label { "Theme "
                    select name="section" {
                        @for section in MEMORY_SECTIONS { option { (section) } }
                    }
                }
                button { "Add" }
            }
        }
    }
}

/// The form that corrects a line.
pub(super) fn correct_form(csrf: &str, line: &CuratedLine) -> Markup {
    html! {
        details class="small wide" {
            summary { "Correct" }
            form method="post" action="/memory/correct" class="stack" {
                (csrf_field(csrf))
                (shown_line_fields(line))
                label { "The line as it holds now " input type="text" name="text" required maxlength="240"; }
                label { input type="checkbox" name="never_true" value="yes"; " The line was never true" }
                button { "Correct" }
            }
        }
    }
}

/// Adds a line.
pub(in crate::page) async fn remember(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let asked = AskedLine {
            text: fields.one("text")?.to_owned(),
            section: known_section(fields.one("section")?),
            replaces: None,
            reason: ChangeReason::Changed,
        };
        take(state, &asked)
    });
    done.await
}

/// Corrects a line.
pub(in crate::page) async fn correct(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let line = shown_line(state, &fields, "corrected")?;
        let asked = AskedLine {
            text: fields.one("text")?.to_owned(),
            section: None,
            replaces: Some(line.into()),
            reason: match fields.all("never_true").next() {
                Some(_) => ChangeReason::Corrected,
                None => ChangeReason::Changed,
            },
        };
        take(state, &asked)
    });
    done.await
}

fn known_section(typed: &str) -> Option<String> {
    let known = MEMORY_SECTIONS.iter().find(|section| **section == typed);
    known.map(|section| (*section).to_owned())
}

fn take(state: &HttpState, asked: &AskedLine) -> Result<Redirect, HttpError> {
    let done = match remember_typed(&state.runtime.home, asked).map_err(failed)? {
        AskedOutcome::Taken(_) => AskedDone::Taken,
        AskedOutcome::Beside(_) => AskedDone::Waits,
        AskedOutcome::Refused(because) => {
            let message = format!("MEMORY.md was not changed: {because}");
            return Err(HttpError::new(StatusCode::CONFLICT, message));
        }
    };
    let left = left_by_last(&state.desk(Access::Read)?);
    let done = done.as_str();
    Ok(Redirect::to(&format!("/memory?asked={done}&left={left}")))
}

fn failed(error: AskedError) -> HttpError {
    let conflict = HttpError::conflict(&error);
    if let AskedError::MemoryTxn(error) = error {
        error.into()
    } else {
        conflict
    }
}
