//! A home on a disk in memory, in which a conversation is had.
//!
//! Chooses no model, no clock and no strategy.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent::{Background, Models, RECALL_BUDGET, Runtime, Statistics, ToolAccess};
use base::disk::MemoryDisk;
use base::{Clock, Disk, Tz};
use compaction::Settings;
use memory::Workspace;
use session::{SessionDirs, SessionName, SessionStore};

use super::run::CompactionError;

/// Where the home lies.
pub(super) const HOME: &str = "/home";

/// The session of the conversation.
pub(super) fn session_name() -> Result<SessionName, CompactionError> {
    "main".parse().map_err(CompactionError::failed)
}

/// A runtime that recalls nothing, has no tools, and does nothing in the background.
pub(super) fn runtime(
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
        hooks: None,
    }
}
