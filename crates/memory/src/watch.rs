//! Watches the notes and reports changes to long-running programs, debounced.
//!
//! May miss changes; the next sync finds them by file size and time.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, CreateKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::workspace::DREAMS_FILE;
use crate::{Workspace, WorkspacePath};

/// A change in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkspaceEvent {
    /// These files were written, renamed or removed, or their permissions changed.
    Changed(BTreeSet<WorkspacePath>),
    /// Events may have been missed: check everything.
    Unsure,
}

impl WorkspaceEvent {
    /// Whether the file of the candidates may have changed.
    pub fn concerns_candidates(&self) -> bool {
        match self {
            Self::Changed(paths) => paths.iter().any(|path| path.as_str() == DREAMS_FILE),
            Self::Unsure => true,
        }
    }
}

/// Watches a workspace until it is dropped.
#[derive(Debug)]
pub struct Watch {
    _watcher: RecommendedWatcher,
}

/// A folder that is watched.
#[derive(Debug)]
struct WatchedPlace {
    root: PathBuf,
    /// The name of a folder elsewhere; `None` for the workspace.
    name: Option<String>,
}

/// Maximum number of changes in one report, in case the workspace never becomes quiet.
const CHANGES_MAX: usize = 256;

/// How long the workspace must be quiet before a report: editors write in several steps.
pub const QUIET_DEFAULT: Duration = Duration::from_millis(500);

impl Watch {
    /// Calls `on_event` on its own thread after changes, once there were none for `quiet`.
    ///
    /// # Errors
    ///
    /// The workspace cannot be watched; [`sync`](search::sync) still finds changes.
    pub fn start(
        workspace: &Workspace,
        quiet: Duration,
        mut on_event: impl FnMut(WorkspaceEvent) + Send + 'static,
    ) -> notify::Result<Self> {
        // Events use resolved paths.
        let resolved = |root: &Path| {
            let resolved = workspace.disk().resolve(root);
            resolved.unwrap_or_else(|_| root.to_owned())
        };
        let mut places = vec![WatchedPlace {
            root: resolved(workspace.root()),
            name: None,
        }];
        places.extend(workspace.folders().iter().map(|folder| WatchedPlace {
            root: resolved(&folder.root),
            name: Some(folder.name.clone()),
        }));
        let (tell, told) = channel();
        let handler = move |result: notify::Result<Event>| {
            if result.as_ref().map_or(true, is_change) {
                // The receiver may be gone already.
                tell.send(result).unwrap_or_default();
            }
        };
        let config = notify::Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(handler, config)?;
        watcher.watch(&resolved(workspace.root()), RecursiveMode::Recursive)?;
        for folder in workspace.folders() {
            // One that is missing, or too large to watch, is looked at by each search.
            drop(watcher.watch(&resolved(&folder.root), RecursiveMode::Recursive));
        }
        // The thread sleeps until something changes and ends when the watcher is dropped.
        thread::spawn(move || {
            while let Ok(first) = told.recv() {
                let mut changes = vec![first];
                while changes.len() < CHANGES_MAX
                    && let Ok(further) = told.recv_timeout(quiet)
                {
                    changes.push(further);
                }
                if let Some(event) = event(&changes, &places) {
                    on_event(event);
                }
            }
        });
        Ok(Self { _watcher: watcher })
    }
}

/// Combines changes into one event; `None` if no event concerns memory.
fn event(changes: &[notify::Result<Event>], places: &[WatchedPlace]) -> Option<WorkspaceEvent> {
    let is_unsure = |change: &notify::Result<Event>| {
        let event = change.as_ref();
        event.map_or(true, |event| {
            event.need_rescan() || is_new_folder(event, places)
        })
    };
    if changes.iter().any(is_unsure) {
        return Some(WorkspaceEvent::Unsure);
    }
    let paths = changes.iter().flatten().flat_map(|event| &event.paths);
    let paths: BTreeSet<WorkspacePath> = paths.filter_map(|path| shown(path, places)).collect();
    (!paths.is_empty()).then_some(WorkspaceEvent::Changed(paths))
}

/// Ignores reads, because otherwise each sync would trigger the next.
fn is_change(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Any
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Other => true,
    }
}

/// Whether a folder was created: files written into it before it was watched had no event.
fn is_new_folder(event: &Event, places: &[WatchedPlace]) -> bool {
    let mut paths = event.paths.iter();
    event.kind == EventKind::Create(CreateKind::Folder)
        && paths.any(|path| {
            places
                .iter()
                .any(|place| below(path, &place.root).is_some())
        })
}

/// The path of a note relative to the workspace, or below the name of its folder.
fn shown(path: &Path, places: &[WatchedPlace]) -> Option<WorkspacePath> {
    let mut shown = places.iter().filter_map(|place| {
        let below = below(path, &place.root)?;
        let named = place.name.as_ref().map(|name| format!("{name}/{below}"));
        named.unwrap_or_else(|| below.to_owned()).parse().ok()
    });
    shown.next()
}

/// The path relative to a watched folder; `None` if a part of it is hidden, as temporary files are.
fn below<'p>(path: &'p Path, root: &Path) -> Option<&'p str> {
    let relative = path.strip_prefix(root).ok()?;
    let is_hidden = |part: &OsStr| part.to_str().is_none_or(|part| part.starts_with('.'));
    relative
        .to_str()
        .filter(|_| !relative.iter().any(is_hidden))
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
