//! Carries out the owner's decisions about candidates.
//!
//! Decides nothing by itself.

use std::sync::Arc;

use agent::ops::{AlreadyDecided, Decide, DreamDecision};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Redirect;
use base::{counted, short_hash};
use maud::{Markup, html};
use memory::candidates::{Access, MemoryTxn, MemoryTxnError};

use crate::http::{FormBody, HttpError, HttpState};
use crate::page::request::FormFields;

/// What was just done; passed in the URL of a redirect, so that reloading the page repeats nothing.
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
    /// The message for the owner.
    pub(super) fn in_words(self, n: Option<u64>) -> Markup {
        let candidates = counted(n.unwrap_or(1), "candidate", "candidates");
        let text = match self {
            Self::Accepted => format!("Accepted {candidates} into MEMORY.md."),
            Self::Edited => "Wrote your words into MEMORY.md.".to_owned(),
            Self::Newer => {
                "Accepted the newer one into MEMORY.md; rejected the older ones.".to_owned()
            }
            Self::Rejected => format!("Rejected {candidates} for good."),
            Self::Undone => "Undid the last change.".to_owned(),
            Self::Nothing => "Nothing was selected.".to_owned(),
        };
        html! { span { (text) } }
    }

    fn address(self, n: usize) -> Redirect {
        Redirect::to(&format!("/?done={}&n={n}", self.as_str()))
    }
}

/// Carries out a decision.
pub(in crate::page) async fn decide(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let decided = state.work(move |state| {
        let ids: Vec<String> = fields.all("id").map(str::to_owned).collect();
        if ids.is_empty() {
            return Ok(Done::Nothing.address(0));
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
        if let Some(AlreadyDecided { id, status }) = reply.already.first() {
            let message = format!("{id} is already {status}");
            return Err(HttpError::new(StatusCode::CONFLICT, message));
        }
        Ok(done.address(reply.ids.len()))
    });
    decided.await
}

/// The field of an undo that names what the change to undo left.
pub(in crate::page) const LEFT_FIELD: &str = "left";

/// Identifies the last change: what it left in `MEMORY.md`, and how it is told.
pub(in crate::page) fn left_by_last(desk: &MemoryTxn<'_>) -> String {
    let told = desk.last_decision().unwrap_or_default();
    short_hash(&format!("{told}\n{}", desk.memory().readable()))
}

/// Undoes the last change; if the form names a change, only that one.
pub(in crate::page) async fn undo(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let mut desk = state.desk(Access::Write)?;
        let left = left_by_last(&desk);
        if fields.all(LEFT_FIELD).any(|own| own != left) {
            let message = "another change was made since, so nothing was undone; the page Dreams shows the last change";
            return Err(HttpError::new(StatusCode::CONFLICT, message));
        }
        let undone = desk.undo();
        undone.map_err(undecided)?;
        Ok(Done::Undone.address(1))
    });
    done.await
}

/// Conflicts, which the owner can resolve, are 409; all other errors are 500.
fn undecided(error: MemoryTxnError) -> HttpError {
    let is_for_the_owner = matches!(
        error,
        MemoryTxnError::Review(_)
            | MemoryTxnError::Undo(_)
            | MemoryTxnError::Forgotten
            | MemoryTxnError::Busy
    );
    if is_for_the_owner {
        HttpError::conflict(&error)
    } else {
        error.into()
    }
}
