//! Asks at a terminal for the owner's name and languages, and writes them into `USER.md`.
//!
//! Asks only for fields that the form lacks.

use memory::Workspace;

use super::choice::{answer, is_anybody_there};
use crate::prelude::*;

/// The fields of `USER.md`, each with its question.
const QUESTIONS: [(&str, &str); 2] = [
    (
        "Name",
        "What is your name? The assistant will know you by it. (Enter skips.) ",
    ),
    (
        "Languages",
        "Which languages do you speak with it? (Enter skips.) ",
    ),
];

pub(super) fn ask(workspace: &Workspace, context: &mut Context) -> Result<()> {
    if !is_anybody_there(context) {
        return Ok(());
    }
    let fields = QUESTIONS.map(|(field, _)| field);
    let unfilled = workspace.unfilled(&fields)?;
    let mut is_saved = false;
    for (field, question) in QUESTIONS {
        if !unfilled.contains(&field) {
            continue;
        }
        let Some(said) = answer(question, context)? else {
            break;
        };
        let said = said.trim();
        if !said.is_empty() {
            // Each at once, so that an interrupt at the next question loses nothing.
            is_saved |= workspace.fill_in_owner(&[(field, said)])?;
        }
    }
    if is_saved {
        context
            .output
            .tell_aside("Saved in USER.md, which you can edit at any time.");
    }
    Ok(())
}
