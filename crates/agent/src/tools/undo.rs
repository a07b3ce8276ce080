//! The `undo` tool: takes back a change of memory that this conversation announced, the last one unless another is named.
//!
//! Never takes back what a dream, a command or another conversation changed.

use base::{ToolOutcome, redact};
use dreaming::holds_quote;
use memory::candidates::{Access, CORRECTED, REMEMBERED};
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

/// Stands in the answer between what happened and the name of the change.
const TAKEN_BACK: &str = "Taken back: ";

pub(super) fn run(
    runtime: &Runtime,
    knowledge: &Knowledge,
    name: &SessionName,
    arguments: &str,
) -> Result<LastingChange, String> {
    let UndoArguments { quote, what } = read(arguments)?;
    let turn = OwnerTurn::of(runtime, name)?;
    turn.check_quote(&quote)?;
    let change = meant(standing(&turn.calls()), &what)?;
    match change.kind {
        AnnouncedKind::Memory => undo_memory(&runtime.home, &change.name),
        AnnouncedKind::Forgotten(asked) => {
            undo_forgotten(&runtime.home, knowledge, (&asked, &change.name))
        }
    }
}

/// The change that is meant: the last one, or the last one that has these words.
fn meant(standing: Vec<Announced>, what: &str) -> Result<Announced, String> {
    if standing.is_empty() {
        return Err("This conversation has no change of memory to take back.".to_owned());
    }
    let names: Vec<String> = standing
        .iter()
        .map(|own| format!("`{}`", own.name))
        .collect();
    let mut standing = standing.into_iter();
    let found = standing.find(|own| what.trim().is_empty() || holds_quote(&own.name, what));
    found.ok_or_else(|| {
        format!(
            "No change of memory in this conversation has the words {what:?}. It can take back, newest first: {}.",
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

fn undo_memory(home: &HomeAccess, cause: &str) -> Result<LastingChange, String> {
    let failed = |error: &dyn std::fmt::Display| format!("Nothing was taken back: {error}.");
    let mut desk = home.desk(Access::Write).map_err(|error| failed(&error))?;
    desk.undo_change(cause).map_err(|error| failed(&error))?;
    Ok(LastingChange {
        answer: format!(
            "{TAKEN_BACK}MEMORY.md no longer has this change {}",
            told(cause)
        ),
        notice: format!("Undone: {}", redact(cause)),
    })
}

fn undo_forgotten(
    home: &HomeAccess,
    knowledge: &Knowledge,
    (asked, name): (&TextHash, &str),
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
        answer: format!(
            "{TAKEN_BACK}what was forgotten is there again {}",
            told(name)
        ),
        notice: "Undone: what was forgotten is there again".to_owned(),
    })
}

#[cfg(test)]
#[path = "undo_tests.rs"]
mod tests;
