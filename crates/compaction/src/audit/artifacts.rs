//! Tracks the files of a span, from tool calls and mentions.
//!
//! Looks at tool names and path arguments only; opens no file.

use std::collections::{BTreeMap, BTreeSet};

use base::identifier::{IdentifierKind, identifiers};
use base::{EntryId, Message, ToolCall, ToolCallId, ToolOutcome};
use serde::Deserialize;
use session::{ArtifactFile, FileState};

/// Maximum number of files in an index. Written files come before read and mentioned ones, recent files before older
/// ones.
const FILES_MAX: usize = 200;

/// Longer strings are data, not paths.
const PATH_CHARS_MAX: usize = 300;

/// Substrings in names of tools that write.
const WRITING: &[&str] = &[
    "write", "edit", "patch", "create", "delete", "remove", "move", "rename", "save", "append",
    "replace",
];

const READING: &[&str] = &["read", "view", "open", "cat", "get", "load", "show", "list"];

#[derive(Deserialize)]
struct PathArgument {
    #[serde(
        alias = "file_path",
        alias = "filePath",
        alias = "file",
        alias = "filename",
        alias = "target_file"
    )]
    path: String,
}

#[derive(Debug, Default)]
pub(super) struct Files {
    by_path: BTreeMap<String, Trace>,
    n_seen: usize,
}

#[derive(Debug)]
struct Trace {
    state: FileState,
    entry: EntryId,
    seen: usize,
}

impl Files {
    /// Adds a message, whose text is already redacted. Calls in `failed` count as mentions only.
    pub(super) fn take(
        &mut self,
        message: &Message,
        text: &str,
        entry: &EntryId,
        failed: &BTreeSet<ToolCallId>,
    ) {
        if !matches!(message, Message::ToolResult(_)) {
            for found in identifiers(text) {
                if found.kind == IdentifierKind::Path {
                    self.note(found.text, FileState::Mentioned, entry);
                }
            }
        }
        for call in message.tool_calls() {
            let Some(path) = path_of(call) else {
                continue;
            };
            let state = if failed.contains(&call.id) {
                FileState::Mentioned
            } else {
                state_of(&call.name)
            };
            self.note(&base::redact(&path), state, entry);
        }
    }

    fn note(&mut self, path: &str, state: FileState, entry: &EntryId) {
        if path.chars().count() > PATH_CHARS_MAX {
            return;
        }
        self.n_seen += 1;
        let trace = self
            .by_path
            .entry(path.to_owned())
            .or_insert_with(|| Trace {
                state,
                entry: entry.clone(),
                seen: 0,
            });
        trace.seen = self.n_seen;
        if state >= trace.state {
            trace.state = state;
            trace.entry = entry.clone();
        }
    }

    /// The files, sorted by path. Above the limit, drops the files that were only mentioned, oldest first.
    pub(super) fn listed(self) -> Vec<ArtifactFile> {
        let mut files: Vec<(String, Trace)> = self.by_path.into_iter().collect();
        files.sort_by_key(|(_, trace)| std::cmp::Reverse((trace.state, trace.seen)));
        files.truncate(FILES_MAX);
        files.sort_by(|(one, _), (other, _)| one.cmp(other));
        let listed = files.into_iter().map(|(path, trace)| ArtifactFile {
            path,
            state: trace.state,
            entry: trace.entry,
        });
        listed.collect()
    }
}

/// The calls whose result is an error.
pub(super) fn failed_calls<'a>(
    messages: impl Iterator<Item = &'a Message>,
) -> BTreeSet<ToolCallId> {
    let failed = messages.filter_map(|message| match message {
        Message::ToolResult(result) if result.outcome != ToolOutcome::Success => {
            Some(result.call_id.clone())
        }
        Message::ToolResult(_) | Message::User { .. } | Message::Assistant(_) => None,
    });
    failed.collect()
}

fn path_of(call: &ToolCall) -> Option<String> {
    let PathArgument { path } = serde_json::from_str(&call.arguments).ok()?;
    (!path.trim().is_empty()).then_some(path)
}

fn state_of(tool: &str) -> FileState {
    let tool = tool.to_lowercase();
    let is_any = |parts: &[&str]| parts.iter().any(|part| tool.contains(part));
    if is_any(WRITING) {
        FileState::Written
    } else if is_any(READING) {
        FileState::Read
    } else {
        FileState::Mentioned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::tool_result;
    use base::{Assistant, Block};

    fn call(id: &str, tool: &str, arguments: &str) -> Message {
        Message::Assistant(Assistant {
            content: vec![Block::ToolCall(ToolCall {
                id: ToolCallId::new(id),
                name: tool.to_owned(),
                arguments: arguments.to_owned(),
            })],
            ..Assistant::default()
        })
    }

    #[test]
    fn artifact_file_keeps_highest_state_and_its_last_entry() {
        let mut denied = tool_result("c4", "denied");
        if let Message::ToolResult(result) = &mut denied {
            result.outcome = ToolOutcome::Failure;
        }
        let messages = [
            Message::user("look at src/a.rs and src/b.rs"),
            call("c1", "read_file", r#"{"path":"src/a.rs"}"#),
            call("c2", "Edit", r#"{"file_path":"src/a.rs","new":"src/z.rs"}"#),
            call("c3", "read_file", r#"{"path":"src/a.rs"}"#),
            call("c4", "write_file", r#"{"path":"/etc/hosts"}"#),
            call("c5", "write_file", "not json"),
            denied,
        ];
        let failed = failed_calls(messages.iter());
        let mut files = Files::default();
        for (number, message) in messages.iter().enumerate() {
            let entry = EntryId::new(format!("m{number}"));
            files.take(message, &message.text(), &entry, &failed);
        }
        let listed = files.listed();
        let file = |path: &str, state, entry: &str| ArtifactFile {
            path: path.to_owned(),
            state,
            entry: EntryId::new(entry),
        };
        assert_eq!(
            listed,
            [
                file("/etc/hosts", FileState::Mentioned, "m4"),
                file("src/a.rs", FileState::Written, "m2"),
                file("src/b.rs", FileState::Mentioned, "m0"),
            ]
        );
    }

    #[test]
    fn artifact_list_beyond_limit_keeps_written_and_newest_files() {
        let mut files = Files::default();
        files.note("written.rs", FileState::Written, &EntryId::new("m0"));
        for number in 0..300 {
            let path = format!("f{number:03}.rs");
            files.note(&path, FileState::Mentioned, &EntryId::new("m1"));
        }
        let listed = files.listed();
        assert_eq!(listed.len(), FILES_MAX);
        assert_eq!(listed[0].path, "f101.rs");
        assert_eq!(listed[FILES_MAX - 1].path, "written.rs");
    }
}
