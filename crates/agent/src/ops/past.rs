//! Answers as of a moment in the past: an operation runs on the home as it was then, rebuilt in memory.
//!
//! Writes nothing, and tells nothing that was forgotten since.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base::dates::past_moment;
use base::disk::MemoryDisk;
use base::{Clock, Disk, Timestamp};
use memory::{PastFlushes, PastWorkspace, past_workspace};
use schemars::JsonSchema;
use serde::Serialize;
use session::{ReadError, SessionName, SessionStore};

use super::error::OpError;
use super::operation::{OpContext, instant};
use crate::knowledge::index::{IndexAccess, IndexPlace, Knowledge};
use crate::knowledge::session_source::SessionSource;
use crate::runtime::HomeAccess;

/// The moment of an answer, and what is left out of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PastReply {
    /// The moment: the answer shows what was known then.
    #[serde(serialize_with = "instant")]
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// How often something was forgotten since; it stays forgotten.
    pub forgets_since: usize,
    /// What is left out because it is not known as it was then, each in one sentence.
    pub left_out: Vec<String>,
}

impl PastReply {
    /// For a model: the moment, and what is left out.
    pub(crate) fn in_words(&self) -> String {
        let at = self.at.format("%Y-%m-%d %H:%M UTC");
        let mut words = format!("What was known at {at}; what was forgotten since stays hidden.");
        for left_out in &self.left_out {
            words.extend([" ", left_out, "."]);
        }
        words
    }
}

/// Answers from the home as it is, or as it was at the moment that `as_of` names.
///
/// # Errors
///
/// [`OpError`], also if `as_of` names no moment that has passed.
pub(super) fn answered<R>(
    as_of: Option<&str>,
    at: &OpContext<'_>,
    answer: impl FnOnce(&OpContext<'_>) -> Result<R, OpError>,
) -> Result<(R, Option<PastReply>), OpError> {
    let Some(text) = as_of else {
        return Ok((answer(at)?, None));
    };
    let moment = past_moment(text, at.home.clock.now(), at.home.timezone);
    let moment = moment.map_err(|error| OpError::invalid("asOf", error.to_string()))?;
    let past = PastHome::at(moment, at)?;
    let reply = answer(&OpContext {
        home: &past.home,
        knowledge: past.knowledge.as_ref(),
        ..*at
    })?;
    Ok((reply, Some(past.reply)))
}

/// The home as it was.
struct PastHome {
    home: HomeAccess,
    knowledge: Option<Knowledge>,
    reply: PastReply,
}

impl PastHome {
    fn at(moment: Timestamp, at: &OpContext<'_>) -> Result<Self, OpError> {
        let present = at.home;
        let (sessions, flushes) = past_sessions(&present.sessions, moment)?;
        let PastWorkspace {
            workspace,
            disk,
            gaps,
            n_forgets_since,
        } = past_workspace(&present.workspace, &flushes, (moment, present.timezone))?;
        let clock: Arc<dyn Clock> = Arc::new(PastClock {
            moment,
            present: Arc::clone(&present.clock),
        });
        let home = present.in_past(Arc::clone(&clock), sessions, workspace);
        let knowledge = at.knowledge.map(|own| {
            let place = IndexPlace {
                disk,
                directory: PathBuf::new(),
            };
            let source = SessionSource::new(home.sessions.clone(), home.timezone);
            let workspace = Arc::clone(&home.workspace);
            let past = Knowledge::new(place, workspace, source, clock, IndexAccess::InMemory);
            past.with_embedder(own.embedder())
        });
        Ok(Self {
            home,
            knowledge,
            reply: PastReply {
                at: moment,
                forgets_since: n_forgets_since,
                left_out: gaps.iter().map(ToString::to_string).collect(),
            },
        })
    }
}

/// The transcripts up to a moment, above the present ones, and the flushes that had ended.
fn past_sessions(
    present: &SessionStore,
    moment: Timestamp,
) -> Result<(SessionStore, PastFlushes), OpError> {
    let disk = MemoryDisk::above(present.disk());
    let mut flushes = PastFlushes::default();
    for name in present.names()? {
        match cut(present, &disk, (&name, moment), &mut flushes) {
            // Whoever reads the session reports why it cannot be read.
            Ok(()) | Err(ReadError::Disk(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok((present.on_disk(Arc::new(disk)), flushes))
}

fn cut(
    present: &SessionStore,
    disk: &MemoryDisk,
    (name, moment): (&SessionName, Timestamp),
    flushes: &mut PastFlushes,
) -> Result<(), ReadError> {
    let part = present.part_at(name, moment)?;
    if let Ok(id) = present.id(name) {
        let id = id.to_string();
        let spans = part.flushed.iter();
        let spans = spans.map(|(first, last)| (id.clone(), first.to_string(), last.to_string()));
        flushes.spans.extend(spans);
        flushes.sessions.insert(id);
    }
    let path = present.path(name);
    Ok(match part.end {
        None => disk.remove(&path),
        Some(end) => disk.truncate(&path, end),
    }?)
}

/// A clock that stands still at a moment. Only its deadlines run.
#[derive(Debug)]
struct PastClock {
    moment: Timestamp,
    present: Arc<dyn Clock>,
}

impl Clock for PastClock {
    fn now(&self) -> Timestamp {
        self.moment
    }

    fn monotonic(&self) -> Duration {
        self.present.monotonic()
    }
}

#[cfg(test)]
#[path = "past_tests.rs"]
mod tests;
