//! Reads the notes in a workspace of OpenClaw or of this program: `MEMORY.md`, daily logs, and other pages.
//!
//! A comment after a line records its origin. The evidence for it is not imported, so no such line counts as the
//! owner's.

use std::path::Path;

use base::{Origin, scope_of};

use super::markdown::{day_in, items, without_html_comments};
use super::model::{Holds, Memory};

/// Files that contain no memories: instructions for the assistant, and dream pages.
const STEERING: [&str; 9] = [
    "AGENTS.md",
    "SOUL.md",
    "HEARTBEAT.md",
    "DREAMS.md",
    "dreams.md",
    "IDENTITY.md",
    "TOOLS.md",
    "BOOTSTRAP.md",
    "BOOT.md",
];

/// The folder of daily logs.
pub(super) const LOGS: &str = "memory";

/// Subfolders without notes: dream reports, and our graph as earlier versions kept it.
pub(super) const OTHERS: [&str; 2] = ["dreaming", "graph"];

/// The page of our graph among the daily logs; the graph has an export of its own.
const GRAPH: &str = "graph.md";

/// A file that exists only in a workspace.
pub(super) const SIGN: &str = "SOUL.md";

pub(super) fn is_memory(directory: &Path, name: &str) -> bool {
    let is_graph = name == GRAPH && directory.ends_with(LOGS);
    !STEERING.contains(&name) && !is_graph
}

/// `unmarked` is the origin of lines without a comment.
pub(super) fn read(text: &str, path: &Path, unmarked: Origin) -> Vec<Memory> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let of_name = day_in(&stem);
    let mut project = None;
    let mut memories = Vec::new();
    for item in items(text) {
        let (text, score) = item.text.split_once(" [score=").unwrap_or((&item.text, ""));
        if let Some(named) = field(text, "<!-- project: ", " -->") {
            project = Some(Holds::At(named.to_owned()));
        }
        let whole = format!("{text} {score}");
        let words = without_html_comments(text);
        if !words.chars().any(char::is_alphanumeric) {
            continue;
        }
        let mark = field(&whole, " <!-- n:", " -->");
        let origin = mark.map_or(unmarked, |mark| {
            let written = mark.split(' ').find_map(|part| part.strip_prefix("o:"));
            match written.and_then(Origin::parse) {
                Some(Origin::Untrusted) => Origin::Untrusted,
                Some(_) | None => Origin::Agent,
            }
        });
        let of_evidence = mark.and_then(|mark| {
            let at = mark.find("sessions/repo-")? + "sessions/".len();
            scope_of(mark.get(at..)?).map(|scope| Holds::In(scope.to_owned()))
        });
        let of_mark = mark.and_then(|mark| {
            let mut fields = mark.split(' ');
            fields.find_map(|it| it.strip_prefix("d:")?.parse().ok())
        });
        memories.push(Memory {
            line: item.line,
            text: words,
            day: of_mark.or(item.day).or(of_name),
            origin,
            holds: of_evidence.or(project.take()).unwrap_or(Holds::Everywhere),
        });
    }
    memories
}

fn field<'t>(text: &'t str, begin: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(begin)?;
    rest.split_once(end).map(|(found, _)| found)
}
