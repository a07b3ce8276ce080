//! Get: the lines of a note, or the messages of a conversation, at a place that search returned.
//!
//! Shows only what search could show.

use std::ops::ControlFlow;

use base::{Day, LineRange, Locator, Origin, TokenCount, estimate_text, redact};
use memory::{FileLines, WorkspacePath};
use schemars::JsonSchema;
use search::SourceMessage;
use serde::{Deserialize, Serialize};
use session::{LineContent, LineStart, SessionName, TranscriptLine};

use super::error::OpError;
use super::operation::{OpContext, Operation};
use super::past::{PastReply, PastScope, answered};
use crate::knowledge::session_source::SessionSource;
use crate::tools::memory_get::lines_for;

const BUDGET_DEFAULT: u64 = 20_000;
const BUDGET_MAX: u64 = 100_000;

/// A place to read.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Get {
    /// A note, such as `MEMORY.md`, or a conversation, such as `sessions/main.jsonl`; also a place as a search result
    /// names it, such as `memory/2026-04-20.md:12-14`.
    #[schemars(length(min = 1))]
    pub path: String,
    /// The first line, from 1.
    #[schemars(range(min = 1))]
    pub start_line: Option<usize>,
    /// The last line.
    #[schemars(range(min = 1))]
    pub end_line: Option<usize>,
    /// The id of an entry of the conversation, in place of its line.
    pub entry: Option<String>,
    /// Of a conversation: stop before this many tokens, after at least one message; 20,000 by default.
    #[schemars(range(max = BUDGET_MAX))]
    pub budget: Option<u64>,
    /// Of a conversation: all messages, however many.
    #[serde(skip)]
    pub is_whole: bool,
    /// What stood there at this time, such as `2026-04-20`, `2026-04-20 14:30` or `yesterday`; a day counts to its end.
    pub as_of: Option<String>,
}

/// What stands there.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum GetReply {
    /// Lines of a note.
    Note(NoteLines),
    /// Messages of a conversation.
    Messages(SessionMessages),
}

/// Lines of a note.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteLines {
    /// The note.
    pub path: String,
    /// The first line.
    pub start_line: usize,
    /// The last line.
    pub end_line: usize,
    /// Number of lines of the file.
    pub lines: usize,
    /// The text without the program's comments; secrets are replaced.
    pub text: String,
    /// The moment of the answer, if the past was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<PastReply>,
}

/// Messages of a conversation.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionMessages {
    /// The conversation.
    pub path: String,
    /// The messages, oldest first.
    pub messages: Vec<SessionMessage>,
    /// The line of the last message of the conversation; null if more messages follow these.
    pub lines: Option<usize>,
    /// Whether more messages follow these.
    pub more: bool,
    /// The moment of the answer, if the past was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<PastReply>,
}

/// A message.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SessionMessage {
    /// Its line.
    pub line: usize,
    /// Its day.
    pub day: Option<Day>,
    /// Who speaks.
    pub speaker: String,
    /// The origin of the text: `owner`, `agent`, `untrusted` or `system`.
    pub origin: Origin,
    /// The text; secrets are replaced.
    pub text: String,
}

impl Get {
    /// The path and lines; of a path that names lines itself, those, unless others are given.
    fn place(self) -> Self {
        let place = self.path.parse::<Locator>().ok();
        match place.filter(|_| self.start_line.is_none()) {
            Some(place) => Self {
                path: place.path,
                start_line: Some(place.start_line),
                end_line: self.end_line.or(Some(place.end_line)),
                ..self
            },
            None => self,
        }
    }
}

impl GetReply {
    /// The moment of the answer, if the past was asked for.
    pub fn as_of(&self) -> Option<&PastReply> {
        match self {
            Self::Note(note) => note.as_of.as_ref(),
            Self::Messages(found) => found.as_of.as_ref(),
        }
    }
}

impl Operation for Get {
    type Reply = GetReply;

    fn run(self, at: &OpContext<'_>) -> Result<GetReply, OpError> {
        let place = self.place();
        let name = SessionSource::name_of(&place.path);
        let scope = match &name {
            Some(name) => PastScope::Session(name),
            None => PastScope::Note(&place.path),
        };
        let (reply, as_of) = answered(place.as_of.as_deref(), scope, at, |at| {
            at.check_visible(&place.path)?;
            match &name {
                Some(name) => messages(&place, name, at).map(GetReply::Messages),
                None => note(&place, at).map(GetReply::Note),
            }
        })?;
        Ok(match reply {
            GetReply::Messages(found) => GetReply::Messages(SessionMessages { as_of, ..found }),
            GetReply::Note(found) => GetReply::Note(NoteLines { as_of, ..found }),
        })
    }
}

fn note(place: &Get, at: &OpContext<'_>) -> Result<NoteLines, OpError> {
    let path: WorkspacePath = place.path.parse()?;
    let lines = LineRange::asked(place.start_line, place.end_line);
    let found = lines_for(at.viewer, &at.home.workspace, &path, Some(lines))?;
    Ok(NoteLines::new(&path, found))
}

impl NoteLines {
    pub(crate) fn new(path: &WorkspacePath, found: FileLines) -> Self {
        Self {
            path: path.to_string(),
            start_line: found.lines.start,
            end_line: found.lines.end,
            lines: found.n_lines,
            text: found.text,
            as_of: None,
        }
    }
}

fn messages(
    place: &Get,
    name: &SessionName,
    at: &OpContext<'_>,
) -> Result<SessionMessages, OpError> {
    let lines = match &place.entry {
        Some(entry) => line_of(entry, name, at)?,
        None => LineRange::asked(place.start_line, place.end_line),
    };
    let path = &place.path;
    let hidden = at.viewer.hidden_messages(&at.home.sessions, path);
    let budget = place.budget.unwrap_or(BUDGET_DEFAULT).min(BUDGET_MAX);
    let mut left = (!place.is_whole).then_some(TokenCount(budget));
    let mut messages: Vec<SessionMessage> = Vec::new();
    let (mut last_line, mut more) = (0, false);
    let mut take = |_: &TranscriptLine, message: SourceMessage| {
        let line = message.place.line;
        if line > lines.end && !messages.is_empty() {
            more = true;
            return ControlFlow::Break(());
        }
        last_line = line;
        if hidden.iter().any(|lines| lines.contains(line)) || !lines.contains(line) {
            return ControlFlow::Continue(());
        }
        let text = redact(&message.text).into_owned();
        if let Some(left) = &mut left {
            let needed = estimate_text(&text);
            if needed > *left && !messages.is_empty() {
                more = true;
                return ControlFlow::Break(());
            }
            *left = left.saturating_sub(needed);
        }
        messages.push(SessionMessage {
            line,
            day: message.day,
            speaker: message.speaker,
            origin: message.origin,
            text,
        });
        ControlFlow::Continue(())
    };
    let sessions = at.knowledge()?.sessions();
    sessions.each_line_until(path, LineStart::FIRST, &mut take)?;
    if messages.is_empty() {
        return Err(OpError::NoMessage {
            place: shown_place(place),
            last_line,
        });
    }
    Ok(SessionMessages {
        path: path.clone(),
        messages,
        lines: (!more).then_some(last_line),
        more,
        as_of: None,
    })
}

fn line_of(entry: &str, name: &SessionName, at: &OpContext<'_>) -> Result<LineRange, OpError> {
    for line in at.home.sessions.lines(name)? {
        let line = line?;
        if matches!(&line.content, LineContent::Entry(found) if found.id.as_str() == entry) {
            return Ok(LineRange::line(
                usize::try_from(line.number).unwrap_or(usize::MAX),
            ));
        }
    }
    Err(OpError::NoEntry {
        session: name.to_string(),
        entry: entry.to_owned(),
    })
}

/// The place as it was asked for.
fn shown_place(place: &Get) -> String {
    match (&place.entry, place.start_line, place.end_line) {
        (Some(entry), _, _) => format!("{}#{entry}", place.path),
        (None, None, None) => place.path.clone(),
        (None, start, end) => {
            let LineRange { start, end } = LineRange::asked(start, end);
            let end = if end == usize::MAX { start } else { end };
            Locator::new(place.path.clone(), LineRange { start, end }).to_string()
        }
    }
}
