//! The `undo` tool: takes back the last change of memory that this conversation announced.
//!
//! Never takes back what a dream, a command or another conversation changed.

use base::ToolOutcome;
use memory::candidates::Access;
use memory::{TextHash, prepared_line, undo_forgetting};
use serde::Deserialize;
use session::SessionName;

use super::answer::read;
use super::lasting::LastingChange;
use super::owner_turn::{OwnerTurn, PastCall};
use crate::fence::without_fenced;
use crate::knowledge::index::Knowledge;
use crate::runtime::{HomeAccess, Runtime};

#[derive(Deserialize)]
struct UndoArguments {
    quote: String,
}

/// The arguments of the calls that change memory, as far as they name the change.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChangeArguments {
    #[serde(default)]
    text: String,
    #[serde(default)]
    what: String,
}

/// A change that the conversation announced.
enum Announced {
    /// `MEMORY.md` changed, for this cause.
    Memory(String),
    /// The passages with these words were forgotten.
    Forgotten(TextHash),
}

pub(super) fn run(
    runtime: &Runtime,
    knowledge: &Knowledge,
    name: &SessionName,
    arguments: &str,
) -> Result<LastingChange, String> {
    let UndoArguments { quote } = read(arguments)?;
    let turn = OwnerTurn::of(runtime, name)?;
    turn.check_quote(&quote)?;
    let last = last_announced(&turn.calls());
    let last = last.ok_or("This conversation has no change of memory to take back.")?;
    match last {
        Announced::Memory(cause) => undo_memory(&runtime.home, &cause),
        Announced::Forgotten(asked) => undo_forgotten(&runtime.home, knowledge, &asked),
    }
}

/// The last change that was announced and not yet taken back.
fn last_announced(calls: &[PastCall<'_>]) -> Option<Announced> {
    let mut n_undone = 0;
    for own in calls
        .iter()
        .filter(|own| own.outcome == ToolOutcome::Success)
    {
        if own.call.name == "undo" {
            n_undone += 1;
        } else if let Some(change) = announced(own) {
            if n_undone == 0 {
                return Some(change);
            }
            n_undone -= 1;
        }
    }
    None
}

fn announced(own: &PastCall<'_>) -> Option<Announced> {
    let arguments: ChangeArguments = read(&own.call.arguments).ok()?;
    let verb = match own.call.name.as_str() {
        "remember" => "remembered",
        "correct" => "corrected",
        "forget" if own.answer.contains(super::forget::FORGOTTEN) => {
            return TextHash::of(&arguments.what).map(Announced::Forgotten);
        }
        _ => return None,
    };
    let is_change = own.answer.starts_with(super::lasting::CHANGED);
    let text = prepared_line(&without_fenced(&arguments.text));
    is_change.then(|| Announced::Memory(format!("{verb}: {text}")))
}

fn undo_memory(home: &HomeAccess, cause: &str) -> Result<LastingChange, String> {
    let failed = |error: &dyn std::fmt::Display| format!("Nothing was taken back: {error}.");
    let mut desk = home.desk(Access::Write).map_err(|error| failed(&error))?;
    match desk.last_decision() {
        Some(last) if last == cause => {}
        Some(last) => {
            return Err(failed(&format!(
                "memory has changed since ({last}). The owner can run `openclaw dream log` and `openclaw dream undo`"
            )));
        }
        None => return Err(failed(&"MEMORY.md has no change to undo")),
    }
    let done = desk.undo_for_good().map_err(|error| failed(&error))?;
    Ok(LastingChange {
        answer: format!("Taken back: MEMORY.md is as it was before it was changed ({done})."),
        notice: format!("Undone: {done}"),
    })
}

fn undo_forgotten(
    home: &HomeAccess,
    knowledge: &Knowledge,
    asked: &TextHash,
) -> Result<LastingChange, String> {
    let failed = |error: &dyn std::fmt::Display| format!("Nothing was taken back: {error}.");
    let before = knowledge.asked_before(asked);
    let before = before.map_err(|error| failed(&error))?;
    let last = before
        .last()
        .ok_or_else(|| failed(&"this was undone before"))?;
    let undone = undo_forgetting(&home.workspace, &last.id, home.clock.now());
    undone.map_err(|error| failed(&error))?;
    // A failure is harmless: the next search brings the index up to date.
    drop(knowledge.sync(&mut |_| {}));
    Ok(LastingChange {
        answer: "Taken back: what was forgotten is there again.".to_owned(),
        notice: "Undone: what was forgotten is there again".to_owned(),
    })
}

#[cfg(test)]
#[path = "undo_tests.rs"]
mod tests;
