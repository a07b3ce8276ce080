//! Undoes the owner's last changes in a conversation.
//!
//! Never takes back what a dream, a command or another conversation changed.

use base::{ToolOutcome, redact};
use dreaming::holds_quote;
use memory::candidates::{CORRECTED, REMEMBERED};
use memory::{TextHash, asked_before, prepared_line};
use serde::Deserialize;
use session::SessionName;

use super::answer::read;
use super::lasting::LastingChange;
use super::owner_turn::{OwnerTurn, PastCall};
use crate::fence::without_fenced;
use crate::ops::{OpContext, Operation, UndoChange, UndoForget};
use crate::runtime::Runtime;

#[derive(Deserialize)]
struct UndoArguments {
    quote: String,
    #[serde(default)]
    what: String,
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
struct Announced {
    /// What changed, in words that begin with its kind.
    name: String,
    kind: AnnouncedKind,
}

enum AnnouncedKind {
    /// `MEMORY.md` changed; the name is the cause of that change.
    Memory,
    /// The passages with these words were forgotten.
    Forgotten(TextHash),
}

/// Begins the name of a change that hid passages.
const FORGOT: &str = "forgot: ";

/// Separates the outcome from the name of the change in the answer.
const TAKEN_BACK: &str = "Taken back: ";

/// Takes back the change that the owner means.
pub(super) fn take_back(
    runtime: &Runtime,
    at: &OpContext<'_>,
    name: &SessionName,
    arguments: &str,
) -> Result<LastingChange, String> {
    let UndoArguments { quote, what } = read(arguments)?;
    let turn = OwnerTurn::of(runtime, name)?;
    turn.check_quote(&quote)?;
    let change = meant(standing(&turn.calls()), &what)?;
    match change.kind {
        AnnouncedKind::Memory => undo_memory(at, change.name),
        AnnouncedKind::Forgotten(asked) => undo_forgotten(at, (&asked, &change.name)),
    }
}

/// The change that is meant: the last one, or the last one that has these words.
fn meant(standing: Vec<Announced>, what: &str) -> Result<Announced, String> {
    if standing.is_empty() {
        return Err("This conversation has no change of memory to undo.".to_owned());
    }
    let names: Vec<String> = standing
        .iter()
        .map(|own| format!("`{}`", own.name))
        .collect();
    let mut standing = standing.into_iter();
    let found = standing.find(|own| what.trim().is_empty() || holds_quote(&own.name, what));
    found.ok_or_else(|| {
        format!(
            "No change of memory in this conversation has the words {what:?}. These can be undone, newest first: {}.",
            names.join(", ")
        )
    })
}

/// The changes that were announced and not taken back, newest first.
fn standing(calls: &[PastCall<'_>]) -> Vec<Announced> {
    let mut undone: Vec<&str> = Vec::new();
    let mut standing = Vec::new();
    for own in calls
        .iter()
        .filter(|own| own.outcome == ToolOutcome::Success)
    {
        if own.call.name == "undo" {
            undone.push(&own.answer);
        } else if let Some(change) = announced(own) {
            let told = told(&change.name);
            match undone.iter().position(|answer| answer.ends_with(&told)) {
                Some(place) => drop(undone.remove(place)),
                None => standing.push(change),
            }
        }
    }
    standing
}

/// Ends the answer of an undo, and names the change.
fn told(name: &str) -> String {
    format!("({}).", redact(name))
}

fn announced(own: &PastCall<'_>) -> Option<Announced> {
    let arguments: ChangeArguments = read(&own.call.arguments).ok()?;
    let verb = match own.call.name.as_str() {
        "remember" => REMEMBERED,
        "correct" => CORRECTED,
        "forget" if own.answer.contains(super::forget::FORGOTTEN) => {
            let what = arguments.what.trim();
            return TextHash::of(what).map(|asked| Announced {
                name: format!("{FORGOT}{what}"),
                kind: AnnouncedKind::Forgotten(asked),
            });
        }
        _ => return None,
    };
    let is_change = own.answer.starts_with(super::lasting::CHANGED);
    let text = prepared_line(&without_fenced(&arguments.text));
    is_change.then(|| Announced {
        name: format!("{verb}{text}"),
        kind: AnnouncedKind::Memory,
    })
}

fn failed(error: &dyn std::fmt::Display) -> String {
    format!("Nothing was taken back: {error}.")
}

fn undo_memory(at: &OpContext<'_>, cause: String) -> Result<LastingChange, String> {
    let request = UndoChange {
        cause: Some(cause),
        ..UndoChange::default()
    };
    let cause = request.run(at).map_err(|error| failed(&error))?.taken_back;
    Ok(LastingChange {
        answer: format!(
            "{TAKEN_BACK}MEMORY.md no longer has this change {}",
            told(&cause)
        ),
        notice: format!("Undone: {}", redact(&cause)),
    })
}

fn undo_forgotten(
    at: &OpContext<'_>,
    (asked, name): (&TextHash, &str),
) -> Result<LastingChange, String> {
    let before = asked_before(&at.home.workspace, asked).map_err(|error| failed(&error))?;
    let last = before
        .last()
        .ok_or_else(|| failed(&"this was undone before"))?;
    let request = UndoForget {
        id: last.id.to_string(),
    };
    request.run(at).map_err(|error| failed(&error))?;
    Ok(LastingChange {
        answer: format!("{TAKEN_BACK}the forgotten text is restored {}", told(name)),
        notice: "Undone: the forgotten text is restored".to_owned(),
    })
}

#[cfg(test)]
#[path = "undo_tests.rs"]
mod tests;
