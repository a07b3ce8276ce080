//! Reads Claude Code's memory of a project, and `CLAUDE.md`.
//!
//! Project notes are Claude's own words. Anybody who can commit to a repository can write its `CLAUDE.md`.

use std::path::Path;

use base::Origin;
use base::disk::Disk;
use serde::Deserialize;

use super::markdown::{MemoryStatement, is_page, items};
use super::model::{Holds, Memory};

/// The rules files.
pub(super) const RULES: [&str; 2] = ["CLAUDE.md", "CLAUDE.local.md"];

/// Bytes read from the start of a transcript.
const HEAD_BYTES: usize = 64 * 1024;

#[derive(Deserialize)]
struct ClaudeCodeFolderLine {
    cwd: Option<String>,
}

pub(super) fn read(text: &str, origin: Origin, holds: &Holds) -> Vec<Memory> {
    let told = items(text).into_iter().filter(|item| !is_pointer(item));
    told.map(|item| item.memory(origin, holds)).collect()
}

/// Whether a line of the index is only a link to another file in the folder.
fn is_pointer(item: &MemoryStatement) -> bool {
    let link = item.text.strip_prefix('[');
    let link = link.and_then(|rest| rest.split_once("]("));
    let target = link.and_then(|(_, rest)| rest.split_once(')'));
    target.is_some_and(|(target, _)| !target.contains("://") && is_page(target))
}

/// The folder of a project, from its transcripts. A project without transcripts counts as a repository of its own.
pub(super) fn holds_of_project(disk: &dyn Disk, project: &Path) -> Holds {
    let names = disk.list(project).unwrap_or_default().into_iter();
    let transcripts = names.filter(|name| name.extension().is_some_and(|it| it == "jsonl"));
    let mut found = transcripts.filter_map(|name| {
        let mut head = vec![0; HEAD_BYTES];
        let file = disk.open(&project.join(name)).ok()?;
        let n_read = file.read_at(0, &mut head).ok()?;
        let text = String::from_utf8_lossy(head.get(..n_read)?).into_owned();
        let mut lines = text.lines();
        lines.find_map(|line| serde_json::from_str::<ClaudeCodeFolderLine>(line).ok()?.cwd)
    });
    let name = project.file_name().unwrap_or_default().to_string_lossy();
    Holds::At(found.next().unwrap_or_else(|| name.into_owned()))
}
