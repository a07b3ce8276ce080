//! What an operation is, and what it may use.
//!
//! Knows no protocol.

use std::sync::Arc;

use base::{Locator, Origin, Timestamp};
use chrono::SecondsFormat;
use compaction::WindowSettings;
use memory::candidates::{Access, Candidate, Evidence, MemoryTxn};
use schemars::JsonSchema;
use search::SyncProgress;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use session::{SessionName, SessionNameError};

use super::error::OpError;
use crate::dream::SessionConversations;
use crate::knowledge::index::Knowledge;
use crate::knowledge::scope::Viewer;
use crate::knowledge::session_source::SessionSource;
use crate::review::EvidenceContext;
use crate::runtime::HomeAccess;
use crate::service::Edits;

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
    /// The settings of the window.
    pub window: &'a WindowSettings,
    /// Search over them; `None` where there is none.
    pub knowledge: Option<&'a Knowledge>,
    /// Who asks: what the viewer must not see is not in the reply.
    pub viewer: &'a Viewer,
    /// Whose words a note is.
    pub origin: Origin,
    /// Receives what happens on the way to the reply.
    pub on_event: &'a dyn Fn(OpEvent),
}

/// What becomes of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Written,
    /// It is only reported, by a dry run.
    Reported,
}

impl From<bool> for Effect {
    fn from(is_dry_run: bool) -> Self {
        if is_dry_run {
            Self::Reported
        } else {
            Self::Written
        }
    }
}

/// What happens on the way to a reply.
#[derive(Debug)]
pub enum OpEvent {
    /// The index is being brought up to date.
    Sync(SyncProgress),
    /// The owner's decisions in `DREAMS.md` were taken in first.
    TakenIn(Edits),
}

impl<'a> OpContext<'a> {
    /// A context that reports events to nobody. Text that a program writes does not count as the owner's words.
    pub fn new(
        home: &'a HomeAccess,
        window: &'a WindowSettings,
        knowledge: impl Into<Option<&'a Knowledge>>,
        viewer: &'a Viewer,
    ) -> Self {
        Self {
            home,
            window,
            knowledge: knowledge.into(),
            viewer,
            origin: match viewer {
                Viewer::Owner => Origin::Owner,
                Viewer::Program(_) => Origin::Agent,
            },
            on_event: &|_| {},
        }
    }

    /// Whether the viewer must not see this place.
    pub fn is_hidden(&self, place: &Locator) -> bool {
        let hidden = if SessionSource::name_of(&place.path).is_some() {
            self.viewer
                .hidden_messages(&self.home.sessions, &place.path)
        } else {
            self.viewer.hidden_lines(&self.home.workspace, &place.path)
        };
        hidden
            .into_iter()
            .any(|lines| lines.overlaps(place.lines()))
    }

    pub(super) fn knowledge(&self) -> Result<&'a Knowledge, OpError> {
        self.knowledge.ok_or(OpError::NoMemory)
    }

    /// Fails if the viewer must not see this path.
    pub(super) fn check_visible(&self, path: &str) -> Result<(), OpError> {
        if self.viewer.may_read(&self.home.sessions, path) {
            Ok(())
        } else {
            Err(OpError::OtherRepository(path.to_owned()))
        }
    }

    /// The home; for a dry run, a copy in memory.
    pub(super) fn home_for(&self, effect: Effect) -> HomeAccess {
        match effect {
            Effect::Reported => self.home.with_workspace(self.home.workspace.in_memory()),
            Effect::Written => self.home.clone(),
        }
    }

    /// Opens the candidates, and takes in first what the owner decided in `DREAMS.md`; locks memory, so hold it
    /// briefly.
    pub(super) fn desk(&self) -> Result<MemoryTxn<'a>, OpError> {
        self.open_desk(Access::Write)
    }

    /// Opens the candidates to read them. A program takes in nothing for the owner.
    pub(super) fn reading_desk(&self) -> Result<MemoryTxn<'a>, OpError> {
        self.open_desk(match self.viewer {
            Viewer::Owner => Access::Write,
            Viewer::Program(_) => Access::Read,
        })
    }

    fn open_desk(&self, access: Access) -> Result<MemoryTxn<'a>, OpError> {
        let desk = self.home.desk(access)?;
        let edits = Edits::found_by(&desk);
        if !edits.is_empty() {
            (self.on_event)(OpEvent::TakenIn(edits));
        }
        Ok(desk)
    }

    /// The candidate with this id, if the viewer may see it.
    pub(super) fn candidate<'d>(
        &self,
        desk: &'d MemoryTxn<'_>,
        id: &str,
    ) -> Result<&'d Candidate, OpError> {
        let own = desk.meant(id)?;
        if self.viewer.sees_candidate(&self.home.workspace, own) {
            Ok(own)
        } else {
            Err(OpError::OtherRepository(own.id.to_string()))
        }
    }

    /// The sources of this evidence.
    pub(super) fn sources<'e>(
        &self,
        evidence: impl IntoIterator<Item = &'e Evidence>,
    ) -> EvidenceContext {
        EvidenceContext::of(evidence, &self.home.workspace, &self.conversations())
    }

    /// The conversations, without what was forgotten.
    pub(super) fn conversations(&self) -> SessionConversations {
        let (sessions, workspace) = (&self.home.sessions, &self.home.workspace);
        SessionConversations::new(sessions.clone(), Arc::clone(workspace))
    }
}

/// The name of a session.
pub(super) fn parsed_name(name: &str) -> Result<SessionName, OpError> {
    let invalid = |error: SessionNameError| OpError::invalid("name", error.to_string());
    name.parse().map_err(invalid)
}

/// Writes an instant as RFC 3339 in UTC with milliseconds.
pub(crate) fn instant<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    in_utc(*at).serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde passes fields by reference")]
pub(super) fn optional_instant<S: Serializer>(
    at: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    at.map(in_utc).serialize(serializer)
}

fn in_utc(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
#[path = "operation_tests.rs"]
mod tests;
