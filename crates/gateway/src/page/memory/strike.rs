//! Strikes a line of `MEMORY.md` if the owner asks for it, and restores it.
//!
//! Strikes only the line that was shown.

use std::sync::Arc;

use agent::ops::{Forget, PlanForget, UndoForget};
use axum::extract::State;
use axum::response::Redirect;
use maud::{Markup, html};
use serde::Deserialize;

use crate::http::{FormBody, HttpError, HttpState};
use crate::page::frame::{csrf_field, key};
use crate::page::request::FormFields;
use crate::page::words::encoded;

use super::shown::shown_line;

const MEMORY_FILE: &str = "MEMORY.md";

/// The query: the last action.
#[derive(Debug, Deserialize)]
pub(in crate::page) struct Struck {
    done: Option<String>,
    /// Identifies what was struck.
    id: Option<String>,
}

#[derive(Debug, Clone, Copy)]
enum StruckDone {
    Struck,
    Back,
}

base::words! { StruckDone: Struck = "struck", Back = "back" }

impl Struck {
    /// A message about the last action, with a button that restores what was struck.
    pub(super) fn in_words(&self, csrf: &str) -> Option<Markup> {
        Some(match StruckDone::parse(self.done.as_deref()?)? {
            StruckDone::Struck => html! {
                span { "Struck. It is hidden everywhere." }
                @if let Some(id) = &self.id {
                    form method="post" action="/memory/unstrike" {
                        (csrf_field(csrf))
                        input type="hidden" name="id" value=(id);
                        button class="plain" data-key="u" { "Undo " (key("u")) }
                    }
                }
            },
            StruckDone::Back => html! { span { "Restored the line." } },
        })
    }
}

/// Strikes a line.
pub(in crate::page) async fn strike(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let line = shown_line(state, &fields, "struck")?;
        let plan = state.run(PlanForget {
            places: vec![format!("{MEMORY_FILE}:{}", line.number)],
            // The owner struck exactly this line, so it is removed even if they wrote it by hand.
            remove_own_lines: true,
            ..PlanForget::default()
        })?;
        let forgotten = state.run(Forget {
            token: plan.token.unwrap_or_default(),
            ..Forget::default()
        })?;
        let (done, id) = (StruckDone::Struck.as_str(), encoded(&forgotten.id));
        Ok(Redirect::to(&format!("/memory?done={done}&id={id}")))
    });
    done.await
}

/// Restores a struck line.
pub(in crate::page) async fn restore_struck(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let id = fields.one("id")?.to_owned();
        state.run(UndoForget { id })?;
        let done = StruckDone::Back.as_str();
        Ok(Redirect::to(&format!("/memory?done={done}")))
    });
    done.await
}
