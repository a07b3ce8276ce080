//! Lists, reads, writes and edits files of the workspace for the assistant.
//!
//! Shows what is memory between marks, so that nobody learns it a second time.

use base::{counted, redact_lines};
use memory::files::{
    FileError, FileKind, Writing, edit_file, is_memory, list_files, read_file, real_path,
    write_file,
};
use memory::{FileLinesError, WorkspacePath, WorkspacePathError};
use serde::Deserialize;

use super::answer::{Answer, read};
use super::memory_get;
use crate::fence::{RecallFence, fenced};
use crate::runtime::Runtime;
use crate::scope::Viewer;

/// Most lines of a listing.
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

pub(super) fn list(runtime: &Runtime, arguments: &str) -> Answer {
    let ListArguments { path } = read(arguments)?;
    let folder = match path.as_deref().map(|path| path.trim_end_matches('/')) {
        None | Some("" | ".") => None,
        Some(path) => Some(inside(path)?),
    };
    let listed = list_files(&runtime.home.workspace, folder.as_ref()).map_err(told)?;
    if listed.is_empty() {
        return Ok("There is nothing.".to_owned());
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

pub(super) fn read_lines(runtime: &Runtime, arguments: &str) -> Answer {
    let wanted: memory_get::GetArguments = read(arguments)?;
    let path = real_path(&runtime.home.workspace, &inside(&wanted.path)?).map_err(told)?;
    let lines = wanted.range();
    if is_memory(&path) {
        match memory_get::note((&runtime.home.workspace, &Viewer::Owner), &path, lines) {
            // What steers is no note, and can be read all the same.
            Err(FileLinesError::NotSearched(..)) => {}
            Err(error) => return Err(format!("{error}.")),
            Ok(text) => return Ok(text),
        }
    }
    let text = read_file(&runtime.home.workspace, &path).map_err(told)?;
    let text = redact_lines(&text);
    let n_lines = text.lines().count();
    if n_lines == 0 {
        return Ok(format!("{path} is empty."));
    }
    if lines.start > n_lines {
        let lines = counted(n_lines as u64, "line", "lines");
        return Err(format!("{path} has {lines}."));
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

pub(super) fn write(runtime: &Runtime, arguments: &str) -> Answer {
    let WriteArguments {
        path,
        text,
        replace,
    } = read(arguments)?;
    let path = inside(&path)?;
    let writing = if replace {
        Writing::Replace
    } else {
        Writing::New
    };
    let now = runtime.home.clock.now();
    write_file(&runtime.home.workspace, &path, (&text, writing), now).map_err(told)?;
    let bytes = counted(text.len() as u64, "byte", "bytes");
    Ok(format!("{path} is written: {bytes}."))
}

pub(super) fn edit(runtime: &Runtime, arguments: &str) -> Answer {
    let EditArguments { path, old, new } = read(arguments)?;
    let path = inside(&path)?;
    let now = runtime.home.clock.now();
    let line = edit_file(&runtime.home.workspace, &path, (&old, &new), now).map_err(told)?;
    Ok(format!("{path} is changed in line {line}."))
}

fn inside(path: &str) -> Result<WorkspacePath, String> {
    path.parse()
        .map_err(|error: WorkspacePathError| format!("{error}."))
}

/// The cause too: it is all that the assistant can tell the owner.
fn told(error: FileError) -> String {
    let FileError::Disk(error) = error else {
        return format!("{error}.");
    };
    format!("{error}: {}.", error.source)
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
