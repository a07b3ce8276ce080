//! Feeds session messages to the index, and reports which entries are forgotten.
//!
//! Skips messages that a rewind left behind, recalled text, and a fork's copies while the parent session still
//! exists.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use base::layout::{session_of_path, transcript_path};
use base::{
    Block, EntryId, Message, Origin, SessionId, SourceError, Timestamp, Tz, day, without_scope,
};
use memory::{Tombstones, Workspace, load_tombstones};
use search::{DocumentStat, IndexedStamp, PassageSource, ResumePlace, SourceMessage};
use serde::{Deserialize, Serialize};
use session::{
    CopiedFrom, Entry, LineContent, LineStart, Lineage, LiveLines, Payload, ReadError, SessionName,
    SessionStore, TranscriptLine,
};

use crate::fence::without_fenced;
use crate::tools::spec::only_confirms;
use crate::writers::evidence::message_of;

/// Number of entries to look back for the first one after a time.
const LOOK_BACK_MAX: usize = 1000;

/// Version of this reader, stored in every history: bumping it reindexes all transcripts.
const READING: u32 = 4;

/// Stamp of a transcript that cannot be read.
const UNREADABLE: &str = "unreadable";

const FORKS_MAX: usize = 8;

/// Changes whenever anything before the end of a transcript changes; stored in the index as JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    reading: u32,
    session: SessionId,
    parent: Option<SessionId>,
    rewind_count: u64,
    /// Whether the parent session still exists.
    has_parent: bool,
    zone: String,
    forgotten: String,
}

/// Separates a transcript's length and time from its history.
const STAMP_END: char = ' ';

/// The transcripts of a home as search documents.
#[derive(Debug)]
pub struct SessionSource {
    sessions: SessionStore,
    timezone: Tz,
    /// Holds the tombstones; `None` hides nothing.
    workspace: Option<Arc<Workspace>>,
    /// Lineage of each transcript read so far, with its stamp at that time.
    lineages: Mutex<HashMap<SessionName, (String, Lineage)>>,
}

impl SessionSource {
    /// Serves the transcripts of `sessions`; dates messages in `timezone`.
    pub fn new(sessions: SessionStore, timezone: Tz) -> Self {
        Self {
            sessions,
            timezone,
            workspace: None,
            lineages: Mutex::default(),
        }
    }

    /// Hides entries that the tombstones of `workspace` cover.
    #[must_use]
    pub fn hiding(self, workspace: Arc<Workspace>) -> Self {
        Self {
            workspace: Some(workspace),
            ..self
        }
    }

    fn tombstones(&self) -> Result<Tombstones, SourceError> {
        let Some(workspace) = &self.workspace else {
            return Ok(Tombstones::default());
        };
        load_tombstones(workspace).map_err(|error| SourceError::new("sessions", error))
    }

    /// The time zone in which messages are dated.
    pub fn timezone(&self) -> Tz {
        self.timezone
    }

    /// The transcripts themselves.
    pub(crate) fn store(&self) -> &SessionStore {
        &self.sessions
    }

    /// The path of a session's document.
    pub fn path_of(name: &SessionName) -> String {
        transcript_path(name.as_str())
    }

    pub(crate) fn paths(&self) -> Result<Vec<String>, SourceError> {
        Ok(self.names()?.iter().map(Self::path_of).collect())
    }

    pub(crate) fn names(&self) -> Result<Vec<SessionName>, SourceError> {
        let names = self.sessions.names();
        names.map_err(|error| SourceError::new("sessions", error))
    }

    /// The session whose document has this path.
    pub fn name_of(path: &str) -> Option<SessionName> {
        let name = session_of_path(path)?;
        name.parse().ok()
    }

    /// The documents that hold a session's messages: its own transcript and, for a fork, those of its ancestors,
    /// which hold the messages that it copied.
    pub(crate) fn documents_of(&self, name: &SessionName) -> Result<Vec<String>, SourceError> {
        // The sync reports unreadable transcripts; here one just ends the chain.
        let lineage = |name: &SessionName| self.look(name).ok().flatten().map(|(_, _, it)| it);
        let mut documents = vec![Self::path_of(name)];
        let mut parent = lineage(name).and_then(|it| it.parent);
        while let Some(id) = parent.take()
            && documents.len() < FORKS_MAX
        {
            let names = self.names()?;
            let mut found = names
                .iter()
                .filter_map(|name| Some((Self::path_of(name), lineage(name)?)));
            if let Some((path, lineage)) = found.find(|(_, lineage)| lineage.session == id) {
                documents.push(path);
                parent = lineage.parent;
            }
        }
        Ok(documents)
    }

    /// A transcript's length, stamp and lineage; `None` if it does not exist.
    fn look(&self, name: &SessionName) -> Result<Option<(u64, String, Lineage)>, ReadError> {
        self.look_beside(name, None)
    }

    /// Like [`Self::look`], but does not open a transcript that is unchanged since it was indexed under this stamp.
    fn look_beside(
        &self,
        name: &SessionName,
        indexed: Option<&str>,
    ) -> Result<Option<(u64, String, Lineage)>, ReadError> {
        let Some(stat) = self.sessions.stat(name)? else {
            return Ok(None);
        };
        let at = stat.modified_at.map_or(0, |at| at.timestamp_micros());
        let stamp = format!("{}:{at}", stat.len);
        let mut lineages = base::locked(&self.lineages);
        if let Some((known, lineage)) = lineages.get(name)
            && *known == stamp
        {
            return Ok(Some((stat.len, stamp, lineage.clone())));
        }
        let lineage = match indexed.and_then(|indexed| lineage_of(indexed, &stamp)) {
            Some(lineage) => lineage,
            None => match self.sessions.lineage(name) {
                Ok(lineage) => lineage,
                Err(ReadError::NotFound(..) | ReadError::NotBegun(..)) => return Ok(None),
                Err(error) => return Err(error),
            },
        };
        lineages.insert(name.clone(), (stamp.clone(), lineage.clone()));
        Ok(Some((stat.len, stamp, lineage)))
    }

    /// Lists a transcript that cannot be read. Its stamp matches no other, so each sync retries it and reports why it
    /// fails.
    fn unreadable(name: &SessionName) -> DocumentStat {
        DocumentStat {
            path: Self::path_of(name),
            stamp: UNREADABLE.to_owned(),
            history: UNREADABLE.to_owned(),
            n_bytes: 0,
        }
    }

    /// Ids of the existing sessions.
    fn present(&self) -> Result<BTreeSet<SessionId>, ReadError> {
        let names = self.sessions.names()?;
        // An unreadable transcript contributes no search results, so its copies stay visible.
        let ids = names
            .iter()
            .filter_map(|name| self.look(name).ok().flatten());
        // A copy in a session that was moved into a repository names its original without a scope.
        let ids = ids.flat_map(|(_, _, lineage)| {
            let plain = SessionId::new(without_scope(lineage.session.as_str()));
            [lineage.session, plain]
        });
        Ok(ids.collect())
    }

    pub(crate) fn each_entry(
        &self,
        path: &str,
        sink: &mut dyn FnMut(&EntryId, SourceMessage),
    ) -> Result<(), SourceError> {
        self.each_line(path, LineStart::FIRST, &mut |line, message| {
            if let LineContent::Entry(entry) = &line.content {
                sink(&entry.id, message);
            }
        })
    }

    /// Passes each visible message of a transcript to `sink`, with its line.
    pub(crate) fn each_line(
        &self,
        path: &str,
        start: LineStart,
        sink: &mut dyn FnMut(&TranscriptLine, SourceMessage),
    ) -> Result<(), SourceError> {
        self.each_line_until(path, start, &mut |line, message| {
            sink(line, message);
            ControlFlow::Continue(())
        })
    }

    /// Like [`Self::each_line`], until `sink` has enough.
    pub(crate) fn each_line_until(
        &self,
        path: &str,
        start: LineStart,
        sink: &mut dyn FnMut(&TranscriptLine, SourceMessage) -> ControlFlow<()>,
    ) -> Result<(), SourceError> {
        let missing = || SourceError::new(path, "there is no session at this path");
        let name = Self::name_of(path).ok_or_else(missing)?;
        let lines = self.sessions.live_lines(&name, start);
        let lines = lines.map_err(|error| SourceError::new(path, error))?;
        self.each_of_until(path, lines, sink)
    }

    /// Passes each visible message of these lines of a transcript to `sink`.
    pub(crate) fn each_of(
        &self,
        path: &str,
        lines: LiveLines,
        sink: &mut dyn FnMut(&TranscriptLine, SourceMessage),
    ) -> Result<(), SourceError> {
        self.each_of_until(path, lines, &mut |line, message| {
            sink(line, message);
            ControlFlow::Continue(())
        })
    }

    /// Passes each visible message of these lines of a transcript to `sink`, until it has enough.
    fn each_of_until(
        &self,
        path: &str,
        lines: LiveLines,
        sink: &mut dyn FnMut(&TranscriptLine, SourceMessage) -> ControlFlow<()>,
    ) -> Result<(), SourceError> {
        let present = self.present();
        let hides = Hides {
            present: present.map_err(|error| SourceError::new(path, error))?,
            tombstones: self.tombstones()?,
        };
        for line in lines {
            let line = line.map_err(|error| SourceError::new(path, error))?;
            if let Some(message) = self.message(&line, &hides)
                && sink(&line, message).is_break()
            {
                break;
            }
        }
        Ok(())
    }

    /// Whether a line of a transcript was said after a time; false if that is too long ago to look back.
    pub(crate) fn is_after(&self, path: &str, line: usize, at: Timestamp) -> bool {
        let Some(name) = Self::name_of(path) else {
            return false;
        };
        let mut ends = |entry: &Entry| entry.at <= at;
        let from = self.sessions.look_back(&name, LOOK_BACK_MAX, &mut ends);
        let lines = from.and_then(|from| self.sessions.turns_from(&name, from));
        let is_since = |found: &TranscriptLine| matches!(&found.content, LineContent::Entry(entry) if entry.at > at);
        let first = lines.ok().and_then(|lines| lines.flatten().find(is_since));
        first.is_some_and(|first| usize::try_from(first.number).is_ok_and(|first| first <= line))
    }

    fn message(&self, line: &TranscriptLine, hides: &Hides) -> Option<SourceMessage> {
        let LineContent::Entry(entry) = &line.content else {
            return None;
        };
        let entry = &*visible_part(entry, &hides.tombstones)?;
        let present = &hides.present;
        let (speaker, text, origin) = said(entry, present)?;
        let text = without_fenced(&text);
        let text = text.trim();
        (!text.is_empty()).then(|| SourceMessage {
            place: ResumePlace {
                line: usize::try_from(line.number).unwrap_or(usize::MAX),
                offset: line.offset,
            },
            speaker,
            text: text.to_owned(),
            day: Some(day(entry.at, self.timezone)),
            origin,
        })
    }
}

impl PassageSource for SessionSource {
    fn documents(&self, indexed: IndexedStamp<'_>) -> Result<Vec<DocumentStat>, SourceError> {
        let names = self.names()?;
        let mut found = Vec::new();
        let mut unreadable = Vec::new();
        for name in &names {
            match self.look_beside(name, indexed(&Self::path_of(name))) {
                Ok(Some(seen)) => found.push((name, seen)),
                Ok(None) => {}
                Err(_) => unreadable.push(Self::unreadable(name)),
            }
        }
        let present: BTreeSet<&SessionId> = found
            .iter()
            .map(|(_, (_, _, lineage))| &lineage.session)
            .collect();
        let tombstones = self.tombstones()?;
        let zone = self.timezone.to_string();
        let stats = found.iter().map(|(name, (n_bytes, stamp, lineage))| {
            let path = Self::path_of(name);
            let parent = lineage.parent.as_ref();
            let history = History {
                reading: READING,
                session: lineage.session.clone(),
                parent: parent.cloned(),
                rewind_count: lineage.rewind_count,
                has_parent: parent.is_some_and(|parent| present.contains(parent)),
                zone: zone.clone(),
                forgotten: match parent {
                    // A fork's copies may be forgotten in the parent's transcript.
                    Some(_) => tombstones.history(),
                    None => tombstones.history_of(&path),
                },
            };
            let history =
                serde_json::to_string(&history).map_err(|error| SourceError::new(&path, error))?;
            Ok(DocumentStat {
                stamp: format!("{stamp}{STAMP_END}{history}"),
                path,
                history,
                n_bytes: *n_bytes,
            })
        });
        stats.chain(unreadable.into_iter().map(Ok)).collect()
    }

    fn read(
        &self,
        path: &str,
        from: Option<ResumePlace>,
        sink: &mut dyn FnMut(SourceMessage),
    ) -> Result<(), SourceError> {
        let start = from.map_or(LineStart::FIRST, |place| LineStart {
            number: place.line as u64,
            offset: place.offset,
        });
        self.each_line(path, start, &mut |_, message| sink(message))
    }

    fn try_to_open(&self, path: &str) -> Result<(), SourceError> {
        let looked = Self::name_of(path).map(|name| self.look(&name));
        let looked = looked
            .transpose()
            .map_err(|error| SourceError::new(path, error));
        looked.map(drop)
    }
}

/// The indexed lineage, if the transcript still has the length and time of the indexed stamp.
fn lineage_of(indexed: &str, stamp: &str) -> Option<Lineage> {
    let history = indexed.strip_prefix(stamp)?.strip_prefix(STAMP_END)?;
    let known: History = serde_json::from_str(history).ok()?;
    (known.reading == READING).then_some(Lineage {
        session: known.session,
        parent: known.parent,
        rewind_count: known.rewind_count,
    })
}

/// The texts that the source hides.
struct Hides {
    /// Existing sessions; copies of their entries are skipped.
    present: BTreeSet<SessionId>,
    tombstones: Tombstones,
}

/// Speaker, text and origin of an entry; `None` if it is not searchable.
fn said(entry: &Entry, present: &BTreeSet<SessionId>) -> Option<(String, String, Origin)> {
    let is_a_copy = |from: &CopiedFrom| present.contains(&from.session);
    if let Payload::Message(stored) = &entry.payload
        && stored.copied_from.as_ref().is_some_and(is_a_copy)
    {
        return None;
    }
    let (message, origin) = message_of(entry)?;
    if matches!(&*message, Message::ToolResult(result) if only_confirms(&result.tool_name)) {
        return None;
    }
    if let Payload::CustomMessage(custom) = &entry.payload {
        return Some((custom.custom_type.clone(), message.text(), origin));
    }
    // The program's own messages only quote or use fixed phrases.
    (origin != Origin::System).then(|| (speaker(&message), message.text(), origin))
}

fn speaker(message: &Message) -> String {
    match message {
        Message::User {
            name: Some(name), ..
        } => name.clone(),
        Message::ToolResult(result) => result.tool_name.clone(),
        Message::User { name: None, .. } | Message::Assistant(_) => message.role().to_owned(),
    }
}

/// An entry without the parts that the owner asked to forget; `None` if all of it is forgotten.
pub(crate) fn visible_part<'e>(
    entry: &'e Entry,
    tombstones: &Tombstones,
) -> Option<Cow<'e, Entry>> {
    let copied = entry.payload.copied_from();
    if tombstones.hides_entry(&entry.id) || copied.is_some_and(|from| is_copy(from, tombstones)) {
        return None;
    }
    let originals = copied.into_iter().flat_map(CopiedFrom::entries);
    let ids: Vec<&EntryId> = originals.chain([&entry.id]).collect();
    let content = if let Payload::Message(stored) = &entry.payload {
        stored.message.content()
    } else if let Payload::CustomMessage(custom) = &entry.payload {
        &custom.content
    } else {
        return Some(Cow::Borrowed(entry));
    };
    let mut is_whole = true;
    let left: Vec<Block> = content
        .iter()
        .map(|block| {
            if let Block::Text(text) = block
                && let Cow::Owned(left) = tombstones.left_of(&ids, text)
            {
                is_whole = false;
                return Block::Text(left);
            }
            block.clone()
        })
        .collect();
    if is_whole {
        return Some(Cow::Borrowed(entry));
    }
    let mut entry = entry.clone();
    if let Payload::Message(stored) = &mut entry.payload {
        *stored.message.content_mut() = left;
    } else if let Payload::CustomMessage(custom) = &mut entry.payload {
        custom.content = left;
    }
    Some(Cow::Owned(entry))
}

/// Whether the copied entries include a forgotten one.
pub(crate) fn is_copy(from: &CopiedFrom, tombstones: &Tombstones) -> bool {
    from.entries().any(|entry| tombstones.hides_entry(entry))
}

#[cfg(test)]
#[path = "session_source_tests.rs"]
mod tests;
