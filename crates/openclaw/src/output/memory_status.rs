//! What of the notes and sessions is indexed, and what of the prompt files is hidden.
//!
//! Renders what it is given; finds nothing out.

use base::{counted, head};
use memory::PROMPT_FILE_CHARS_MAX;
use serde::Serialize;

use super::human::printable;
use super::memory_index::Unreadable;
use super::session_list::{grouped, size};

/// The state of what is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemoryStatus {
    /// How search finds.
    pub(crate) mode: &'static str,
    /// Why not better.
    pub(crate) mode_reason: String,
    /// How the index was found: sound, missing, unfinished, unhealed or damaged.
    pub(crate) state: &'static str,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Files and sessions that are indexed.
    pub(crate) files: u64,
    /// Passages that can be found.
    pub(crate) passages: u64,
    /// Size of the index.
    pub(crate) bytes: u64,
    /// What is new or changed since.
    pub(crate) not_indexed: Vec<String>,
    /// What is indexed and there no more.
    pub(crate) gone: Vec<String>,
    /// What cannot be looked at.
    pub(crate) unreadable: Vec<Unreadable>,
    /// Files of which a prompt shows a part only.
    pub(crate) cut: Vec<CutFile>,
}

/// A file that is too long for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CutFile {
    /// Its name.
    pub(crate) path: String,
    /// Its length.
    pub(crate) bytes: u64,
}

/// Most paths that are named to people; programs get all.
const PATHS_MAX: usize = 5;

/// Where a long line goes on: under what stands beside its label.
pub(crate) const INDENT: &str = "             ";

/// The status for people.
pub(crate) fn render(status: &MemoryStatus) -> String {
    let mut lines = vec![
        format!(
            "indexed      {}, {}, {}",
            counted(status.files, "file", "files"),
            counted(status.passages, "passage", "passages"),
            size(status.bytes)
        ),
        format!("index        {}", state(status)),
        format!("search       {}; {}", status.mode, status.mode_reason),
        format!("not indexed  {}", paths(&status.not_indexed)),
    ];
    if !status.gone.is_empty() {
        lines.push(format!("gone         {}", paths(&status.gone)));
    }
    for it in &status.unreadable {
        let (path, message) = (printable(&it.path), printable(&it.message));
        let label = if it.is_outside {
            "left out  "
        } else {
            "unreadable"
        };
        lines.push(format!("{label}   {path}: {message}"));
    }
    for CutFile { path, bytes } in &status.cut {
        lines.push(format!(
            "cut          {path} has {}; a prompt shows {} characters",
            size(*bytes),
            grouped(PROMPT_FILE_CHARS_MAX as u64)
        ));
    }
    lines.join("\n") + "\n"
}

fn state(status: &MemoryStatus) -> String {
    let next = match status.state {
        "missing" => "; the next search makes it",
        "unfinished" => "; the next search finishes it",
        "unhealed" => "; the next search heals it",
        "damaged" => "; the next search makes it anew",
        _ => "",
    };
    let reason = status.reason.as_deref().map(printable);
    let reason = reason.map(|reason| format!(" ({})", head(&reason, 200)));
    format!("{}{}{next}", status.state, reason.unwrap_or_default())
}

fn paths(paths: &[String]) -> String {
    let Some(n_more) = paths.len().checked_sub(PATHS_MAX).filter(|n| *n > 0) else {
        return match paths {
            [] => "nothing".to_owned(),
            paths => printable(&paths.join(", ")),
        };
    };
    let named: Vec<&str> = paths.iter().take(PATHS_MAX).map(String::as_str).collect();
    let n_more = grouped(n_more as u64);
    format!("{} and {n_more} more", printable(&named.join(", ")))
}
