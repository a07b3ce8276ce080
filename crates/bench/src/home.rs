//! A home on a disk in memory, in which conversations are had and dreams dreamt.
//!
//! Chooses no model, no clock and no strategy.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent::{Background, Models, RECALL_BUDGET, Runtime, Statistics, ToolAccess};
use base::disk::MemoryDisk;
use base::{Clock, Disk, Tz};
use compaction::Settings;
use memory::Workspace;
use session::{SessionDirs, SessionStore};

/// Where the home lies.
pub(crate) const HOME: &str = "/home";

/// A runtime that recalls nothing, has no tools, and does nothing in the background.
pub(crate) fn runtime(
    disk: &MemoryDisk,
    clock: Arc<dyn Clock>,
    models: Models,
    settings: Settings,
) -> Runtime {
    let disk: Arc<dyn Disk> = Arc::new(disk.clone());
    let below = |name: &str| -> PathBuf { Path::new(HOME).join(name) };
    let (locks, quarantine) = (below("state/locks"), below("state/quarantine"));
    let dirs = SessionDirs {
        sessions: below("sessions"),
        locks: locks.clone(),
        quarantine: quarantine.clone(),
    };
    let workspace = Workspace::new(Arc::clone(&disk), below("workspace"), locks, quarantine);
    Runtime {
        sessions: SessionStore::new(disk, Arc::clone(&clock), dirs),
        workspace: Arc::new(workspace),
        clock,
        timezone: Tz::UTC,
        models,
        settings,
        knowledge: None,
        recall_budget: RECALL_BUDGET,
        background: Background::never(),
        forgetting: None,
        tools: ToolAccess::default(),
        sandbox: None,
        statistics: Statistics::default(),
        known_window: Arc::default(),
        hooks: None,
        turn_patience: std::time::Duration::ZERO,
    }
}
