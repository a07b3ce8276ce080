//! Finds pages of the workspace that a tool of the assistant wrote, which earlier versions allowed: they are read as the
//! owner's notes.
//!
//! Changes nothing.

use std::collections::BTreeMap;

use base::{Block, Message};
use session::{LineContent, LineStart, Payload};

use super::finding::{CheckRow, DoctorFinding, FindingWeight};
use crate::prelude::*;

/// The tool that writes files.
const WRITE_FILE: &str = "write_file";

pub(super) const TOOL_PAGE: CheckRow = CheckRow {
    code: "toolPage",
    checks: "The assistant's tools wrote no page that is read as your note.",
    weight: FindingWeight::Note,
    fix: "keep it as your own, or move it into `files/`, which is not memory",
};

pub(super) fn pages(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let store = context.sessions(home);
    let workspace = context.host.workspace(home);
    let mut written: BTreeMap<String, SessionName> = BTreeMap::new();
    for name in store.names()? {
        // `transcripts` reports a session that cannot be read.
        for path in paths_written(&store, &name).unwrap_or_default() {
            written.entry(path).or_insert_with(|| name.clone());
        }
    }
    let is_page = |path: &str| {
        let full = home.workspace().join(path);
        workspace.folder_of(path).is_some() && matches!(context.host.disk.stat(&full), Ok(Some(_)))
    };
    let pages = written.into_iter().filter(|(path, _)| is_page(path));
    let findings = pages.map(|(path, session)| {
        let what = format!("a tool wrote it in session {session}, but it is read as your note");
        DoctorFinding::new(&TOOL_PAGE, what).at(format!("workspace/{path}"))
    });
    Ok(findings.collect())
}

/// The paths that the assistant's tools wrote in a session.
fn paths_written(store: &SessionStore, name: &SessionName) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for line in store.live_lines(name, LineStart::FIRST)? {
        let LineContent::Entry(entry) = line?.content else {
            continue;
        };
        let Payload::Message(said) = entry.payload else {
            continue;
        };
        // What was imported was written elsewhere.
        if said.source.is_some() {
            continue;
        }
        if let Message::Assistant(reply) = &said.message {
            paths.extend(reply.content.iter().filter_map(path_written));
        }
    }
    Ok(paths)
}

fn path_written(block: &Block) -> Option<String> {
    let Block::ToolCall(call) = block else {
        return None;
    };
    let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
    let path = arguments.get("path")?.as_str()?;
    (call.name == WRITE_FILE).then(|| path.to_owned())
}
