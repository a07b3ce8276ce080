//! The `memory_get` tool: lines of a note, or messages of a conversation.
//!
//! Returns only what a search could return, fenced with its place.

use base::{LineRange, Locator, Origin, TokenCount, estimate_text, head};
use memory::{FileLines, FileLinesError, Workspace, WorkspacePath, file_lines};

use super::answer::ToolReply;
use crate::fence::{RecallFence, fenced};
use crate::knowledge::scope::Viewer;
use crate::ops::{
    Get, GetReply, NoteLines, OpContext, Operation, PastReply, SessionMessage, SessionMessages,
};

pub(super) const ANSWER_MAX: TokenCount = TokenCount(4_000);

/// The answer to a call: as much as fits, in fences.
pub(super) fn get_lines(get: Get, at: &OpContext<'_>) -> ToolReply {
    let get = Get {
        budget: Some(ANSWER_MAX.0),
        ..get
    };
    let reply = get.run(at).map_err(|error| format!("{error}."))?;
    let past = reply.as_of().map(PastReply::in_words);
    let text = match &reply {
        GetReply::Note(note) => rendered_note(note),
        GetReply::Messages(found) => rendered_messages(found),
    };
    let parts: Vec<String> = past.into_iter().chain([text]).collect();
    Ok(parts.join("\n"))
}

pub(super) const HIDDEN: &str = "[of another repository]";

/// The beginning of long-term memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LongTermExcerpt {
    /// The lines that fit.
    pub(crate) text: String,
    /// Lines shown, of all lines that the viewer may see.
    pub(super) n_shown: usize,
    pub(super) n_lines: usize,
}

/// Long-term memory as a viewer may see it; `None` if it holds no item.
pub(crate) fn long_term_excerpt(
    viewer: &Viewer,
    workspace: &Workspace,
    max: TokenCount,
) -> Result<Option<LongTermExcerpt>, FileLinesError> {
    let found = match lines_for(viewer, workspace, &workspace.memory_path(), None) {
        Ok(lines) => lines.text,
        Err(FileLinesError::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut lines: Vec<&str> = found.lines().collect();
    lines.retain(|line| *line != HIDDEN);
    let is_item = |line: &&str| line.trim_start().starts_with(['-', '*', '+']);
    Ok(lines.iter().any(is_item).then(|| {
        let (text, n_shown) = fitting(lines.iter().copied(), max);
        LongTermExcerpt {
            text,
            n_shown,
            n_lines: lines.len(),
        }
    }))
}

/// Lines of a note as a viewer may see them.
pub(crate) fn lines_for(
    viewer: &Viewer,
    workspace: &Workspace,
    path: &WorkspacePath,
    lines: Option<LineRange>,
) -> Result<FileLines, FileLinesError> {
    let mut found = file_lines(workspace, path, lines)?;
    let hidden = viewer.hidden_lines(workspace, path.as_str());
    let shown = found.text.lines().zip(found.lines.start..);
    let shown = shown.map(|(line, number)| {
        if hidden.iter().any(|lines| lines.contains(number)) {
            HIDDEN
        } else {
            line
        }
    });
    found.text = shown.collect::<Vec<_>>().join("\n");
    Ok(found)
}

/// Lines of a note in a fence, as many as fit.
pub(super) fn rendered_note(note: &NoteLines) -> String {
    let (text, n_shown) = fitting(note.text.lines(), ANSWER_MAX);
    let place = Locator {
        path: note.path.clone(),
        start_line: note.start_line,
        end_line: note.start_line + n_shown.saturating_sub(1),
    };
    let source = place.to_string();
    let fence = RecallFence::of(&source);
    let rest = more(note.lines, place.end_line);
    format!("{}{rest}", fenced(fence, &text))
}

/// Messages in fences, as many as fit.
fn rendered_messages(found: &SessionMessages) -> String {
    let mut left = ANSWER_MAX;
    let mut parts: Vec<String> = Vec::new();
    let mut last_shown = 0;
    for message in &found.messages {
        let part = rendered(&found.path, message, left);
        let needed = estimate_text(&part);
        if !parts.is_empty() && needed > left {
            break;
        }
        left = left.saturating_sub(needed);
        last_shown = message.line;
        parts.push(part);
    }
    let is_cut = found
        .messages
        .last()
        .is_some_and(|last| last.line > last_shown);
    let rest = match found.lines {
        Some(n_lines) => more(n_lines, last_shown),
        None if is_cut || found.more => format!("\nIt continues after line {last_shown}."),
        None => String::new(),
    };
    format!("{}{rest}", parts.join("\n"))
}

fn rendered(path: &str, message: &SessionMessage, max: TokenCount) -> String {
    let source = format!("{path}:{}", message.line);
    let fence = RecallFence {
        day: message.day,
        origin: Some(message.origin).filter(|origin| *origin != Origin::System),
        ..RecallFence::of(&source)
    };
    let shown = head(&message.text, max.to_chars());
    let mark = if shown.len() < message.text.len() {
        "\n[the rest of this message is not shown]"
    } else {
        ""
    };
    fenced(fence, &format!("{}: {shown}{mark}", message.speaker))
}

/// The lines that fit and their number; at least one, cut if it is too long.
pub(super) fn fitting<'l>(
    lines: impl Iterator<Item = &'l str>,
    max: TokenCount,
) -> (String, usize) {
    let mut shown: Vec<&str> = Vec::new();
    let mut left = max;
    for line in lines {
        let needed = estimate_text(line) + TokenCount(1);
        if needed > left {
            if shown.is_empty() {
                shown.push(head(line, max.to_chars()));
            }
            break;
        }
        left = left.saturating_sub(needed);
        shown.push(line);
    }
    (shown.join("\n"), shown.len())
}

/// A sentence that says how much more of the note follows, if any.
pub(super) fn more(n_lines: usize, end_line: usize) -> String {
    if n_lines > end_line {
        format!("\nIt continues to line {n_lines}.")
    } else {
        String::new()
    }
}
