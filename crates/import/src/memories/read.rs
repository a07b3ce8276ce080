//! Reads a memory file of any format.
//!
//! Detects JSON formats by content, never by file name.

use base::Origin;
use base::disk::{Disk, read_all};
use serde::Deserialize;

use super::markdown::items;
use super::model::{Holds, Memory, MemoryFile, MemoryFileError, MemoryFormat};
use super::{chatgpt, claude, claude_code, codex, export, hermes, obsidian, openclaw};

/// Maximum bytes of a file.
const FILE_BYTES_MAX: u64 = 1 << 30;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum GraphJsonLine {
    Entity {},
    Relation {},
}

/// Reads a file and determines its format.
pub fn read_memory_file(
    disk: &dyn Disk,
    file: &MemoryFile,
) -> Result<(MemoryFormat, String), MemoryFileError> {
    let bytes = read_all(disk, &file.path, FILE_BYTES_MAX)?;
    let path = || file.path.clone();
    let text = String::from_utf8(bytes).map_err(|_| MemoryFileError::NoText(path()))?;
    let text = text.trim_start_matches('\u{feff}').to_owned();
    let found = match (export::version(&text), file.format) {
        (Some(version), _) if version > export::VERSION => {
            let path = path();
            return Err(MemoryFileError::TooNew { path, version });
        }
        (Some(_), None | Some(MemoryFormat::Markdown | MemoryFormat::Export)) => {
            Some(MemoryFormat::Export)
        }
        (_, Some(format)) => Some(format),
        (None, None) => format_in(&text),
    };
    let format = found.ok_or_else(|| MemoryFileError::Unknown {
        path: path(),
        reason: "none of the `--from` formats fits".to_owned(),
    })?;
    Ok((format, text))
}

fn format_in(text: &str) -> Option<MemoryFormat> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    if serde_json::from_str::<GraphJsonLine>(first).is_ok() {
        Some(MemoryFormat::Graph)
    } else if claude::read(text).is_some() {
        Some(MemoryFormat::Claude)
    } else if chatgpt::read(text).is_some() {
        Some(MemoryFormat::ChatGpt)
    } else {
        None
    }
}

/// The memories in the text of a file, and the numbers of unreadable lines; none of a graph, which is kept whole.
///
/// `unmarked` is the origin of lines without a mark in a workspace of OpenClaw.
pub fn memories_in(
    (format, text): (MemoryFormat, &str),
    file: &MemoryFile,
    unmarked: Origin,
) -> Result<(Vec<Memory>, Vec<usize>), MemoryFileError> {
    let unknown = |what: &str| MemoryFileError::Unknown {
        path: file.path.clone(),
        reason: what.to_owned(),
    };
    let rules = match file.holds {
        Holds::Everywhere => Origin::Agent,
        Holds::At(_) | Holds::In(_) => Origin::Untrusted,
    };
    let name = file.path.file_name().unwrap_or_default();
    let memories = match format {
        MemoryFormat::ClaudeCode if claude_code::RULES.iter().any(|it| name == *it) => {
            claude_code::read(text, rules, &file.holds)
        }
        MemoryFormat::ClaudeCode => claude_code::read(text, Origin::Agent, &file.holds),
        MemoryFormat::Codex if name == codex::RULES => codex::read(text, rules, &file.holds),
        MemoryFormat::Codex => codex::read(text, Origin::Agent, &file.holds),
        MemoryFormat::Hermes => hermes::read(text),
        MemoryFormat::OpenClaw => openclaw::read(text, &file.path, unmarked),
        MemoryFormat::Obsidian => obsidian::read(text, &file.path),
        MemoryFormat::ChatGpt => {
            chatgpt::read(text).ok_or_else(|| unknown("it is not a list of conversations"))?
        }
        MemoryFormat::Claude => {
            claude::read(text).ok_or_else(|| unknown("it is not a list of memories"))?
        }
        MemoryFormat::Export => return Ok(export::read(text)),
        MemoryFormat::Markdown => plain(text),
        MemoryFormat::Graph => Vec::new(),
    };
    Ok((memories, Vec::new()))
}

/// The items of a Markdown file of unknown author.
fn plain(text: &str) -> Vec<Memory> {
    let told = items(text).into_iter();
    told.map(|item| item.memory(Origin::Untrusted, &Holds::Everywhere))
        .collect()
}
