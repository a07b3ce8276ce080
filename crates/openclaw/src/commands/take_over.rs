//! What `init --from` takes over of a home, of OpenClaw or our own: notes and sessions.
//!
//! Never changes that home, and never a file that is here.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent::import::{Act, read_conversations, take_conversation};
use base::Disk;
use base::disk::{create_dir, read_all, replace};
use session::SessionName;

use super::session::import::{Found, find, name_of};
use crate::app::Context;
use crate::assistant;
use crate::error::{CliError, ErrorKind};
use crate::home::{Directory, Home};
use crate::output::{ImportReport, ImportedReport, NoteTaken};

/// Longest file that is taken over.
const FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Notes are sought no deeper.
const DEPTH_MAX: usize = 6;

/// Its diary of dreams: prose of a program, which is no review page of ours.
const LEFT_OUT: [&str; 2] = ["DREAMS.md", "dreams.md"];

/// Takes it over.
///
/// # Errors
///
/// Where nothing of a home lies there; one bad file hides no other.
pub(crate) fn take_over(
    from: &Path,
    home: &Home,
    context: &mut Context<'_, '_>,
) -> Result<ImportReport, CliError> {
    let disk = Arc::clone(&context.host.disk);
    let mut report = ImportReport::default();
    let workspace = workspace_of(&*disk, from)?;
    let sessions = sessions_of(&*disk, from)?;
    let own = own_files_of(&*disk, from)?;
    if workspace.is_none() && sessions.is_empty() && own.is_empty() {
        let failure = format!("no home of OpenClaw lies in {}", from.display());
        return Err(CliError::new(ErrorKind::NotFound, failure)
            .hint("name the directory that holds workspace/ and agents/, such as ~/.openclaw"));
    }
    if let Some(workspace) = workspace {
        let mut notes = Vec::new();
        find_notes(&*disk, &workspace, Path::new(""), &mut notes)?;
        let root = home.directory(Directory::Workspace);
        for note in notes {
            let state = take_note(&*disk, &workspace.join(&note), &root.join(&note))?;
            let path = note.display().to_string();
            report.add_note(NoteTaken { path, state });
        }
    }
    for name in own {
        let state = take_note(&*disk, &from.join(&name), &home.root().join(&name))?;
        let path = name.display().to_string();
        report.add_note(NoteTaken { path, state });
    }
    let store = assistant::sessions(context.host, home, Arc::clone(&context.host.clock));
    let now = context.host.clock.now();
    for path in sessions {
        let conversations = match read_conversations(&*disk, &path, None) {
            Ok(conversations) => conversations,
            Err(error) => {
                let failure = CliError::from(error);
                report.add(ImportedReport::failed(&path, &failure.one_line()));
                continue;
            }
        };
        for conversation in conversations {
            let name = match conversation.title.as_deref() {
                Some("agent:main:main") => main_session(),
                Some(_) | None => name_of(&conversation),
            };
            let taken = name.and_then(|name| {
                let taken = take_conversation(&store, &name, &conversation, (now, Act::Write))?;
                Ok((name, taken))
            });
            report.add(match taken {
                Ok((name, taken)) => ImportedReport::taken(&path, &name, &conversation, taken),
                Err(error) => ImportedReport::failed(&path, &error.one_line()),
            });
        }
    }
    Ok(report)
}

/// Its main session is ours.
fn main_session() -> Result<SessionName, CliError> {
    agent::PRIMARY_SESSION
        .parse()
        .map_err(|error| CliError::from_error(ErrorKind::Internal, &error))
}

/// Where its notes lie: in `workspace/`, or in the directory itself.
fn workspace_of(disk: &dyn Disk, from: &Path) -> Result<Option<PathBuf>, CliError> {
    for directory in [from.join("workspace"), from.to_owned()] {
        for sign in ["AGENTS.md", "MEMORY.md", "memory"] {
            if disk.stat(&directory.join(sign))?.is_some() {
                return Ok(Some(directory));
            }
        }
    }
    Ok(None)
}

/// What a home of our own holds besides notes that nothing can bring back: transcripts as they are, so that
/// what was noted of them is not noted again, and what was forgotten.
fn own_files_of(disk: &dyn Disk, from: &Path) -> Result<Vec<PathBuf>, CliError> {
    let sessions = Path::new("sessions");
    let names = disk.list(&from.join(sessions))?.into_iter();
    let names = names.filter(|name| name.extension().is_some_and(|ending| ending == "jsonl"));
    let mut own: Vec<PathBuf> = names.map(|name| sessions.join(name)).collect();
    let tombstones = Path::new("state/tombstones.jsonl");
    if disk.stat(&from.join(tombstones))?.is_some() {
        own.push(tombstones.to_owned());
    }
    Ok(own)
}

/// The sessions of all its agents.
fn sessions_of(disk: &dyn Disk, from: &Path) -> Result<Vec<PathBuf>, CliError> {
    let mut found = Found::default();
    let agents = from.join("agents");
    for agent in disk.list(&agents)? {
        let directory = agents.join(agent).join("sessions");
        if disk.stat(&directory)?.is_some() {
            find(disk, &directory, 1, &mut found)?;
        }
    }
    Ok(found.files)
}

fn find_notes(
    disk: &dyn Disk,
    root: &Path,
    below: &Path,
    notes: &mut Vec<PathBuf>,
) -> Result<(), CliError> {
    for name in disk.list(&root.join(below))? {
        let path = below.join(&name);
        let is_dir = disk
            .stat(&root.join(&path))?
            .is_some_and(|stat| stat.is_dir);
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        // Beside the notes a workspace may hold whole projects.
        if is_dir {
            let is_memory = path.starts_with("memory") && path.components().count() < DEPTH_MAX;
            if is_memory {
                find_notes(disk, root, &path, notes)?;
            }
        } else if name.extension().is_some_and(|ending| ending == "md") {
            notes.push(path);
        }
    }
    Ok(())
}

fn take_note(disk: &dyn Disk, from: &Path, to: &Path) -> Result<&'static str, CliError> {
    let name = from.file_name().unwrap_or_default().to_string_lossy();
    if LEFT_OUT.contains(&&*name) {
        return Ok("leftOut");
    }
    let bytes = read_all(disk, from, FILE_BYTES_MAX)?;
    if disk.stat(to)?.is_some() {
        let is_same = read_all(disk, to, FILE_BYTES_MAX)? == bytes;
        return Ok(if is_same { "unchanged" } else { "differs" });
    }
    if let Some(directory) = to.parent() {
        create_dir(disk, directory)?;
    }
    replace(disk, to, &bytes)?;
    Ok("taken")
}
