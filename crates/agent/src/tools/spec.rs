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

impl Tool {
    fn json(self) -> &'static str {
        match self {
            Self::MemorySearch => include_str!("memory_search.json"),
            Self::MemoryGet => include_str!("memory_get.json"),
            Self::Remember => include_str!("remember.json"),
            Self::Correct => include_str!("correct.json"),
            Self::Forget => include_str!("forget.json"),
            Self::Undo => include_str!("undo.json"),
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

/// Whether a tool only confirms a change of memory: its answers say nothing that memory does not say.
pub(crate) fn only_confirms(name: &str) -> bool {
    let tool = Tool::from_str(name).ok();
    tool.is_some_and(|tool| {
        matches!(
            tool,
            Tool::Remember | Tool::Correct | Tool::Forget | Tool::Undo
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
    fn tool_specs_are_named_after_their_tools() {
        for tool in Tool::iter() {
            let spec = tool.spec().unwrap();
            assert_eq!(Tool::from_str(&spec.name), Ok(tool));
        }
    }
}
