//! Notes as resources: MEMORY.md and the daily logs, as search would show them.
//!
//! Shows no mark, no secret and nothing that was forgotten.

use agent::Door;
use memory::{Workspace, WorkspaceError, WorkspacePath};
use rmcp::model::{ErrorData, Resource, ResourceContents};

const SCHEME: &str = "openclaw:///";
const MEMORY: &str = "MEMORY.md";
const MARKDOWN: &str = "text/markdown";

/// Most logs that are listed, newest first; older ones can be read all the same.
const LOGS_MAX: usize = 100;

/// MEMORY.md and the newest logs.
pub(crate) fn list(workspace: &Workspace) -> Result<Vec<Resource>, WorkspaceError> {
    let memory = resource(MEMORY, "Long-term memory: what holds for the owner");
    let days = workspace.log_days()?;
    let logs = days.iter().rev().take(LOGS_MAX).map(|day| {
        let path = workspace.log_path(*day).to_string();
        resource(&path, &format!("Notes of {day}"))
    });
    Ok(std::iter::once(memory).chain(logs).collect())
}

fn resource(path: &str, description: &str) -> Resource {
    Resource::new(uri(path), path)
        .with_description(description)
        .with_mime_type(MARKDOWN)
}

/// The address of a note.
pub(crate) fn uri(path: &str) -> String {
    format!("{SCHEME}{path}")
}

/// What a note says.
pub(crate) fn read(door: &Door, uri: &str) -> Result<ResourceContents, ErrorData> {
    let not_found =
        |reason: String| ErrorData::resource_not_found(format!("{uri}: {reason}"), None);
    let path = uri
        .strip_prefix(SCHEME)
        .ok_or_else(|| not_found(format!("resources of this server begin with {SCHEME}")))?;
    let path: WorkspacePath = path
        .parse()
        .map_err(|error: memory::WorkspacePathError| not_found(error.to_string()))?;
    let lines = door
        .note(&path)
        .map_err(|error| not_found(error.to_string()))?;
    Ok(ResourceContents::text(lines.text, uri).with_mime_type(MARKDOWN))
}
