//! The window of a session: its newest summary, and the messages since then.
//!
//! Changes nothing.

use base::{EntryId, Timestamp, TokenCount, redact};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use session::{EntrySelector, ViewContent};

use crate::knowledge::session_source::SessionSource;
use crate::ops::operation::{instant, parsed_name};
use crate::ops::past::{PastReply, PastScope, answered};
use crate::ops::{OpContext, OpError, Operation};
use crate::runtime::resume_limit;

/// Asks for the window of a session.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionWindow {
    /// The session.
    #[schemars(regex(pattern = r"^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$"))]
    pub name: String,
    /// The id of an entry: the window as it was when that entry was the newest; as it is now by default.
    pub entry: Option<String>,
    /// The window as it was at this time, such as `2026-04-20`, `2026-04-20 14:30` or `yesterday`; a day counts to its
    /// end.
    pub as_of: Option<String>,
}

/// The window of a session.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WindowReply {
    /// The session.
    pub name: String,
    /// Number of compactions.
    pub epoch: u64,
    /// Whether older items were left unread.
    pub is_cut: bool,
    /// The summary and the messages, oldest first.
    pub items: Vec<WindowItem>,
    /// The moment of the answer, if the past was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<PastReply>,
}

/// A message or a summary.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WindowItem {
    /// Its entry.
    pub entry: EntryId,
    /// When it was said.
    #[serde(serialize_with = "instant")]
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// `user`, `assistant`, `toolResult` or `summary`.
    pub role: &'static str,
    /// The text; secrets are replaced.
    pub text: String,
    /// Its size.
    pub tokens: TokenCount,
}

impl Operation for SessionWindow {
    type Reply = WindowReply;

    fn run(self, at: &OpContext<'_>) -> Result<WindowReply, OpError> {
        let as_of = self.as_of.clone();
        let name = parsed_name(&self.name)?;
        let scope = PastScope::Session(&name);
        let (reply, as_of) = answered(as_of.as_deref(), scope, at, |at| self.answer(at))?;
        Ok(WindowReply { as_of, ..reply })
    }
}

impl SessionWindow {
    fn answer(self, at: &OpContext<'_>) -> Result<WindowReply, OpError> {
        let name = parsed_name(&self.name)?;
        at.check_visible(&SessionSource::path_of(&name))?;
        let read = at.home.sessions.read(&name, resume_limit(at.window))?;
        let forgotten = at.home.forgotten_words::<OpError>(&name)?;
        let view = match self.entry {
            Some(entry) => {
                let limit = resume_limit(at.window);
                let at_entry = EntrySelector::Entry(entry);
                let then = at
                    .home
                    .sessions
                    .plan_rewind(&name, &at_entry, limit)?
                    .target;
                at.home.sessions.view_at(&name, &then, limit)?
            }
            None => read.view,
        };
        let is_cut = view.is_cut;
        let view = forgotten.view_without(&view);
        let items = view.items.iter().map(|item| {
            let (role, text) = match &item.content {
                ViewContent::Message(message) => (message.role(), message.text()),
                ViewContent::Summary(summary) => ("summary", summary.clone()),
            };
            WindowItem {
                entry: item.entry.clone(),
                at: item.at,
                role,
                text: redact(&text).into_owned(),
                tokens: item.tokens,
            }
        });
        Ok(WindowReply {
            name: name.to_string(),
            epoch: read.state.compaction_count.0,
            is_cut,
            items: items.collect(),
            as_of: None,
        })
    }
}
