//! The environment, disk and clock of a run, and the stores of a home that use them.
//!
//! Opens nothing itself, because stores read lazily.

use std::sync::Arc;

use agent::ops::OpContext;
use agent::{HomeAccess, IndexAccess, IndexPlace, Knowledge, SessionSource, Viewer};
use base::{Clock, Disk, Tz};
use compaction::WindowSettings;
use memory::{NoteFolder, Workspace};
use search::Inspection;
use search::{Index, IndexError};
use session::SessionStore;
pub use session::StateCache;

use crate::environment::Environment;
use crate::home::Home;

#[derive(Debug, Clone)]
pub struct Host {
    pub environment: Environment,
    pub disk: Arc<dyn Disk>,
    pub clock: Arc<dyn Clock>,
    /// The states of the sessions that were read.
    pub states: StateCache,
}

impl Host {
    pub fn sessions(&self, home: &Home, clock: Arc<dyn Clock>) -> SessionStore {
        let sessions = SessionStore::new(Arc::clone(&self.disk), clock, home.clone());
        sessions.knowing(self.states.clone())
    }

    pub fn workspace(&self, home: &Home) -> Workspace {
        Workspace::new(Arc::clone(&self.disk), home.clone())
    }

    /// Search over the notes and sessions of a home, and over the notes in folders elsewhere.
    pub fn knowledge(
        &self,
        home: &Home,
        folders: Arc<[NoteFolder]>,
        (timezone, access): (Tz, IndexAccess),
    ) -> Knowledge {
        let sessions = self.sessions(home, Arc::clone(&self.clock));
        let place = IndexPlace {
            disk: Arc::clone(&self.disk),
            directory: home.index(),
        };
        Knowledge::new(
            place,
            Arc::new(self.workspace(home).with_folders(folders)),
            SessionSource::new(sessions, timezone),
            Arc::clone(&self.clock),
            access,
        )
    }

    /// Inspects a home's index.
    pub fn inspect(&self, home: &Home, access: IndexAccess) -> Result<Inspection, IndexError> {
        let directory = home.index();
        match access {
            IndexAccess::ReadWrite => Index::inspect(Arc::clone(&self.disk), &directory),
            IndexAccess::ReadOnly | IndexAccess::InMemory => {
                Index::inspect_read_only(Arc::clone(&self.disk), &directory)
            }
        }
    }
}

/// The stores for operations on a home.
#[derive(Debug)]
pub struct Operations {
    pub home: HomeAccess,
    pub window: WindowSettings,
    pub knowledge: Knowledge,
}

impl Operations {
    pub fn context<'a>(&'a self, viewer: &'a Viewer) -> OpContext<'a> {
        OpContext::new(&self.home, &self.window, &self.knowledge, viewer)
    }
}
