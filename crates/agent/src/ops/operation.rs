//! What an operation is, and what it may use.
//!
//! Knows no protocol.

use schemars::JsonSchema;
use search::SyncProgress;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::OpError;
use crate::knowledge::index::Knowledge;
use crate::knowledge::scope::Viewer;
use crate::runtime::HomeAccess;

/// A request that has one reply, whichever door it comes through.
pub trait Operation: DeserializeOwned + JsonSchema + Send + 'static {
    /// The reply. Its keys are a contract with programs.
    type Reply: Serialize + JsonSchema;

    /// Carries out the request.
    ///
    /// # Errors
    ///
    /// [`OpError`]; then nothing was changed.
    fn run(self, at: &OpContext<'_>) -> Result<Self::Reply, OpError>;
}

/// What an operation may use, and on whose behalf.
#[derive(Clone, Copy)]
pub struct OpContext<'a> {
    /// The files, the transcripts and the clock.
    pub home: &'a HomeAccess,
    /// Search over them.
    pub knowledge: &'a Knowledge,
    /// Who asks: what others must not see is not in the reply, and what a program writes is not the owner's word.
    pub viewer: &'a Viewer,
    /// Receives the progress of a long sync of the index.
    pub on_progress: &'a dyn Fn(SyncProgress),
}

impl<'a> OpContext<'a> {
    /// A context that shows no progress.
    pub fn new(home: &'a HomeAccess, knowledge: &'a Knowledge, viewer: &'a Viewer) -> Self {
        Self {
            home,
            knowledge,
            viewer,
            on_progress: &|_| {},
        }
    }

    /// Fails if the viewer must not see this path.
    pub(super) fn check_visible(&self, path: &str) -> Result<(), OpError> {
        if self.viewer.may_read(&self.home.sessions, path) {
            Ok(())
        } else {
            Err(OpError::OtherRepository(path.to_owned()))
        }
    }
}
