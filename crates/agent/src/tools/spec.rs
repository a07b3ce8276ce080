//! The specifications of our own tools.

use std::str::FromStr;

use base::model::ToolSpec;
use base::{TokenCount, estimate_text};
use serde::Deserialize;
use serde_json::value::RawValue;

/// One of our tools, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub(super) enum Tool {
    MemorySearch,
    MemoryGet,
    Remember,
    Correct,
    Forget,
    Undo,
    Promise,
    SessionExpand,
    ListFiles,
    ReadFile,
    WriteFile,
    EditFile,
}

#[derive(Deserialize)]
struct SpecWire<'a> {
    name: String,
    description: String,
    #[serde(borrow)]
    parameters: &'a RawValue,
}

/// Whether a tool of this name sets, moves and ends reminders.
pub(crate) fn keeps_reminders(tool: &str) -> bool {
    Tool::from_str(tool) == Ok(Tool::Promise)
}

impl Tool {
    fn json(self) -> &'static str {
        match self {
            Self::MemorySearch => include_str!("memory_search.json"),
            Self::MemoryGet => include_str!("memory_get.json"),
            Self::Remember => include_str!("remember.json"),
            Self::Correct => include_str!("correct.json"),
            Self::Forget => include_str!("forget.json"),
            Self::Undo => include_str!("undo.json"),
            Self::Promise => include_str!("promise.json"),
            Self::SessionExpand => include_str!("session_expand.json"),
            Self::ListFiles => include_str!("list_files.json"),
            Self::ReadFile => include_str!("read_file.json"),
            Self::WriteFile => include_str!("write_file.json"),
            Self::EditFile => include_str!("edit_file.json"),
        }
    }

    /// `None` only if the embedded file is malformed; a test parses them all.
    pub(super) fn spec(self) -> Option<ToolSpec> {
        let wire: SpecWire<'_> = serde_json::from_str(self.json()).ok()?;
        Some(ToolSpec {
            name: wire.name,
            description: wire.description,
            parameters: wire.parameters.get().to_owned(),
        })
    }
}

/// The last part of the name under which programs list our server.
const SERVER: &str = "openclaw";

/// Whether a tool only confirms a change of memory: its answers contain nothing that is not in memory.
///
/// In transcripts of programs the name follows that of the server, as in `mcp__openclaw__remember`.
pub(crate) fn only_confirms(name: &str) -> bool {
    let of_program = name.rsplit_once("__");
    let of_program = of_program.filter(|(server, _)| server.ends_with(SERVER));
    let tool = of_program.map_or(name, |(_, tool)| tool);
    let tool = Tool::from_str(tool).ok();
    tool.is_some_and(|tool| {
        matches!(
            tool,
            Tool::Remember | Tool::Correct | Tool::Forget | Tool::Undo | Tool::Promise
        )
    })
}

pub(crate) fn is_own(name: &str) -> bool {
    Tool::from_str(name).is_ok()
}

/// Size of these tools in a request.
pub(crate) fn tokens(specs: &[ToolSpec]) -> TokenCount {
    let tokens = |spec: &ToolSpec| {
        estimate_text(&spec.name)
            + estimate_text(&spec.description)
            + estimate_text(&spec.parameters)
    };
    specs.iter().map(tokens).sum()
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn confirmations_are_recognised_by_tool_name_of_any_program() {
        for (name, expected) in [
            ("remember", true),
            ("mcp__openclaw__remember", true),
            ("mcp__plugin_openclaw-memory_openclaw__forget", true),
            ("mcp__openclaw__memory_search", false),
            ("mcp__other__remember", false),
            ("Bash", false),
        ] {
            assert_eq!(only_confirms(name), expected, "{name}");
        }
    }

    #[test]
    fn tool_specs_are_named_after_their_tools() {
        for tool in Tool::iter() {
            let spec = tool.spec().unwrap();
            assert_eq!(Tool::from_str(&spec.name), Ok(tool));
        }
    }
}
