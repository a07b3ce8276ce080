//! Carries out the owner's decisions about candidates.
//!
//! Decides nothing by itself.

use std::sync::Arc;

use agent::review::{ReviewOrder, waiting_among};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Redirect;
use base::{counted, short_hash};
use maud::{Markup, html};
use memory::candidates::{Access, Candidate, CandidateId, MemoryTxn, MemoryTxnError};

use crate::http::{FormBody, HttpError, HttpState, undecided};
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
        let mut desk = state.desk(Access::Write)?;
        let mut ids = Vec::new();
        for typed in fields.all("id") {
            ids.push(
                desk.meant(typed)
                    .map_err(|error| HttpError::conflict(&error))?
                    .id
                    .clone(),
            );
        }
        let Some(first) = ids.first().cloned() else {
            return Ok(Done::Nothing.address(0));
        };
        let done = match fields.one("decision")? {
            "accept" => desk.accept(&ids).map(|_| Done::Accepted),
            "reject" => desk.reject(&ids).map(|_| Done::Rejected),
            "newer" => newer(&mut desk, &first).map(|()| Done::Newer),
            "edit" => {
                let words = fields.one("words")?;
                let reworded = desk.reword(&first, words);
                reworded
                    .and_then(|_| desk.accept(&[first]))
                    .map(|_| Done::Edited)
            }
            other => {
                return Err(HttpError::bad_request(format!(
                    "unknown decision {other:?}"
                )));
            }
        };
        Ok(done.map_err(undecided)?.address(ids.len()))
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

fn newer(desk: &mut MemoryTxn<'_>, id: &CandidateId) -> Result<(), MemoryTxnError> {
    let review = ReviewOrder::of(&desk.state().pending);
    let older: Vec<Candidate> = waiting_among(desk.state(), review.older_than(id));
    let older: Vec<CandidateId> = older.into_iter().map(|own| own.id).collect();
    desk.prefer(id, &older).map(drop)
}
