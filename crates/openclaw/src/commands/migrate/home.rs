//! Imports notes and sessions of another home, OpenClaw's or our own, for `init --from`.
//!
//! Never changes that home, nor a file that already exists here.

use agent::TakeMode;
use base::{Disk, shell_word};

use super::own::OwnHome;
use super::within::ScopedDisk;
use crate::commands::session::import::{ConversationFiles, conversations_of, find};
use crate::commands::session::naming::{Beginnings, Naming};

use crate::commands::imported::{ImportReport, ImportedReport, NoteTaken};
use crate::prelude::*;

/// Depth limit of the search for notes.
const DEPTH_MAX: usize = 6;

/// OpenClaw's dream diary, which is prose by a program; our file of that name holds the owner's decisions.
const DIARY: [&str; 2] = ["DREAMS.md", "dreams.md"];

/// Checks that `from` holds another home, which can be imported, before anything is created.
pub(crate) fn check_source(from: &Path, home: &Home, disk: &Arc<dyn Disk>) -> Result<()> {
    let shown = from.display();
    let failed = |kind, what: String| CliError::new(kind, what).hint(NAME_A_HOME);
    let Some(stat) = disk.stat(from)? else {
        let failure = format!("{shown} does not exist");
        return Err(failed(ErrorKind::NotFound, failure));
    };
    let import = import_command(from);
    if !stat.is_dir {
        let failure = format!("{shown} is a file, but a home is a directory");
        return Err(failed(ErrorKind::Input, failure)
            .hint(format!("`{import}` imports the conversations in a file")));
    }
    let old = ScopedDisk::new(Arc::clone(disk), from)?;
    let has_sessions = !sessions_of(&old, from)?.is_empty();
    // OpenClaw's own home may be the same directory.
    if !has_sessions && disk.resolve(from)? == disk.resolve(home.root())? {
        let failure = format!("{shown} is this home itself");
        let copy = format!("openclaw --home DIR init --from {}", shell_word(from));
        return Err(CliError::new(ErrorKind::Usage, failure).hint(format!(
            "name another home, or import this one into a new one with `{copy}`"
        )));
    }
    let is_empty = !has_sessions
        && workspace_of(&old, from)?.is_none()
        && OwnHome::find(&old, from)?.is_none();
    if is_empty {
        let failure = format!("{shown} is not an OpenClaw home");
        return Err(failed(ErrorKind::NotFound, failure)
            .hint(format!("`{import}` imports the conversation files there")));
    }
    Ok(())
}

const NAME_A_HOME: &str =
    "pass the directory that contains workspace/ and agents/, such as ~/.openclaw";

/// Imports the home. Tombstones and rejections come first, so that nothing forgotten or rejected is visible or
/// promoted in between.
pub(crate) fn migrate(from: &Path, home: &Home, context: &mut Context) -> Result<ImportReport> {
    let disk = Arc::clone(&context.host.disk);
    let old = ScopedDisk::new(Arc::clone(&disk), from)?;
    let mut report = ImportReport::default();
    let workspace = workspace_of(&old, from)?;
    let sessions = sessions_of(&old, from)?;
    let own = OwnHome::find(&old, from)?;
    let is_diary_ours = match &own {
        Some(own) => own.take_decisions(home, context, &mut report)?,
        None => false,
    };
    if let Some(own) = &own {
        own.take_records(home, context, &mut report)?;
    }
    if let Some(workspace) = workspace {
        let mut notes = Vec::new();
        find_notes(&old, &workspace, Path::new(""), &mut notes)?;
        let root = home.workspace();
        for note in notes {
            let is_left_out = !is_diary_ours && is_diary(&note);
            let state = if is_left_out {
                "leftOut"
            } else {
                old.copy_to(&workspace.join(&note), &*disk, &root.join(&note))?
            };
            let path = note.display().to_string();
            report
                .copied
                .extend((state == "taken").then(|| path.clone()));
            report.notes.push(NoteTaken { path, state });
        }
    }
    if let Some(own) = &own {
        // After the notes, because it writes its page among the lines of the owner there.
        own.take_graph(home, context, &mut report)?;
        own.take_sessions(home, context, &mut report)?;
    }
    take_conversations((&old, &sessions), home, context, &mut report);
    report.notes.extend(old.take_left_out());
    Ok(report)
}

fn take_conversations(
    (old, paths): (&ScopedDisk, &[PathBuf]),
    home: &Home,
    context: &Context,
    report: &mut ImportReport,
) {
    let store = context.sessions(home);
    let now = context.host.clock.now();
    let beginnings = Beginnings::default();
    for path in paths {
        let conversations = conversations_of(old, path, None);
        let conversations = conversations.unwrap_or_else(|error| vec![Err(error)]);
        report
            .conversations
            .extend(conversations.into_iter().map(|conversation| {
                let taken = conversation.map_err(CliError::from).and_then(|it| {
                    let session = Naming::plain((&store, &beginnings), now).session_for(&it)?;
                    let (session, how) = ((&store, &session), (now, TakeMode::Write));
                    ImportedReport::take((path, &it), session, how, context.output)
                });
                taken.unwrap_or_else(|error| failed(path, &error, context.output))
            }));
    }
}

/// Reports a file that was not imported, with the command to try again.
fn failed(path: &Path, error: &CliError, output: &Output) -> ImportedReport {
    let (reason, command) = (error.one_line(), import_command(path));
    let command = output.at_home(&command);
    let again = format!("{reason}; once that is fixed, `{command}` imports it");
    ImportedReport::failed(path, &again)
}

/// The command that imports `path`, quoted for a shell.
fn import_command(path: &Path) -> String {
    format!("openclaw session import {}", shell_word(path))
}

/// The directory with the notes: `workspace/`, or the home itself.
fn workspace_of(disk: &dyn Disk, from: &Path) -> Result<Option<PathBuf>> {
    for directory in [from.join("workspace"), from.to_owned()] {
        for sign in ["AGENTS.md", "MEMORY.md", "memory"] {
            if disk.stat(&directory.join(sign))?.is_some() {
                return Ok(Some(directory));
            }
        }
    }
    Ok(None)
}

/// The conversation files of all agents.
fn sessions_of(disk: &dyn Disk, from: &Path) -> Result<Vec<PathBuf>> {
    let mut found = ConversationFiles::default();
    let agents = from.join("agents");
    for agent in disk.list(&agents)? {
        // The files of older versions first, then the database that replaced them.
        for directory in ["sessions", "agent"] {
            let directory = agents.join(&agent).join(directory);
            if disk.stat(&directory)?.is_some_and(|stat| stat.is_dir) {
                find(disk, &directory, 1, &mut found)?;
            }
        }
    }
    let mut files = Vec::new();
    for file in found.files {
        if disk.stat(&file)?.is_some() {
            files.push(file);
        }
    }
    Ok(files)
}

fn find_notes(disk: &dyn Disk, root: &Path, below: &Path, notes: &mut Vec<PathBuf>) -> Result<()> {
    for name in disk.list(&root.join(below))? {
        let path = below.join(&name);
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let Some(stat) = disk.stat(&root.join(&path))? else {
            continue;
        };
        // Descend only into `memory`: a workspace may also hold whole projects.
        if stat.is_dir {
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

fn is_diary(note: &Path) -> bool {
    let name = note.file_name().unwrap_or_default().to_string_lossy();
    DIARY.contains(&&*name)
}
