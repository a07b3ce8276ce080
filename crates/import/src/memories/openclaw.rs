//! Notes of a workspace of OpenClaw, or of our own: `MEMORY.md`, logs of days, and what lies beside them.
//!
//! A comment behind a line says whose it is. Evidence stays behind, so that no such line is the owner's here.

use std::path::Path;

use base::{Origin, scope_of};

use super::markdown::{day_in, items, without_html_comments};
use super::model::{Holds, Memory};

/// Files that steer the assistant, and pages of dreams; they are no memories.
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

/// The folder of its logs.
pub(super) const LOGS: &str = "memory";

/// A folder of logs in which it reports of dreams.
pub(super) const REPORTS: &str = "dreaming";

/// The file that only a workspace has.
pub(super) const SIGN: &str = "SOUL.md";

pub(super) fn is_memory(name: &str) -> bool {
    !STEERING.contains(&name)
}

/// `unmarked` is who wrote lines without a comment.
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
        memories.push(Memory {
            line: item.line,
            text: words,
            day: mark
                .and_then(|mark| {
                    mark.split(' ')
                        .find_map(|it| it.strip_prefix("d:")?.parse().ok())
                })
                .or(item.day)
                .or(of_name),
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
