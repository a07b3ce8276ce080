//! Sets a reminder in the owner's words, for a time or for a subject, and takes it back.
//!
//! Never guesses a time: one that is not certain is an error that names the times that may be meant.

use std::sync::Arc;

use agent::ops::{AddPromise, DecidePromise, PromiseAction};
use axum::extract::State;
use axum::response::Redirect;
use maud::{Markup, html};
use serde::Deserialize;

use crate::http::{FormBody, HttpError, HttpState};
use crate::page::frame::{csrf_field, key};
use crate::page::request::FormFields;
use crate::page::words::encoded;

/// The query: the reminder that was just set.
#[derive(Debug, Deserialize)]
pub(in crate::page) struct Reminded {
    reminded: Option<String>,
}

impl Reminded {
    /// A message about that reminder, with a button that takes it back.
    pub(super) fn in_words(&self, csrf: &str) -> Option<Markup> {
        let id = self.reminded.as_deref()?;
        Some(html! {
            span { "The reminder is set." }
            form method="post" action="/agenda/undo" {
                (csrf_field(csrf))
                input type="hidden" name="id" value=(id);
                button class="plain" data-key="u" { "Undo " (key("u")) }
            }
        })
    }
}

/// The form that sets a reminder.
pub(super) fn remind_form(csrf: &str) -> Markup {
    html! {
        details {
            summary { "Add a reminder" }
            form method="post" action="/agenda/add" class="stack" {
                (csrf_field(csrf))
                label { "What shall I remind you of, and when? "
                    input type="text" name="text" required maxlength="240" placeholder="on Friday at 9 call the plumber"; }
                label { "Or when it comes up: a subject in place of the time "
                    input type="text" name="about" maxlength="80" placeholder="bike"; }
                button { "Add" }
            }
        }
    }
}

pub(in crate::page) async fn add(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let about = fields.one("about")?.trim().to_owned();
        let reply = state.run(AddPromise {
            text: fields.one("text")?.to_owned(),
            about: Some(about).filter(|it| !it.is_empty()),
        })?;
        Ok(if reply.already {
            Redirect::to("/")
        } else {
            Redirect::to(&format!("/?reminded={}", encoded(&reply.id)))
        })
    });
    done.await
}

pub(in crate::page) async fn undo(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        state.run(DecidePromise {
            id: fields.one("id")?.to_owned(),
            action: PromiseAction::Undo,
            when: None,
        })?;
        Ok(Redirect::to("/"))
    });
    done.await
}
