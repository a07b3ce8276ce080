//! Carries out the owner's decisions about candidates.
//!
//! Makes no decision by itself.

use std::sync::Arc;

use agent::ops::{AlreadyDecided, Decide, DreamDecision, UndoChange};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Redirect;
use base::counted;
use maud::{Markup, html};
use serde::Deserialize;

use crate::http::{FormBody, HttpError, HttpState};
use crate::page::frame::{csrf_field, key};
use crate::page::request::FormFields;

/// The last action. It is passed in the URL of a redirect, so that reloading the page repeats nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::page) enum Done {
    Accepted,
    Edited,
    Newer,
    Rejected,
    Undone,
    Nothing,
}

base::words! {
    Done: Accepted = "accepted", Edited = "edited", Newer = "newer", Rejected = "rejected",
    Undone = "undone", Nothing = "nothing"
}

impl Done {
    fn in_words(self, n: Option<u64>) -> String {
        let candidates = counted(n.unwrap_or(1), "candidate", "candidates");
        match self {
            Self::Accepted => format!("Accepted {candidates} into MEMORY.md."),
            Self::Edited => "Wrote your words into MEMORY.md.".to_owned(),
            Self::Newer => {
                "Accepted the newer one into MEMORY.md; rejected the older ones.".to_owned()
            }
            Self::Rejected => format!("Rejected {candidates} for good."),
            Self::Undone => "Undid that change.".to_owned(),
            Self::Nothing => "Nothing was selected.".to_owned(),
        }
    }
}

/// The pages to which a decision or its undo can lead back.
const BACK: [&str; 4] = ["/", "/review", "/review/all", "/memory"];

/// The field of a form that names the page to return to.
const BACK_FIELD: &str = "back";

/// The field of a form that holds the position of the candidate that was shown.
const AT_FIELD: &str = "at";

/// The query: the last action, the number of candidates that it applied to, and which candidate to show.
#[derive(Debug, Default, Deserialize)]
pub(in crate::page) struct DoneQuery {
    done: Option<String>,
    n: Option<u64>,
    /// Identifies the change, so that its undo reverts nothing else.
    left: Option<String>,
    /// The position of the candidate to show, from 1.
    pub(super) at: Option<usize>,
}

impl DoneQuery {
    /// A message about the last action, with a button that undoes it and leads `back`.
    pub(in crate::page) fn in_words(&self, csrf: &str, back: &str) -> Option<Markup> {
        let done = Done::parse(self.done.as_deref()?)?;
        let left = self.left.as_deref().filter(|left| !left.is_empty());
        Some(html! {
            span { (done.in_words(self.n)) }
            @if let Some(left) = left {
                form method="post" action="/dreams/undo" {
                    (csrf_field(csrf))
                    input type="hidden" name=(LEFT_FIELD) value=(left);
                    input type="hidden" name=(BACK_FIELD) value=(back);
                    @if let Some(at) = self.at { input type="hidden" name=(AT_FIELD) value=(at); }
                    button class="plain" data-key="u" { "Undo " (key("u")) }
                }
            }
        })
    }
}

/// Redirects to the page that the form came from, with a report of what was done.
fn redirect(fields: &FormFields, done: Done, (n, left): (usize, &str)) -> Redirect {
    let asked = fields.all(BACK_FIELD).next();
    let back = BACK.into_iter().find(|own| Some(*own) == asked);
    let at = fields
        .all(AT_FIELD)
        .next()
        .and_then(|at| at.parse::<usize>().ok());
    let at = at.map(|at| format!("&at={at}")).unwrap_or_default();
    let (back, done) = (back.unwrap_or("/review"), done.as_str());
    Redirect::to(&format!("{back}?done={done}&n={n}&left={left}{at}"))
}

/// Carries out a decision.
pub(in crate::page) async fn decide(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let decided = state.work(move |state| {
        let ids: Vec<String> = fields.all("id").map(str::to_owned).collect();
        if ids.is_empty() {
            return Ok(redirect(&fields, Done::Nothing, (0, "")));
        }
        let (done, decision) = match fields.one("decision")? {
            "accept" => (Done::Accepted, DreamDecision::Accept),
            "reject" => (Done::Rejected, DreamDecision::Reject),
            "newer" => (Done::Newer, DreamDecision::Newer),
            "edit" => (Done::Edited, DreamDecision::Accept),
            other => {
                return Err(HttpError::bad_request(format!(
                    "unknown decision {other:?}"
                )));
            }
        };
        let finding = (done == Done::Edited).then(|| fields.one("words"));
        let reply = state.run(Decide {
            decision,
            id: None,
            ids,
            all: false,
            finding: finding.transpose()?.map(str::to_owned),
            dry_run: false,
        })?;
        if let Some(AlreadyDecided { status, .. }) = reply.already.first() {
            let message = format!("that candidate is already {status}");
            return Err(HttpError::new(StatusCode::CONFLICT, message));
        }
        if let Some(before) = reply.reworded {
            state.reworded.keep(&reply.left, before);
        }
        Ok(redirect(&fields, done, (reply.ids.len(), &reply.left)))
    });
    decided.await
}

/// The field of an undo form that identifies the change to undo.
pub(in crate::page) const LEFT_FIELD: &str = "left";

/// Undoes the change that the form identifies, if it is still the last one.
pub(in crate::page) async fn undo(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let left = fields.one(LEFT_FIELD)?;
        state.run(UndoChange {
            left: Some(left.to_owned()),
            reworded: state.reworded.before(left),
            ..UndoChange::default()
        })?;
        Ok(redirect(&fields, Done::Undone, (1, "")))
    });
    done.await
}
