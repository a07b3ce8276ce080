//! Strikes a line of `MEMORY.md` at the owner's request, and brings it back.
//!
//! Strikes only the line that was shown.

use std::sync::Arc;

use agent::{ForgetLines, ForgetPlanError};
use axum::extract::State;
use axum::response::Redirect;
use base::LineRange;
use maud::{Markup, html};
use memory::{ForgetError, OwnerLines, TombstoneError, TombstoneId, undo_forgetting};
use serde::Deserialize;

use crate::http::{FormBody, HttpError, HttpState};
use crate::page::request::FormFields;

use super::shown::shown_line;

const MEMORY_FILE: &str = "MEMORY.md";

/// The query: what was just done.
#[derive(Debug, Deserialize)]
pub(in crate::page) struct Struck {
    done: Option<String>,
}

#[derive(Debug, Clone, Copy)]
enum StruckDone {
    Struck,
    Back,
}

base::words! { StruckDone: Struck = "struck", Back = "back" }

impl StruckDone {
    fn address(self) -> Redirect {
        Redirect::to(&format!("/memory?done={}", self.as_str()))
    }
}

impl Struck {
    pub(super) fn in_words(&self) -> Option<Markup> {
        let text = match StruckDone::parse(self.done.as_deref()?)? {
            StruckDone::Struck => "Struck. It is hidden everywhere; restore it below.",
            StruckDone::Back => "Restored the line.",
        };
        Some(html! { span { (text) } })
    }
}

/// Forgets a line.
pub(in crate::page) async fn strike(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let line = shown_line(state, &fields, "struck")?;
        let place = ForgetLines {
            path: MEMORY_FILE.to_owned(),
            lines: Some(LineRange::line(line.number)),
        };
        let plan = state.knowledge.plan_lines(&[place]).map_err(refused)?;
        // The owner struck this very line, so it goes even if they wrote it by hand.
        state.knowledge.forget(&plan, OwnerLines::Remove)?;
        Ok(StruckDone::Struck.address())
    });
    done.await
}

/// Brings a struck line back.
pub(in crate::page) async fn restore_struck(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let id = TombstoneId::new(fields.one("id")?);
        let runtime = &state.runtime;
        let undone = undo_forgetting(&runtime.home.workspace, &id, runtime.home.clock.now());
        undone.map_err(|error| {
            if matches!(error, ForgetError::Tombstones(TombstoneError::Unknown(_))) {
                HttpError::conflict(&error)
            } else {
                error.into()
            }
        })?;
        Ok(StruckDone::Back.address())
    });
    done.await
}

fn refused(error: ForgetPlanError) -> HttpError {
    if matches!(error, ForgetPlanError::Already { .. }) {
        HttpError::conflict(&error)
    } else {
        error.into()
    }
}
