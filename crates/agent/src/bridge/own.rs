//! Reads the memories of a workspace with their origin and scope.
//!
//! A line that the program wrote has the origin in its record here, but counts as the assistant's word in the workspace
//! of another program, whose evidence is not imported.

use base::{LineRange, Origin, Tz, day, redact, scope_of, sentences, strictest_scope};
use import::{Holds, Memory, MemoryFile, MemoryFormat, memories_in};
use memory::graph::is_graph;
use memory::{
    FileError, FileLinesError, NOTE_CHARS_MAX, Workspace, WorkspacePath, lines_known_from,
    note_text, prepared_line,
};
use search::NoteSource;

use super::model::BridgeError;

/// All memories of our own workspace except the graph's, by statement, and the paths of notes that cannot be read;
/// lines without a mark are the owner's, and a memory without a day gets that of its file's last change.
pub(super) fn memories_of(
    workspace: &Workspace,
    timezone: Tz,
) -> Result<(Vec<Memory>, Vec<String>), BridgeError> {
    let (notes, problems) = workspace.notes();
    let mut unreadable = Vec::new();
    for (path, error) in problems {
        if error.is_resource_exhausted() {
            return Err(error.into());
        }
        unreadable.push(path);
    }
    let mut all = Vec::new();
    for note in notes {
        let Some(path) = note.path.parse().ok().filter(|path| !is_graph(path)) else {
            continue;
        };
        let text = match note_text(workspace, &path) {
            Ok(text) => text,
            Err(FileLinesError::File(FileError::Disk(error))) if error.is_resource_exhausted() => {
                return Err(error.into());
            }
            Err(FileLinesError::File(
                error @ (FileError::Damaged { .. } | FileError::TooNew(..)),
            )) => {
                return Err(error.into());
            }
            Err(_) => {
                unreadable.push(note.path);
                continue;
            }
        };
        let changed_on = note.stat.modified_at.map(|at| day(at, timezone));
        for mut memory in memories_in_note(workspace, &path, (Origin::Owner, timezone))? {
            if let Some(line) = text.line(memory.line) {
                memory.origin = line.origin();
            }
            memory.day = memory.day.or(changed_on);
            let texts = statements(&memory.text).into_iter();
            all.extend(texts.map(|text| Memory {
                text,
                ..memory.clone()
            }));
        }
    }
    Ok((all, unreadable))
}

/// The memories of one note of a workspace.
pub(super) fn memories_in_note(
    workspace: &Workspace,
    path: &WorkspacePath,
    origin_and_zone: (Origin, Tz),
) -> Result<Vec<Memory>, BridgeError> {
    let text = note_text(workspace, path)?;
    let file = MemoryFile {
        path: path.as_str().into(),
        format: None,
        holds: Holds::Everywhere,
        modified_at: None,
    };
    let readable = text.readable();
    let (mut found, _) = memories_in((MemoryFormat::OpenClaw, &readable), &file, origin_and_zone)?;
    let known = lines_known_from(workspace, path)?;
    for memory in &mut found {
        if let Some(line) = text.line(memory.line) {
            memory.day = line.day().or(memory.day);
            memory.origin = match line.written_for() {
                None => memory.origin,
                Some(Origin::Untrusted) => Origin::Untrusted,
                // What another program's owner said is no proof here.
                Some(Origin::Owner | Origin::Agent | Origin::System) => Origin::Agent,
            };
        }
        if let Some(scope) = scope_of_line(&known, memory.line) {
            memory.holds = Holds::In(scope);
        }
    }
    Ok(found)
}

/// The scope of a line known from these sessions.
fn scope_of_line(known: &[(LineRange, String)], line: usize) -> Option<String> {
    let of_line = known.iter().filter(|(lines, _)| lines.contains(line));
    strictest_scope(of_line.filter_map(|(_, session)| scope_of(session)))
}

/// A text as notes hold it: redacted, and split into parts that each fit into a note, between sentences where
/// possible.
pub(super) fn statements(text: &str) -> Vec<String> {
    let whole = redact(text);
    if n_chars(&whole) <= NOTE_CHARS_MAX {
        return vec![prepared_line(&whole)];
    }
    let mut parts: Vec<String> = Vec::new();
    for sentence in sentences(&whole) {
        match parts.last_mut() {
            Some(last) if n_chars(last) + 1 + n_chars(sentence) <= NOTE_CHARS_MAX => {
                last.push(' ');
                last.push_str(sentence.trim());
            }
            _ => {
                let characters: Vec<char> = sentence.trim().chars().collect();
                let cut = characters.chunks(NOTE_CHARS_MAX);
                parts.extend(cut.map(|part| part.iter().collect::<String>()));
            }
        }
    }
    parts.iter().map(|part| prepared_line(part)).collect()
}

fn n_chars(text: &str) -> usize {
    text.chars().count()
}
