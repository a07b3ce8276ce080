//! Lists the available tools and dispatches calls to them.
//!
//! A call that cannot be answered gets a failure with the reason; it never ends the turn.

use std::str::FromStr;

use base::model::ToolSpec;
use base::tool_server::ToolServers;
use base::{EntryId, ToolCall, ToolResult};
use session::SessionName;
use strum::IntoEnumIterator;

use super::access::FileAccess;
use super::answer::{ToolReply, read};
use super::forget::ForgetOutcome;
use super::memory_search::MemoryQuestion;
use super::spec::Tool;
use super::{
    files, forget, lasting, memory_get, memory_search, outside, promise, remember, session_expand,
    undo,
};
use crate::asked::owner_asked;
use crate::knowledge::index::Knowledge;
use crate::knowledge::scope::Viewer;
use crate::knowledge::session_source::SessionSource;
use crate::ops::{AddNote, ExpandSession, OpContext};
use crate::runtime::Runtime;

impl Tool {
    fn works_in(self, runtime: &Runtime, name: &SessionName) -> bool {
        let has_memory = || knowledge(runtime, name).is_some();
        match self {
            Self::MemorySearch | Self::MemoryGet => has_memory(),
            // A sandbox is read-only.
            Self::Remember | Self::Correct | Self::Forget | Self::Undo | Self::Promise => {
                has_memory() && runtime.sandbox.is_none()
            }
            Self::SessionExpand => true,
            Self::ListFiles | Self::ReadFile => files(runtime, name) >= FileAccess::Read,
            Self::WriteFile | Self::EditFile => files(runtime, name) == FileAccess::Write,
        }
    }
}

/// The tools that a session may call: memory tools only if it sees private memory, none for a model that calls none.
pub(crate) fn specs(runtime: &Runtime, name: &SessionName) -> Vec<ToolSpec> {
    if runtime.engine.models.primary.profile().only_quotes {
        return Vec::new();
    }
    let tools = Tool::iter().filter(|tool| tool.works_in(runtime, name));
    let own = tools.filter_map(Tool::spec);
    let servers = servers(runtime, name).map(ToolServers::specs);
    own.chain(servers.unwrap_or_default()).collect()
}

/// Runs a call of the reply in `entry` to the message `asked`. Returns the answer, and what the owner is told of its
/// effect.
pub(crate) async fn answer(
    runtime: &Runtime,
    (name, entry): (&SessionName, &EntryId),
    asked: &str,
    call: &ToolCall,
) -> (ToolResult, Option<String>) {
    let mut notice = None;
    let outside = servers(runtime, name);
    let offer = outside.and_then(|servers| Some((servers, servers.offer(&call.name)?)));
    let answer = match offer {
        Some((servers, offer)) => {
            let approver = runtime.tools.approver.as_deref();
            outside::call_server(servers, approver, &offer, &call.name, &call.arguments).await
        }
        None => call_own(runtime, (name, entry), (asked, call), &mut notice),
    };
    (call.answered(answer), notice)
}

/// Whether what the owner asks for in a session may change `MEMORY.md`.
pub(crate) fn may_remember(runtime: &Runtime, name: &SessionName) -> bool {
    Tool::Remember.works_in(runtime, name)
}

pub(crate) fn broken_off(call: &ToolCall) -> ToolResult {
    let text = "The owner interrupted this; whether it took effect is unknown.";
    call.answered(Err(text.to_owned()))
}

fn call_own(
    runtime: &Runtime,
    (name, entry): (&SessionName, &EntryId),
    (asked, call): (&str, &ToolCall),
    notice: &mut Option<String>,
) -> ToolReply {
    let known = Tool::from_str(&call.name).ok();
    let known = known.filter(|tool| tool.works_in(runtime, name));
    let unknown = || format!("There is no tool named {:?}.", call.name);
    let knowledge = || knowledge(runtime, name).ok_or_else(unknown);
    let (home, arguments) = (&runtime.home, &call.arguments);
    let window = &runtime.engine.settings;
    let at = |knowledge: Option<_>| OpContext::new(home, window, knowledge, &Viewer::Owner);
    match known.ok_or_else(unknown)? {
        Tool::MemorySearch => {
            let path = SessionSource::path_of(name);
            let asked = Some((path.as_str(), asked));
            let question: MemoryQuestion = read(arguments)?;
            memory_search::search_memory(question.into(), asked, &at(Some(knowledge()?)))
        }
        Tool::MemoryGet => memory_get::get_lines(read(arguments)?, &at(Some(knowledge()?))),
        Tool::Remember => {
            if let Some(done) = lasting::remember(home, name, arguments)? {
                return Ok(done.told(notice));
            }
            let asked = owner_asked(home, name);
            let asked = asked.map_err(|error| format!("It was not noted: {error}."))?;
            let note = AddNote {
                cites: Some(asked.unwrap_or_else(|| entry.clone())),
                ..read(arguments)?
            };
            remember::add_note(note, &at(None))
        }
        Tool::Correct => Ok(lasting::correct(home, name, arguments)?.told(notice)),
        Tool::SessionExpand => {
            let request = ExpandSession {
                name: Some(name.to_string()),
                ..read(arguments)?
            };
            session_expand::expand_session(request, &at(None))
        }
        Tool::ListFiles => files::list(home, arguments),
        Tool::ReadFile => files::read_lines(home, arguments),
        Tool::WriteFile => files::write(home, arguments),
        Tool::EditFile => files::edit(home, arguments),
        Tool::Forget => {
            match forget::forget_passages(runtime, &at(Some(knowledge()?)), name, arguments)? {
                ForgetOutcome::Forgotten(done) => Ok(done.told(notice)),
                ForgetOutcome::Kept(answer) => Ok(answer),
            }
        }
        Tool::Promise => Ok(promise::keep(runtime, &at(None), name, arguments)?.told(notice)),
        Tool::Undo => {
            Ok(undo::take_back(runtime, &at(Some(knowledge()?)), name, arguments)?.told(notice))
        }
    }
}

/// The session's file access; read-only in a sandbox.
fn files(runtime: &Runtime, name: &SessionName) -> FileAccess {
    let access = match (runtime.is_primary(name), &runtime.sandbox) {
        (false, _) => FileAccess::None,
        (true, Some(_)) => FileAccess::Read,
        (true, None) => FileAccess::Write,
    };
    access.min(runtime.tools.files)
}

/// The owner's servers, if the session may see their answers; none in a sandbox, because their tools act outside it.
fn servers<'r>(runtime: &'r Runtime, name: &SessionName) -> Option<&'r dyn ToolServers> {
    let servers = runtime.tools.servers.as_deref();
    servers.filter(|_| runtime.is_primary(name) && runtime.sandbox.is_none())
}

/// Memory, if the session may see it.
fn knowledge<'r>(runtime: &'r Runtime, name: &SessionName) -> Option<&'r Knowledge> {
    let knowledge = runtime.memory.knowledge.as_deref();
    knowledge.filter(|_| runtime.is_primary(name))
}

#[cfg(test)]
#[path = "toolbox_tests.rs"]
mod tests;
