//! Reads a part of a conversation as it was: its messages, the summaries where the window ended, and what was recalled
//! for each reply.
//!
//! Changes nothing, and shows nothing that was forgotten.

use std::ops::Range;

use base::disk::DiskError;
use base::{EntryId, Locator, Origin, Timestamp, redact};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use session::{Entry, LineContent, LiveBranch, Payload, ResetReason, SessionName};

use crate::fence::without_fenced;
use crate::forgotten_words::ForgottenWords;
use crate::knowledge::session_source::{SessionSource, visible_part};
use crate::ops::operation::{instant, parsed_name};
use crate::ops::past::{PastReply, PastScope, answered};
use crate::ops::{OpContext, OpError, Operation};
use crate::turn::recall::recalled_places;
use crate::writers::evidence::message_of;

const LIMIT_DEFAULT: usize = 60;
const LIMIT_MAX: usize = 1_000;

/// Number of lines before a part in which a recall for its first reply is looked for.
const RECALL_LINES_MAX: usize = 8;

/// Which part of a conversation to read.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadSession {
    /// The session.
    pub name: String,
    /// The position of the first line, from 1; the last messages by default.
    pub from: Option<usize>,
    /// The position of the line before which the part ends, in place of `from`.
    pub before: Option<usize>,
    /// A line of the transcript, in place of `from`: the part around its message.
    pub line: Option<u64>,
    /// Whether the length of the whole conversation is needed. Without it, the last messages are found without a look
    /// at all lines.
    #[serde(default)]
    pub is_measured: bool,
    /// Maximum number of messages; 60 by default.
    pub limit: Option<usize>,
    /// The conversation as it was at this time, such as `2026-04-20`, `2026-04-20 14:30` or `yesterday`; a day counts
    /// to its end.
    pub as_of: Option<String>,
}

/// A part of a conversation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadSessionReply {
    /// The session.
    pub name: String,
    /// The number of lines of the whole conversation, if it was measured.
    pub lines: Option<usize>,
    /// Whether there are earlier lines.
    pub has_earlier: bool,
    /// Whether there are later lines.
    pub has_later: bool,
    /// The part, oldest first.
    pub items: Vec<ReadItem>,
    /// The moment of the answer, if the past was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<PastReply>,
}

/// A message, a summary that stands for everything before it, or the beginning of a new conversation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadItem {
    /// The position of its line among those of the conversation, from 1; among those read if it was not measured.
    pub position: usize,
    /// Its line.
    pub line: u64,
    /// Its entry.
    pub entry: EntryId,
    /// The entry before it.
    pub parent: Option<EntryId>,
    /// When it was said.
    #[serde(serialize_with = "instant")]
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// `user`, `assistant`, `toolResult`, `summary`, or `new` where a new conversation begins in the same session.
    pub role: &'static str,
    /// Who answers for it.
    pub origin: Origin,
    /// The text; secrets are replaced.
    pub text: String,
    /// The places of the passages that were recalled for it.
    pub recalled: Vec<Locator>,
}

impl Operation for ReadSession {
    type Reply = ReadSessionReply;

    fn run(self, at: &OpContext<'_>) -> Result<ReadSessionReply, OpError> {
        let name = parsed_name(&self.name)?;
        let scope = PastScope::Session(&name);
        let (reply, as_of) = answered(self.as_of.as_deref(), scope, at, |at| self.answer(at))?;
        Ok(ReadSessionReply { as_of, ..reply })
    }
}

impl ReadSession {
    fn answer(&self, at: &OpContext<'_>) -> Result<ReadSessionReply, OpError> {
        let name = parsed_name(&self.name)?;
        at.check_visible(&SessionSource::path_of(&name))?;
        let forgotten = at.home.forgotten_words::<OpError>(&name)?;
        let part = Part {
            forgotten: &forgotten,
            limit: self.limit.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX),
        };
        let is_end = self.from.is_none() && self.before.is_none() && self.line.is_none();
        if is_end && !self.is_measured {
            return part.end(at, &name);
        }
        let branch = at.home.sessions.live_branch(&name, None)?;
        let items = if let Some(from) = self.from {
            part.items_from(&branch, from.saturating_sub(1), part.limit)?
        } else if let Some(before) = self.before {
            part.items_before(&branch, before.saturating_sub(1), part.limit)?
        } else if let Some(line) = self.line {
            part.items_around(&branch, branch.position_of(line)?)?
        } else {
            part.items_before(&branch, branch.n_lines(), part.limit)?
        };
        part.reply(&name, &branch, items)
    }
}

/// How a part of a conversation is read.
struct Part<'a> {
    forgotten: &'a ForgottenWords,
    limit: usize,
}

impl Part<'_> {
    /// The last messages. Looks only at as many lines as they take.
    fn end(&self, at: &OpContext<'_>, name: &SessionName) -> Result<ReadSessionReply, OpError> {
        let mut n_lines = self.limit * 2;
        loop {
            let branch = at.home.sessions.live_branch(name, Some(n_lines))?;
            let items = self.items_before(&branch, branch.n_lines(), self.limit)?;
            if items.len() >= self.limit || !branch.is_cut() {
                return self.reply(name, &branch, items);
            }
            n_lines *= 4;
        }
    }

    /// The reply, with whether something is said before and after the part.
    fn reply(
        &self,
        name: &SessionName,
        branch: &LiveBranch,
        items: Vec<ReadItem>,
    ) -> Result<ReadSessionReply, OpError> {
        let (first, last) = match (items.first(), items.last()) {
            (Some(first), Some(last)) => (first.position - 1, last.position),
            _ => (0, branch.n_lines()),
        };
        Ok(ReadSessionReply {
            name: name.to_string(),
            lines: (!branch.is_cut()).then_some(branch.n_lines()),
            has_earlier: branch.is_cut() || !self.items_before(branch, first, 1)?.is_empty(),
            has_later: !self.items_from(branch, last, 1)?.is_empty(),
            items,
            as_of: None,
        })
    }

    /// The part around a position: a third of it stands before.
    fn items_around(&self, branch: &LiveBranch, at: usize) -> Result<Vec<ReadItem>, DiskError> {
        let earlier = self.items_before(branch, at, self.limit / 3)?;
        let mut later = self.items_from(branch, at, self.limit - earlier.len())?;
        let mut items = self.items_before(branch, at, self.limit - later.len())?;
        items.append(&mut later);
        Ok(items)
    }

    fn items_from(
        &self,
        branch: &LiveBranch,
        from: usize,
        n_wanted: usize,
    ) -> Result<Vec<ReadItem>, DiskError> {
        let mut n_lines = n_wanted;
        loop {
            let end = branch.n_lines().min(from.saturating_add(n_lines));
            let mut items = self.items(branch, from..end)?;
            if items.len() >= n_wanted || end == branch.n_lines() {
                items.truncate(n_wanted);
                return Ok(items);
            }
            n_lines *= 2;
        }
    }

    fn items_before(
        &self,
        branch: &LiveBranch,
        end: usize,
        n_wanted: usize,
    ) -> Result<Vec<ReadItem>, DiskError> {
        let end = end.min(branch.n_lines());
        let mut n_lines = n_wanted;
        loop {
            let start = end.saturating_sub(n_lines);
            let mut items = self.items(branch, start..end)?;
            if items.len() >= n_wanted || start == 0 {
                return Ok(items.split_off(items.len().saturating_sub(n_wanted)));
            }
            n_lines *= 2;
        }
    }

    /// What the lines at these positions show.
    fn items(&self, branch: &LiveBranch, at: Range<usize>) -> Result<Vec<ReadItem>, DiskError> {
        let first = at.start.saturating_sub(RECALL_LINES_MAX);
        let (mut items, mut recalled) = (Vec::new(), Vec::new());
        for (position, line) in (first..).zip(branch.lines(first..at.end)?) {
            let line = line?;
            let LineContent::Entry(entry) = line.content else {
                continue;
            };
            if let Payload::Custom(_) = &entry.payload {
                let places = recalled_places(&entry);
                if !places.is_empty() {
                    recalled = places;
                }
                continue;
            }
            let Some((role, origin, text)) = shown(&entry, self.forgotten) else {
                continue;
            };
            let recalled = match role {
                "assistant" => std::mem::take(&mut recalled),
                _ => Vec::new(),
            };
            if position >= at.start {
                items.push(ReadItem {
                    position: position + 1,
                    line: line.number,
                    entry: entry.id,
                    parent: entry.parent,
                    at: entry.at,
                    role,
                    origin,
                    text: redact(&text).into_owned(),
                    recalled,
                });
            }
        }
        Ok(items)
    }
}

/// What an entry shows: role, origin and text; `None` if it says nothing.
fn shown(entry: &Entry, forgotten: &ForgottenWords) -> Option<(&'static str, Origin, String)> {
    if let Payload::Compaction(compaction) = &entry.payload {
        let text = forgotten.without(&compaction.summary).into_owned();
        return Some(("summary", Origin::System, text));
    }
    if let Payload::Reset(reset) = &entry.payload {
        let begins = reset.reason == ResetReason::Asked;
        return begins.then(|| ("new", Origin::Owner, String::new()));
    }
    let entry = visible_part(entry, forgotten.tombstones())?;
    let (message, origin) = message_of(&entry)?;
    let text = message.text();
    let text = without_fenced(&text);
    let text = text.trim();
    (!text.is_empty()).then(|| (message.role(), origin, text.to_owned()))
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;
