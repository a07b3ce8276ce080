//! The `memory_get` tool: lines of a note, or messages of a conversation.
//!
//! Returns only what a search could return, fenced with its place.

use base::{LineRange, Locator, Origin, TokenCount, estimate_text, head, redact};
use memory::{FileLines, FileLinesError, Workspace, WorkspacePath, file_lines};
use search::{PassageSource, SourceMessage};
use serde::Deserialize;

use super::answer::{ToolReply, read};
use crate::fence::{RecallFence, fenced};
use crate::knowledge::index::Knowledge;
use crate::knowledge::scope::Viewer;
use crate::knowledge::session_source::SessionSource;
use crate::runtime::HomeAccess;

pub(super) const ANSWER_MAX: TokenCount = TokenCount(4_000);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GetArguments {
    pub(super) path: String,
    start_line: Option<usize>,
    end_line: Option<usize>,
}

impl GetArguments {
    /// Reads the arguments; the path may be a place, as a search result names it.
    pub(super) fn of(arguments: &str) -> Result<Self, String> {
        let wanted: Self = read(arguments)?;
        let place = wanted.path.parse::<Locator>().ok();
        Ok(match place.filter(|_| wanted.start_line.is_none()) {
            Some(place) => Self {
                path: place.path,
                start_line: Some(place.start_line),
                end_line: wanted.end_line.or(Some(place.end_line)),
            },
            None => wanted,
        })
    }

    /// The requested lines; all by default.
    pub(super) fn range(&self) -> LineRange {
        LineRange::asked(self.start_line, self.end_line)
    }
}

pub(super) fn run(
    home: &HomeAccess,
    knowledge: &Knowledge,
    viewer: &Viewer,
    arguments: &str,
) -> ToolReply {
    let wanted = GetArguments::of(arguments)?;
    let lines = wanted.range();
    if SessionSource::name_of(&wanted.path).is_some() {
        return messages(knowledge, viewer, &wanted.path, lines);
    }
    let path = wanted.path.parse::<WorkspacePath>();
    let path = path.map_err(|error| error.to_string())?;
    note(&home.workspace, viewer, &path, lines).map_err(|error| error.to_string())
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
pub(super) fn lines_for(
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
pub(super) fn note(
    workspace: &Workspace,
    viewer: &Viewer,
    path: &WorkspacePath,
    lines: LineRange,
) -> Result<String, FileLinesError> {
    let found = lines_for(viewer, workspace, path, Some(lines))?;
    let (text, n_shown) = fitting(found.text.lines(), ANSWER_MAX);
    let place = Locator {
        path: path.to_string(),
        start_line: found.lines.start,
        end_line: found.lines.start + n_shown.saturating_sub(1),
    };
    let source = place.to_string();
    let fence = RecallFence::of(&source);
    let rest = more(found.n_lines, place.end_line);
    Ok(format!("{}{rest}", fenced(fence, &text)))
}

fn messages(knowledge: &Knowledge, viewer: &Viewer, path: &str, lines: LineRange) -> ToolReply {
    let hidden = viewer.hidden_messages(knowledge.sessions().store(), path);
    let mut left = ANSWER_MAX;
    let mut parts: Vec<String> = Vec::new();
    let mut is_full = false;
    let (mut last_line, mut last_shown) = (0, 0);
    let mut take = |message: SourceMessage| {
        last_line = message.place.line;
        let is_hidden = hidden.iter().any(|lines| lines.contains(last_line));
        if is_full || is_hidden || !lines.contains(last_line) {
            return;
        }
        let part = rendered(path, &message, left);
        let needed = estimate_text(&part);
        if !parts.is_empty() && needed > left {
            is_full = true;
            return;
        }
        left = left.saturating_sub(needed);
        last_shown = last_line;
        parts.push(part);
    };
    let read = knowledge.sessions().read(path, None, &mut take);
    read.map_err(|error| format!("{error}: {}", error.cause))?;
    if parts.is_empty() {
        return Err(format!(
            "There is no message to show there; the last one is on line {last_line}."
        ));
    }
    let rest = more(last_line, last_shown);
    Ok(format!("{}{rest}", parts.join("\n")))
}

fn rendered(path: &str, message: &SourceMessage, max: TokenCount) -> String {
    let line = message.place.line;
    let source = format!("{path}:{line}");
    let fence = RecallFence {
        day: message.day,
        origin: Some(message.origin).filter(|origin| *origin != Origin::System),
        ..RecallFence::of(&source)
    };
    let text = redact(&message.text);
    let shown = head(&text, max.to_chars());
    let mark = if shown.len() < text.len() {
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

/// A sentence that says how far the note goes on, if it does.
pub(super) fn more(n_lines: usize, end_line: usize) -> String {
    if n_lines > end_line {
        format!("\nIt continues to line {n_lines}.")
    } else {
        String::new()
    }
}
