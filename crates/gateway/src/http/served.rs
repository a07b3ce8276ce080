//! One served home: its routes, its state, and the end of its streams.
//!
//! Opens no socket.

use std::sync::Arc;

use axum::Router;
use tokio::sync::watch;

use super::access::{BrowserSessions, TokenError};
use super::event_bus::EventBus;
use super::routes::router;
use super::server::Site;
use super::sign_in::SIGN_IN;
use super::state::{HttpSetup, HttpState};
use crate::mcp::mcp_service;

/// A home with its routes and state.
pub struct ServedHome {
    router: Router,
    state: Arc<HttpState>,
    ending: watch::Sender<()>,
    end_mcp: Option<Box<dyn FnOnce() + Send>>,
}

impl ServedHome {
    /// Sets up the routes and state of a home.
    pub fn new(setup: HttpSetup) -> Self {
        Self::with_browsers(setup, Arc::default())
    }

    /// Like [`Self::new`], with browsers that may be signed in already.
    pub fn with_browsers(setup: HttpSetup, browsers: Arc<BrowserSessions>) -> Self {
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

    /// The place to report what the service does by itself.
    pub fn news(&self) -> EventBus {
        self.state.news.clone()
    }

    /// The path of a link that signs one browser in, once and soon.
    pub fn sign_in_link(&self) -> Result<String, TokenError> {
        let code = self
            .state
            .browsers
            .make_code(self.state.clock().monotonic())?;
        Ok(format!("{SIGN_IN}#{code}"))
    }

    /// The state that its requests share; whoever works for one of them holds it.
    pub fn state(&self) -> &Arc<HttpState> {
        &self.state
    }
}

impl Site for ServedHome {
    fn router(&self) -> Router {
        self.router.clone()
    }

    /// Ends news streams and MCP connections.
    fn end_streams(&mut self) {
        self.ending.send_replace(());
        if let Some(end) = self.end_mcp.take() {
            end();
        }
    }
}
