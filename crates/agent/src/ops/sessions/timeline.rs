//! The timeline of a session: its days with their events, and the size of its context over time.
//!
//! Changes nothing.

use base::TokenCount;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use session::timeline::{Timeline, TranscriptTrouble, ViewMoment};

use crate::course::{SessionCourse, session_course};
use crate::knowledge::session_source::SessionSource;
use crate::ops::operation::parsed_name;
use crate::ops::past::{PastReply, PastScope, answered};
use crate::ops::{OpContext, OpError, Operation};

/// Asks for the timeline of a session.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionTimeline {
    /// The session.
    #[schemars(regex(pattern = r"^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$"))]
    pub name: String,
    /// The session as it was at this time, such as `2026-04-20`, `2026-04-20 14:30` or `yesterday`; a day counts to its
    /// end.
    pub as_of: Option<String>,
}

/// The timeline of a session.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineReply {
    /// What happened.
    #[serde(flatten)]
    #[schemars(with = "Map<String, Value>")]
    pub timeline: Timeline,
    /// Tokens of summary and messages in the window, at each of the moments.
    pub context_tokens: Vec<TokenCount>,
    /// Moments of the conversation, each `at` with the `messages` so far and the `tokens` in the window.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub moments: Vec<ViewMoment>,
    /// The moment of the answer, if the past was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<PastReply>,
    /// What is wrong with the transcript.
    #[serde(skip)]
    pub trouble: TranscriptTrouble,
}

impl Operation for SessionTimeline {
    type Reply = TimelineReply;

    fn run(self, at: &OpContext<'_>) -> Result<TimelineReply, OpError> {
        let name = parsed_name(&self.name)?;
        let scope = PastScope::Session(&name);
        let (reply, as_of) = answered(self.as_of.as_deref(), scope, at, |at| self.answer(at))?;
        Ok(TimelineReply { as_of, ..reply })
    }
}

impl SessionTimeline {
    fn answer(&self, at: &OpContext<'_>) -> Result<TimelineReply, OpError> {
        let name = parsed_name(&self.name)?;
        at.check_visible(&SessionSource::path_of(&name))?;
        let files = (&at.home.sessions, &*at.home.workspace);
        let SessionCourse {
            timeline,
            moments,
            trouble,
        } = session_course(files, &name, (at.window, at.home.timezone))?;
        Ok(TimelineReply {
            timeline,
            context_tokens: moments.iter().map(|moment| moment.tokens).collect(),
            moments,
            as_of: None,
            trouble,
        })
    }
}
