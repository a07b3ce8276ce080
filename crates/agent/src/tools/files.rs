//! Lists, reads, writes and edits workspace files for the assistant.
//!
//! Fences memory files, so that their text is not learned again.

use base::{LineRange, counted, redact_lines};
use memory::files::{
    FileAccessError, FileKind, WriteMode, edit_file, is_memory, list_files, read_file, real_path,
    write_file,
};
use memory::{FileError, FileLinesError, WorkspacePath, WorkspacePathError};
use serde::Deserialize;

use super::answer::{ToolReply, read};
use super::memory_get;
use crate::fence::{RecallFence, fenced};
use crate::knowledge::scope::Viewer;
use crate::ops::{Get, NoteLines};
use crate::runtime::HomeAccess;

/// Maximum lines of a listing.
const LISTED_MAX: usize = 200;

#[derive(Deserialize)]
struct ListArguments {
    path: Option<String>,
}

#[derive(Deserialize)]
struct WriteArguments {
    path: String,
    text: String,
    #[serde(default)]
    replace: bool,
}

#[derive(Deserialize)]
struct EditArguments {
    path: String,
    old: String,
    new: String,
}

pub(super) fn list(home: &HomeAccess, arguments: &str) -> ToolReply {
    let ListArguments { path } = read(arguments)?;
    let folder = match path.as_deref().map(|path| path.trim_end_matches('/')) {
        None | Some("" | ".") => None,
        Some(path) => Some(inside(path)?),
    };
    let listed = list_files(&home.workspace, folder.as_ref()).map_err(error_text)?;
    if listed.is_empty() {
        return Ok("There are no files.".to_owned());
    }
    let lines = listed.iter().take(LISTED_MAX).map(|file| match file.kind {
        FileKind::Folder => format!("{}/", file.name),
        FileKind::File(n_bytes) => {
            format!("{} ({})", file.name, counted(n_bytes, "byte", "bytes"))
        }
    });
    let mut lines: Vec<String> = lines.collect();
    let n_more = listed.len().saturating_sub(lines.len());
    if n_more > 0 {
        let more = counted(n_more as u64, "more is", "more are");
        lines.push(format!("{more} not listed."));
    }
    Ok(lines.join("\n"))
}

pub(super) fn read_lines(home: &HomeAccess, arguments: &str) -> ToolReply {
    let wanted: Get = read(arguments)?;
    let path = real_path(&home.workspace, &inside(&wanted.path)?).map_err(error_text)?;
    let lines = LineRange::asked(wanted.start_line, wanted.end_line);
    if is_memory(&path) {
        match memory_get::lines_for(&Viewer::Owner, &home.workspace, &path, Some(lines)) {
            // Files that steer the assistant are not searched as notes, but can be read.
            Err(FileLinesError::NotSearched(..)) => {}
            Err(error) => return Err(format!("{error}.")),
            Ok(found) => return Ok(memory_get::rendered_note(&NoteLines::new(&path, found))),
        }
    }
    let text = read_file(&home.workspace, &path).map_err(error_text)?;
    let text = redact_lines(&text);
    let n_lines = text.lines().count();
    if n_lines == 0 {
        return Ok(format!("{path} is empty."));
    }
    if lines.start > n_lines {
        let lines = counted(n_lines as u64, "line", "lines");
        return Err(format!("{path} has only {lines}."));
    }
    let wanted = text.lines().skip(lines.start - 1);
    let wanted = wanted.take((lines.end - lines.start).saturating_add(1));
    let (shown, n_shown) = memory_get::fitting(wanted, memory_get::ANSWER_MAX);
    let end_line = lines.start - 1 + n_shown;
    let rest = memory_get::more(n_lines, end_line);
    if is_memory(&path) {
        let source = format!("{path}:{}", lines.start);
        let fence = RecallFence::of(&source);
        return Ok(format!("{}{rest}", fenced(fence, &shown)));
    }
    Ok(format!("{shown}{rest}"))
}

pub(super) fn write(home: &HomeAccess, arguments: &str) -> ToolReply {
    let WriteArguments {
        path,
        text,
        replace,
    } = read(arguments)?;
    let path = inside(&path)?;
    let writing = if replace {
        WriteMode::Replace
    } else {
        WriteMode::New
    };
    let now = home.clock.now();
    write_file(&home.workspace, &path, (&text, writing), now).map_err(error_text)?;
    let bytes = counted(text.len() as u64, "byte", "bytes");
    Ok(format!("Wrote {path}: {bytes}."))
}

pub(super) fn edit(home: &HomeAccess, arguments: &str) -> ToolReply {
    let EditArguments { path, old, new } = read(arguments)?;
    let path = inside(&path)?;
    let now = home.clock.now();
    let line = edit_file(&home.workspace, &path, (&old, &new), now).map_err(error_text)?;
    Ok(format!("Changed line {line} of {path}."))
}

fn inside(path: &str) -> Result<WorkspacePath, String> {
    path.parse()
        .map_err(|error: WorkspacePathError| format!("{error}."))
}

/// Includes the cause, which the assistant passes on to the owner.
fn error_text(error: FileAccessError) -> String {
    if let FileAccessError::File(FileError::Disk(error)) = error {
        format!("{error}: {}.", error.source)
    } else if matches!(error, FileAccessError::File(FileError::Changed(_))) {
        format!("{error}; read it again.")
    } else {
        format!("{error}.")
    }
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
