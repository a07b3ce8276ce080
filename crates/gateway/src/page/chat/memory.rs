//! Carries out the commands of the chat that change memory or explain a line of it, as the command line does.
//!
//! Forgets only what was shown before.

use agent::ops::{
    Correct, Forget, PlanForget, Remember, RememberReply, RememberStatus, UndoChange, Why,
};
use base::counted;

use crate::http::{HttpError, HttpState};

/// A request to change memory, or to explain a line of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MemoryRequest {
    /// Write a line into `MEMORY.md`.
    Remember(String),
    /// Replace a line.
    Correct {
        /// The line: its words, place or id.
        line: String,
        /// The new line.
        text: String,
    },
    /// Show what words or a place name, or forget what was shown.
    Forget(String),
    /// Undo the last change of `MEMORY.md`, or the one of this line.
    Undo(Option<String>),
    /// Say where a line comes from.
    Why(String),
}

/// Precedes the token of a plan in the command that carries it out.
const AGREED: &str = "yes ";

/// Number of passages that a plan shows.
const SHOWN_MAX: usize = 8;

/// Carries out a request; returns what to tell the owner.
pub(super) fn carry_out(state: &HttpState, request: MemoryRequest) -> Result<String, HttpError> {
    match request {
        MemoryRequest::Remember(text) => {
            let reply = state.run(Remember {
                text,
                ..Remember::default()
            })?;
            Ok(written(&reply))
        }
        MemoryRequest::Correct { line, text } => {
            let reply = state.run(Correct {
                line,
                text,
                ..Correct::default()
            })?;
            Ok(written(&reply))
        }
        MemoryRequest::Forget(words) => match agreed_token(&words) {
            Some(token) => forget(state, token),
            None => planned(state, words),
        },
        MemoryRequest::Undo(id) => {
            let undone = state.run(UndoChange {
                id,
                ..UndoChange::default()
            })?;
            Ok(format!("Undone: {}", undone.taken_back))
        }
        MemoryRequest::Why(about) => {
            let reply = state.run(Why { about })?;
            let steps = reply.steps.iter().map(|step| {
                let place = step.place.as_ref().map(|it| format!(" ({it})"));
                format!("{}{}: {}", step.day, place.unwrap_or_default(), step.text)
            });
            let steps: Vec<String> = steps.collect();
            Ok(if steps.is_empty() {
                format!("Nothing is recorded about \u{201c}{}\u{201d}.", reply.text)
            } else {
                format!(
                    "\u{201c}{}\u{201d} comes from: {}",
                    reply.text,
                    steps.join("; ")
                )
            })
        }
    }
}

/// The token of the plan that the owner agrees to. It is one word: several words after "yes" are words to forget.
fn agreed_token(words: &str) -> Option<&str> {
    let token = words.strip_prefix(AGREED)?.trim();
    (!token.contains(char::is_whitespace)).then_some(token)
}

fn written(reply: &RememberReply) -> String {
    let RememberReply { path, text, .. } = reply;
    let before = reply.replaces.as_ref();
    let before = before.map(|before| format!(", instead of: {before}"));
    let before = before.unwrap_or_default();
    match (reply.status, &reply.id) {
        (RememberStatus::Taken, Some(id)) => {
            format!("In {path}: {text}{before}. `/undo {id}` reverts this.")
        }
        (RememberStatus::Taken, None) => {
            format!("In {path}: {text}{before}. `{}` reverts this.", reply.next)
        }
        (RememberStatus::Waiting, _) => {
            format!(
                "You wrote that line of {path}, so it stays. The new one waits in the review: {text}"
            )
        }
    }
}

/// Shows what would be forgotten, with the command that forgets it.
fn planned(state: &HttpState, what: String) -> Result<String, HttpError> {
    let is_place = what.parse::<base::Locator>().is_ok() && !what.contains(' ');
    let (what, places) = if is_place {
        (String::new(), vec![what])
    } else {
        (what, Vec::new())
    };
    let plan = state.run(PlanForget {
        what,
        places,
        ..PlanForget::default()
    })?;
    let Some(token) = &plan.token else {
        return Ok("Nothing was found to forget.".to_owned());
    };
    let items = plan.items.iter().take(SHOWN_MAX);
    let items = items.map(|item| format!("\u{201c}{}\u{201d} ({})", item.text, item.place()));
    let items: Vec<String> = items.collect();
    let n_more = plan.items.len().saturating_sub(SHOWN_MAX) + plan.more;
    let more = match n_more {
        0 => String::new(),
        more => format!(
            ", and {}",
            counted(more as u64, "more passage", "more passages")
        ),
    };
    Ok(format!(
        "This would be forgotten: {}{more}. Send `/forget {AGREED}{token}` to forget it; the undo is in the notice.",
        items.join("; ")
    ))
}

fn forget(state: &HttpState, token: &str) -> Result<String, HttpError> {
    let done = state.run(Forget {
        token: token.to_owned(),
        ..Forget::default()
    })?;
    let warnings = done.warnings.iter().map(|it| format!(" Warning: {it}."));
    let warnings: String = warnings.collect();
    Ok(format!("Forgotten. `{}` restores it.{warnings}", done.undo))
}
