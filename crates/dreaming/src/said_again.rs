//! Recognises an earlier value of a line of `MEMORY.md` that is said again in the same words: it replaces that
//! line, which took its place before.
//!
//! Pure; compares words and the record of the changes.

use memory::candidates::{Candidate, DreamState, Proposal, Status, same_words};
use memory::curated::{CuratedLine, current_value, memory_lines};
use memory::{MemoryText, prepared_line};

use crate::propose::{Operation, OperationKind};

/// The operation, which changes a line instead of adding one if it says an earlier value of that line.
pub fn said_again(operation: Operation, memory: &MemoryText, state: &DreamState) -> Operation {
    if !matches!(
        operation.kind,
        OperationKind::Add | OperationKind::Update(None)
    ) {
        return operation;
    }
    let asked = same_words(&prepared_line(&operation.text));
    let is_asked = |own: &Candidate| {
        replaced(own).is_some_and(|(_, older)| same_words(current_value(older)) == asked)
    };
    let Some(place) = state.history.iter().rposition(is_asked) else {
        return operation;
    };
    let mut changes = state.history.iter().skip(place);
    let Some(first) = changes.next() else {
        return operation;
    };
    // Each change has the id of the line that it wrote.
    let mut newest = first.id.as_str();
    for own in changes {
        if replaced(own).is_some_and(|(line, _)| line == newest) {
            newest = own.id.as_str();
        }
    }
    match line_of(memory, newest) {
        Some(line) => Operation {
            kind: OperationKind::Update(Some(line)),
            ..operation
        },
        None => operation,
    }
}

/// The id and the text of the line that a change replaced, if it is in force.
fn replaced(own: &Candidate) -> Option<(&str, &str)> {
    let is_in_force = matches!(own.status, Status::Promoted | Status::Accepted);
    if let Proposal::Supersede { line, older, .. } = &own.proposal
        && is_in_force
    {
        return Some((line, older));
    }
    None
}

fn line_of(memory: &MemoryText, id: &str) -> Option<CuratedLine> {
    let mut lines = memory_lines(memory).into_iter();
    lines.find(|line| line.id() == Some(id))
}
