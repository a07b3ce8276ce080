//! Writes and reads this program's export format of memories, in Markdown and JSON Lines.
//!
//! Each line records its origin and where it applies.

use base::{Day, Origin};
use serde::{Deserialize, Serialize};

use super::markdown::{items, without_html_comments};
use super::model::{Holds, Memory};

/// The version that is written, and the newest version that can be read.
pub(super) const VERSION: u64 = 1;

const TITLE: &str = "<!-- openclaw memory export ";

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct HeaderLine {
    openclaw_memory_export: u64,
}

#[derive(Serialize, Deserialize)]
struct MemoryLine {
    day: Option<Day>,
    text: String,
    origin: Origin,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
}

/// Memories grouped by day, as list items. Texts must be single lines.
pub fn to_markdown(memories: &[Memory]) -> String {
    let mut text = format!("{TITLE}{VERSION} -->\n# Memory\n");
    let mut day = None;
    for memory in memories {
        if memory.day != day {
            day = memory.day;
            let title = day.map_or(String::new(), |day| day.to_string());
            text.extend(["\n## ", &title, "\n\n"]);
        }
        let scope = scope(memory).map_or(String::new(), |scope| format!(" {scope}"));
        let mark = match (memory.origin, scope.as_str()) {
            (Origin::Owner, "") => String::new(),
            (origin, scope) => format!(" <!-- {origin}{scope} -->"),
        };
        text.extend(["- ", &memory.text, &mark, "\n"]);
    }
    text
}

/// Memories as JSON Lines, below a header line.
pub fn to_json_lines(memories: &[Memory]) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string(&HeaderLine {
        openclaw_memory_export: VERSION,
    })?;
    for memory in memories {
        text.push('\n');
        text.push_str(&serde_json::to_string(&MemoryLine {
            day: memory.day,
            text: memory.text.clone(),
            origin: memory.origin,
            scope: scope(memory).map(str::to_owned),
        })?);
    }
    text.push('\n');
    Ok(text)
}

/// The version of an export; `None` if the text is not an export.
pub(super) fn version(text: &str) -> Option<u64> {
    let first = text.lines().next()?;
    let rest = first.strip_prefix(TITLE);
    if let Some(version) = rest.and_then(|rest| rest.strip_suffix(" -->")) {
        return version.parse().ok();
    }
    let header = serde_json::from_str::<HeaderLine>(first).ok()?;
    Some(header.openclaw_memory_export)
}

/// The memories of an export, and the numbers of unreadable lines.
pub(super) fn read(text: &str) -> (Vec<Memory>, Vec<usize>) {
    if text.starts_with(TITLE) {
        return (from_markdown(text), Vec::new());
    }
    let (mut memories, mut unreadable) = (Vec::new(), Vec::new());
    for (line, number) in text.lines().zip(1..).skip(1) {
        match serde_json::from_str::<MemoryLine>(line) {
            Ok(read) => memories.push(Memory {
                line: number,
                text: read.text,
                day: read.day,
                origin: read.origin,
                holds: holds(read.scope.as_deref()),
            }),
            Err(_) if line.trim().is_empty() => {}
            Err(_) => unreadable.push(number),
        }
    }
    (memories, unreadable)
}

fn from_markdown(text: &str) -> Vec<Memory> {
    let told = items(text).into_iter();
    let told = told.filter(|item| !without_html_comments(&item.text).is_empty());
    let memories = told.map(|item| {
        let comment = item.text.rsplit_once(" <!-- ");
        let mark = comment.and_then(|(_, mark)| mark.strip_suffix(" -->"));
        let mut parts = mark.unwrap_or("owner").splitn(2, ' ');
        let (origin, scope) = (parts.next().unwrap_or_default(), parts.next());
        // A mark that somebody altered does not prove an origin.
        let origin = Origin::parse(origin).unwrap_or(Origin::Untrusted);
        item.memory(origin, &holds(scope))
    });
    memories.collect()
}

fn scope(memory: &Memory) -> Option<&str> {
    match &memory.holds {
        Holds::In(scope) => Some(scope.trim_end_matches('-')),
        Holds::Everywhere | Holds::At(_) => None,
    }
}

/// Parses a scope. An invalid scope becomes a repository that does not exist, so that the memory is not shown
/// elsewhere.
fn holds(scope: Option<&str>) -> Holds {
    let Some(scope) = scope else {
        return Holds::Everywhere;
    };
    let prefix = format!("{scope}-");
    match base::scope_of(&prefix) {
        Some(known) if known == prefix => Holds::In(prefix),
        Some(_) | None => Holds::At(scope.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exported_memories_read_back() {
        let memory =
            |(line, day, text, origin, scope): (usize, &str, &str, Origin, Option<&str>)| Memory {
                line,
                text: text.to_owned(),
                day: day.parse().ok(),
                origin,
                holds: holds(scope),
            };
        let scope = Some("repo-0a0a0a0a");
        let memories: Vec<Memory> = [
            (2, "2026-03-02", "I like tea", Origin::Owner, None),
            (3, "2026-03-02", "Use Bun", Origin::Agent, scope),
            (
                4,
                "2026-03-05",
                "**Bold**: &lt;!--",
                Origin::Untrusted,
                None,
            ),
            (5, "2026-03-05", "The gate is blue", Origin::Owner, scope),
        ]
        .map(memory)
        .into();
        let lines = to_json_lines(&memories).unwrap();
        assert_eq!(version(&lines), Some(VERSION));
        assert_eq!(read(&lines), (memories.clone(), Vec::new()));
        let page = to_markdown(&memories);
        assert_eq!(version(&page), Some(VERSION));
        let (mut back, _) = read(&page);
        for (back, memory) in back.iter_mut().zip(&memories) {
            back.line = memory.line;
        }
        assert_eq!(back, memories);
    }
}
