//! One home as it is served: its routes, and the end of its streams.
//!
//! Listens nowhere.

use std::sync::Arc;

use axum::Router;
use tokio::sync::watch;

use super::access::BrowserSessions;
use super::newsroom::Newsroom;
use super::routes::router;
use super::state::{HttpSetup, HttpState};
use crate::mcp::mcp_service;

/// A home with all that answers for it.
pub struct ServedHome {
    router: Router,
    state: Arc<HttpState>,
    ending: watch::Sender<()>,
    end_mcp: Option<Box<dyn FnOnce() + Send>>,
}

impl ServedHome {
    /// Answers requests to a home from now on.
    pub fn new(setup: HttpSetup) -> Self {
        Self::with_browsers(setup, Arc::default())
    }

    /// The same, for browsers that may have signed in before.
    pub(crate) fn with_browsers(setup: HttpSetup, browsers: Arc<BrowserSessions>) -> Self {
        let (ending, told) = watch::channel(());
        let (mcp, end_mcp) = mcp_service(Arc::clone(&setup.door));
        let state = Arc::new(HttpState::new(setup, browsers, told));
        Self {
            router: router(&state, mcp),
            state,
            ending,
            end_mcp: Some(end_mcp),
        }
    }

    /// Where to tell what the service does by itself.
    pub fn news(&self) -> Newsroom {
        self.state.news.clone()
    }

    pub(crate) fn router(&self) -> Router {
        self.router.clone()
    }

    pub(crate) fn state(&self) -> &Arc<HttpState> {
        &self.state
    }

    /// Ends streams of news, which have no end of their own.
    pub(crate) fn end_streams(&mut self) {
        self.ending.send_replace(());
        if let Some(end) = self.end_mcp.take() {
            end();
        }
    }
}
