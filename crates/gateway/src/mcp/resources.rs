//! Notes as resources: `MEMORY.md` and the daily logs, as search shows them.
//!
//! Leaves out marks, secrets and forgotten text.

use agent::Door;
use memory::{FileError, Workspace, WorkspacePath};
use rmcp::model::{ErrorData, Resource, ResourceContents};

const SCHEME: &str = "openclaw:///";
const MEMORY: &str = "MEMORY.md";
const MARKDOWN: &str = "text/markdown";

/// What memory says about the owner.
const ABOUT: &str = "about";

/// Maximum number of logs listed, newest first; older ones can be read too.
const LOGS_MAX: usize = 100;

/// What is known about the owner, MEMORY.md and the newest logs.
pub(crate) fn list(workspace: &Workspace) -> Result<Vec<Resource>, FileError> {
    let memory = resource(MEMORY, "Long-term memory about the owner");
    let days = workspace.log_days()?;
    let logs = days.iter().rev().take(LOGS_MAX).map(|day| {
        let path = workspace.log_path(*day).to_string();
        resource(&path, &format!("Notes of {day}"))
    });
    let about = resource(ABOUT, "What memory says about the owner, theme by theme");
    Ok([about, memory].into_iter().chain(logs).collect())
}

fn resource(path: &str, description: &str) -> Resource {
    Resource::new(uri(path), path)
        .with_description(description)
        .with_mime_type(MARKDOWN)
}

/// The whole graph, in the dialect of the reference server.
pub(crate) const GRAPH_URI: &str = "memory://knowledge-graph";
const JSON: &str = "application/json";

/// The only resource of that dialect.
pub(crate) fn graph_resource() -> Resource {
    Resource::new(GRAPH_URI, "knowledge-graph")
        .with_title("Knowledge Graph")
        .with_description("All entities of the graph with their observations, and all relations")
        .with_mime_type(JSON)
}

/// Reads that resource.
pub(crate) fn read_graph(door: &Door, uri: &str) -> Result<ResourceContents, ErrorData> {
    if uri != GRAPH_URI {
        let reason = format!("{uri}: the only resource of this server is {GRAPH_URI}");
        return Err(ErrorData::resource_not_found(reason, None));
    }
    let text = door.graph_json();
    let text = text.map_err(|error| ErrorData::internal_error(error, None))?;
    Ok(ResourceContents::text(text, uri).with_mime_type(JSON))
}

/// The URI of a note.
pub(crate) fn uri(path: &str) -> String {
    format!("{SCHEME}{path}")
}

/// Reads a note.
pub(crate) fn read(door: &Door, uri: &str) -> Result<ResourceContents, ErrorData> {
    let not_found =
        |reason: String| ErrorData::resource_not_found(format!("{uri}: {reason}"), None);
    let path = uri
        .strip_prefix(SCHEME)
        .ok_or_else(|| not_found(format!("resources of this server start with {SCHEME}")))?;
    if path == ABOUT {
        let text = door.about();
        let text = text.map_err(|error| ErrorData::internal_error(error, None))?;
        return Ok(ResourceContents::text(text, uri).with_mime_type(MARKDOWN));
    }
    let path: WorkspacePath = path
        .parse()
        .map_err(|error: memory::WorkspacePathError| not_found(error.to_string()))?;
    let lines = door
        .note(&path)
        .map_err(|error| not_found(error.to_string()))?;
    Ok(ResourceContents::text(lines.text, uri).with_mime_type(MARKDOWN))
}
