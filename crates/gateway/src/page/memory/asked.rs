//! Adds a line to `MEMORY.md`, or corrects one, in the owner's words.
//!
//! Corrects only the line that was shown; one that the owner wrote by hand is reworded in its place.

use std::sync::Arc;

use agent::ops::{Correct, Remember, RememberReply, RememberStatus, left_by_last};
use axum::extract::State;
use axum::response::Redirect;
use base::MEMORY_SECTIONS;
use maud::{Markup, html};
use memory::candidates::Access;
use memory::curated::{CuratedLine, current_value};
use serde::Deserialize;

use crate::http::{FormBody, HttpError, HttpState};
use crate::page::dreams::LEFT_FIELD;
use crate::page::frame::{csrf_field, key};
use crate::page::request::FormFields;
use crate::page::words::theme_in_words;

use super::reword::reword;
use super::shown::{shown_line, shown_line_fields};

/// The query: the last action.
#[derive(Debug, Deserialize)]
pub(in crate::page) struct Asked {
    asked: Option<String>,
    /// Identifies the change, so that its undo reverts nothing else.
    left: Option<String>,
}

#[derive(Debug, Clone, Copy)]
enum AskedDone {
    Taken,
    Waits,
}

base::words! { AskedDone: Taken = "taken", Waits = "waits" }

impl Asked {
    /// A message about the last action, with a button that undoes it.
    pub(super) fn in_words(&self, csrf: &str) -> Option<Markup> {
        Some(match AskedDone::parse(self.asked.as_deref()?)? {
            AskedDone::Taken => html! {
                span { "MEMORY.md has the line." }
                @if let Some(left) = self.left.as_deref().filter(|left| !left.is_empty()) {
                    form method="post" action="/dreams/undo" {
                        (csrf_field(csrf))
                        input type="hidden" name=(LEFT_FIELD) value=(left);
                        input type="hidden" name="back" value="/memory";
                        button class="plain" data-key="u" { "Undo " (key("u")) }
                    }
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
                        @for section in MEMORY_SECTIONS { option value=(section) { (theme_in_words(section)) } }
                    }
                }
                button { "Add" }
            }
        }
    }
}

/// The form that corrects a line; not for one with a secret, which the field would not show.
pub(super) fn correct_form(csrf: &str, line: &CuratedLine) -> Markup {
    let shown = match line.id() {
        Some(_) => current_value(&line.text),
        None => &line.text,
    };
    html! {
        details {
            summary { "Correct" }
            form method="post" action="/memory/correct" class="stack" {
                (csrf_field(csrf))
                (shown_line_fields(line))
                label { "The line as it holds now " input type="text" name="text" value=(shown) required maxlength="240"; }
                @if line.id().is_some() {
                    label class="pick" { input type="checkbox" name="never_true" value="yes"; " The line was never true" }
                }
                button { "Correct" }
            }
        }
    }
}

pub(in crate::page) async fn remember(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let reply = state.run(Remember {
            text: fields.one("text")?.to_owned(),
            section: known_section(fields.one("section")?),
            ..Remember::default()
        })?;
        told(state, &reply)
    });
    done.await
}

pub(in crate::page) async fn correct(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let line = shown_line(state, &fields, "corrected")?;
        if line.id().is_none() {
            let left = reword(state, &line, fields.one("text")?)?;
            return Ok(back(AskedDone::Taken, &left));
        }
        let reply = state.run(Correct {
            shown: Some(line),
            text: fields.one("text")?.to_owned(),
            never_true: fields.all("never_true").next().is_some(),
            ..Correct::default()
        })?;
        told(state, &reply)
    });
    done.await
}

fn known_section(typed: &str) -> Option<String> {
    let known = MEMORY_SECTIONS.iter().find(|section| **section == typed);
    known.map(|section| (*section).to_owned())
}

/// The page that reports the outcome for the line.
fn told(state: &HttpState, reply: &RememberReply) -> Result<Redirect, HttpError> {
    let done = match reply.status {
        RememberStatus::Taken => AskedDone::Taken,
        RememberStatus::Waiting => AskedDone::Waits,
    };
    let desk = state.desk(Access::Read)?;
    // Without this line as the last change, there is nothing that an undo may revert.
    let is_last = desk.state().history.last();
    let is_last = is_last.is_some_and(|last| Some(last.id.as_str()) == reply.id.as_deref());
    let left = if is_last {
        left_by_last(&desk)
    } else {
        String::new()
    };
    Ok(back(done, &left))
}

fn back(done: AskedDone, left: &str) -> Redirect {
    let done = done.as_str();
    Redirect::to(&format!("/memory?asked={done}&left={left}"))
}
