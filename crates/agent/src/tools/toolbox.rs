//! Which tools there are, and who answers a call.
//!
//! A call that cannot be answered gets a failure that says why; it never ends the turn.

use base::model::{OFFLINE, ToolSpec};
use base::{Block, EntryId, TokenCount, ToolCall, ToolOutcome, ToolResult, estimate_text};
use serde::Deserialize;
use serde_json::value::RawValue;
use session::SessionName;

use super::{forget, memory_get, memory_search, remember, session_expand};
use crate::{Knowledge, Runtime};

/// What a tool says: its answer, or why there is none.
pub(super) type Answer = Result<String, String>;

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    MemorySearch,
    MemoryGet,
    Remember,
    Forget,
    SessionExpand,
}

/// How a tool is described to the model.
#[derive(Deserialize)]
struct SpecWire<'a> {
    name: String,
    description: String,
    #[serde(borrow)]
    parameters: &'a RawValue,
}

impl Tool {
    const ALL: [Self; 5] = [
        Self::MemorySearch,
        Self::MemoryGet,
        Self::Remember,
        Self::Forget,
        Self::SessionExpand,
    ];

    fn json(self) -> &'static str {
        match self {
            Self::MemorySearch => include_str!("memory_search.json"),
            Self::MemoryGet => include_str!("memory_get.json"),
            Self::Remember => include_str!("remember.json"),
            Self::Forget => include_str!("forget.json"),
            Self::SessionExpand => include_str!("session_expand.json"),
        }
    }

    /// `None` only if the file that is compiled in were no description; a test reads them all.
    fn spec(self) -> Option<ToolSpec> {
        let wire: SpecWire<'_> = serde_json::from_str(self.json()).ok()?;
        Some(ToolSpec {
            name: wire.name,
            description: wire.description,
            parameters: wire.parameters.get().to_owned(),
        })
    }

    fn works_in(self, runtime: &Runtime, name: &SessionName) -> bool {
        let has_memory = || knowledge(runtime, name).is_some();
        match self {
            Self::MemorySearch | Self::MemoryGet | Self::Remember => has_memory(),
            Self::Forget => has_memory() && runtime.forgetting.is_some(),
            Self::SessionExpand => true,
        }
    }
}

/// The tools that a session may call: those of memory only where memory is for it, none where nobody
/// would call them.
pub(crate) fn specs(runtime: &Runtime, name: &SessionName) -> Vec<ToolSpec> {
    let is_offline = runtime.models.primary.profile().name == OFFLINE;
    if is_offline {
        return Vec::new();
    }
    let tools = Tool::ALL
        .into_iter()
        .filter(|tool| tool.works_in(runtime, name));
    tools.filter_map(Tool::spec).collect()
}

/// What the tools take of a request.
pub(crate) fn tokens(specs: &[ToolSpec]) -> TokenCount {
    let tokens = |spec: &ToolSpec| {
        estimate_text(&spec.name)
            + estimate_text(&spec.description)
            + estimate_text(&spec.parameters)
    };
    specs.iter().map(tokens).sum()
}

/// Answers a call that the reply in `entry` made.
pub(crate) fn answer(
    runtime: &Runtime,
    name: &SessionName,
    entry: &EntryId,
    call: &ToolCall,
) -> ToolResult {
    let (text, outcome) = match run(runtime, name, entry, call) {
        Ok(text) => (text, ToolOutcome::Success),
        Err(text) => (text, ToolOutcome::Failure),
    };
    ToolResult {
        call_id: call.id.clone(),
        tool_name: call.name.clone(),
        content: vec![Block::Text(text)],
        outcome,
    }
}

fn run(runtime: &Runtime, name: &SessionName, entry: &EntryId, call: &ToolCall) -> Answer {
    let known = Tool::ALL.into_iter().find(|tool| {
        tool.works_in(runtime, name) && tool.spec().is_some_and(|spec| spec.name == call.name)
    });
    let unknown = || format!("There is no tool named {:?}.", call.name);
    let knowledge = || knowledge(runtime, name).ok_or_else(unknown);
    match known.ok_or_else(unknown)? {
        Tool::MemorySearch => memory_search::run(knowledge()?, &call.arguments),
        Tool::MemoryGet => memory_get::run(runtime, knowledge()?, &call.arguments),
        Tool::Remember if runtime.sandbox.is_some() => {
            Err("Nothing can be noted: the sandbox is read-only.".to_owned())
        }
        Tool::Remember => remember::run(runtime, entry, &call.arguments),
        Tool::SessionExpand => session_expand::run(runtime, name, &call.arguments),
        Tool::Forget => match &runtime.forgetting {
            Some(forgetting) => forget::run(&**forgetting, &call.arguments),
            None => Err("Nothing can be forgotten here.".to_owned()),
        },
    }
}

/// Memory, where the session may see it.
fn knowledge<'r>(runtime: &'r Runtime, name: &SessionName) -> Option<&'r Knowledge> {
    let knowledge = runtime.knowledge.as_deref();
    knowledge.filter(|_| runtime.is_primary(name))
}

#[cfg(test)]
#[path = "toolbox_tests.rs"]
mod tests;
