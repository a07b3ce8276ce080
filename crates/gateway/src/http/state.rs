//! What every request works with.
//!
//! Decides nothing.

use std::sync::Arc;

use agent::{Door, Knowledge, Runtime};
use base::Clock;

use super::access::{AccessToken, BrowserSessions};
use super::limits::Budgets;

/// What whoever starts the service puts together.
#[derive(Debug)]
pub struct HttpSetup {
    /// What a turn works with.
    pub runtime: Runtime,
    /// What memory can be asked.
    pub knowledge: Arc<Knowledge>,
    /// What programs may ask of memory.
    pub door: Door,
    /// When dreams begin, and what they may do.
    pub dreaming: dreaming::Settings,
    /// What programs show to be let in.
    pub token: AccessToken,
    /// Names under which the owner reaches the service, besides addresses and `localhost`.
    pub hosts: Vec<String>,
}

/// What every request works with.
pub struct HttpState {
    /// What a turn works with.
    pub runtime: Runtime,
    /// What memory can be asked.
    pub knowledge: Arc<Knowledge>,
    /// What programs may ask of memory.
    pub door: Door,
    /// When dreams begin, and what they may do.
    pub dreaming: dreaming::Settings,
    pub(super) token: AccessToken,
    pub(super) hosts: Vec<String>,
    pub(super) browsers: BrowserSessions,
    pub(super) budgets: Budgets,
}

impl HttpState {
    pub(super) fn new(setup: HttpSetup) -> Self {
        Self {
            runtime: setup.runtime,
            knowledge: setup.knowledge,
            door: setup.door,
            dreaming: setup.dreaming,
            token: setup.token,
            hosts: setup.hosts,
            browsers: BrowserSessions::default(),
            budgets: Budgets::default(),
        }
    }

    /// Tells the time.
    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.runtime.clock
    }
}
