//! Reads a memory file of any format.
//!
//! Detects formats by content; the file name shows only whether it is JSON.

use std::ffi::OsStr;

use base::disk::{Disk, read_all};
use base::{Origin, Tz};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::find::is_json;
use super::markdown::items;
use super::model::{FORMATS, Holds, Memory, MemoryFile, MemoryFileError, MemoryFormat};
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
        (Some(_), None) => Some(MemoryFormat::Export),
        (_, Some(format)) => Some(format),
        (None, None) => format_in(&text, name(file)),
    };
    let format = found.ok_or_else(|| MemoryFileError::Unknown {
        path: path(),
        reason: format!(
            "it is damaged JSON, or JSON of an unknown shape; an import reads {FORMATS}"
        ),
    })?;
    Ok((format, text))
}

/// The format of a text. A text that is not JSON counts as Markdown.
fn format_in(text: &str, name: &OsStr) -> Option<MemoryFormat> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    let is = |text: &str, begins: &[char]| {
        text.trim().starts_with(begins) && serde_json::from_str::<IgnoredAny>(text).is_ok()
    };
    if serde_json::from_str::<GraphJsonLine>(first).is_ok() {
        Some(MemoryFormat::Graph)
    } else if claude::read(text).is_some() {
        Some(MemoryFormat::Claude)
    } else if chatgpt::read(text, Tz::UTC).is_some() {
        Some(MemoryFormat::ChatGpt)
    } else if is_json(name) || is(first, &['{']) || is(text, &['{', '[']) {
        None
    } else {
        Some(MemoryFormat::Markdown)
    }
}

/// The memories in the text of a file, and the numbers of unreadable lines. A graph returns none, because it is
/// imported as a whole.
///
/// `unmarked` is the origin of lines without a comment in a workspace; `timezone` converts timestamps to days.
pub fn memories_in(
    (format, text): (MemoryFormat, &str),
    file: &MemoryFile,
    (unmarked, timezone): (Origin, Tz),
) -> Result<(Vec<Memory>, Vec<usize>), MemoryFileError> {
    let unknown = |what: &str| MemoryFileError::Unknown {
        path: file.path.clone(),
        reason: what.to_owned(),
    };
    let rules = match file.holds {
        Holds::Everywhere => Origin::Agent,
        Holds::At(_) | Holds::In(_) => Origin::Untrusted,
    };
    let name = name(file);
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
        MemoryFormat::ChatGpt => chatgpt::read(text, timezone)
            .ok_or_else(|| unknown("it is not a list of conversations"))?,
        MemoryFormat::Claude => {
            claude::read(text).ok_or_else(|| unknown("it is not a list of memories"))?
        }
        MemoryFormat::Export => {
            let (mut memories, unread) = export::read(text);
            // Any file can begin like an export, so its words count as the owner's only if the user asked for this
            // format.
            if file.format != Some(MemoryFormat::Export) {
                for memory in &mut memories {
                    memory.origin = Origin::Untrusted;
                }
            }
            return Ok((memories, unread));
        }
        MemoryFormat::Markdown => plain(text),
        MemoryFormat::Graph => Vec::new(),
    };
    Ok((memories, Vec::new()))
}

fn name(file: &MemoryFile) -> &OsStr {
    file.path.file_name().unwrap_or_default()
}

/// The items of a Markdown file of unknown author.
fn plain(text: &str) -> Vec<Memory> {
    let told = items(text).into_iter();
    told.map(|item| item.memory(Origin::Untrusted, &Holds::Everywhere))
        .collect()
}
