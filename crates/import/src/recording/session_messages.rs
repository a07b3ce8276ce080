//! Reads a session file as a recording: the messages on the path to its newest entry.
//!
//! Skips entries that only the session itself needs, such as summaries and state, and abandoned branches.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::{DiskError, ReadAt};
use base::{Disk, EntryId, Message, Origin, content_hash};
use session::{
    EntryPlace, FORMAT_VERSION, ForwardReader, LineContent, Payload, StoredMessage, TranscriptLine,
};

use super::recorded::{Recorded, RecordingError};

/// The lines of a session's messages, in order.
#[derive(Debug)]
pub(super) struct SessionPath {
    lines: Arc<[LineNumber]>,
    n_elsewhere: u64,
}

/// The number of a line, from 1.
type LineNumber = u64;

/// An entry and its parent.
struct BranchNode {
    parent: Option<usize>,
    /// Its line, if it is a message.
    message: Option<LineNumber>,
}

#[derive(Default)]
struct BranchTree {
    nodes: Vec<BranchNode>,
    newest_by_id: HashMap<EntryId, usize>,
}

impl SessionPath {
    /// Finds the messages; also returns warnings about the file, one sentence each.
    pub(super) fn read(
        disk: &dyn Disk,
        path: &Path,
    ) -> Result<(Self, Vec<String>), RecordingError> {
        let lines = ForwardReader::open(disk, path)?;
        let torn = lines.torn_tail().map(|tail| {
            let bytes = base::counted(tail.n_bytes, "byte is", "bytes are");
            format!("the last {bytes} an incomplete line, which is skipped")
        });
        let mut warnings: Vec<String> = torn.into_iter().collect();
        let mut tree = BranchTree::default();
        let mut n_damaged = 0_u64;
        let mut first_damaged = None;
        for line in lines {
            let line = line?;
            let number = line.number;
            match line.content {
                LineContent::Header(header) if header.version > FORMAT_VERSION => {
                    return Err(RecordingError::TooNew {
                        path: path.to_owned(),
                        found: header.version,
                        supported: FORMAT_VERSION,
                    });
                }
                LineContent::Entry(entry) => {
                    let is_message = matches!(entry.payload, Payload::Message(_));
                    let place = EntryPlace {
                        id: entry.id,
                        parent: entry.parent,
                    };
                    tree.add(place, is_message.then_some(number));
                }
                LineContent::Damaged { damage, place } => {
                    if !damage.is_absence() {
                        n_damaged += 1;
                        first_damaged.get_or_insert((number, damage));
                    }
                    if let Some(place) = place {
                        tree.add(place, None);
                    }
                }
                LineContent::Header(_) | LineContent::ShortMeta(_) => {}
            }
        }
        warnings.extend(first_damaged.map(|(number, damage)| match n_damaged {
            1 => format!("line {number} is skipped: {damage}"),
            n_damaged => format!("{n_damaged} lines are skipped, first line {number}: {damage}"),
        }));
        let lines: Arc<[LineNumber]> = tree.messages().into();
        let n_messages = tree.nodes.iter().filter(|node| node.message.is_some());
        let n_elsewhere = n_messages.count().saturating_sub(lines.len()) as u64;
        Ok((Self { lines, n_elsewhere }, warnings))
    }

    /// The number of readable messages on other branches.
    pub(super) fn n_elsewhere(&self) -> u64 {
        self.n_elsewhere
    }

    /// Reads the messages one by one.
    pub(super) fn messages(
        &self,
        disk: &dyn Disk,
        path: &Path,
    ) -> Result<SessionMessages, DiskError> {
        Ok(SessionMessages {
            path: path.to_owned(),
            reader: ForwardReader::open(disk, path)?,
            file: disk.open(path)?,
            lines: Arc::clone(&self.lines),
            n_read: 0,
        })
    }
}

impl BranchTree {
    /// Adds an entry by the rules of `session`: a parent precedes its child, and the previous entry replaces a
    /// missing parent.
    fn add(&mut self, place: EntryPlace, message: Option<LineNumber>) {
        let before = self.nodes.len().checked_sub(1);
        let parent = place
            .parent
            .and_then(|parent| self.newest_by_id.get(&parent).copied().or(before));
        self.newest_by_id.insert(place.id, self.nodes.len());
        self.nodes.push(BranchNode { parent, message });
    }

    /// The lines of the messages on the path to the newest entry, oldest first.
    fn messages(&self) -> Vec<LineNumber> {
        let newest = self.nodes.last();
        let before = |node: &&BranchNode| node.parent.and_then(|parent| self.nodes.get(parent));
        let way = std::iter::successors(newest, before);
        let mut lines: Vec<LineNumber> = way.filter_map(|node| node.message).collect();
        lines.reverse();
        lines
    }
}

/// The messages of a session, in order.
#[derive(Debug)]
pub(super) struct SessionMessages {
    path: PathBuf,
    reader: ForwardReader,
    /// The same file, opened again to read the bytes of a line.
    file: Box<dyn ReadAt>,
    lines: Arc<[LineNumber]>,
    n_read: usize,
}

impl Iterator for SessionMessages {
    type Item = Result<Recorded, RecordingError>;

    fn next(&mut self) -> Option<Self::Item> {
        let wanted = *self.lines.get(self.n_read)?;
        let index = self.n_read as u64;
        self.n_read += 1;
        let is_wanted = |line: &Result<TranscriptLine, _>| match line {
            Ok(line) => line.number == wanted,
            Err(_) => true,
        };
        let line = self.reader.find(is_wanted);
        Some(match line {
            Some(Ok(line)) => self.recorded(line, index),
            Some(Err(error)) => Err(error.into()),
            None => Err(self.changed(wanted)),
        })
    }
}

impl SessionMessages {
    fn recorded(&self, line: TranscriptLine, index: u64) -> Result<Recorded, RecordingError> {
        let LineContent::Entry(entry) = line.content else {
            return Err(self.changed(line.number));
        };
        let Payload::Message(stored) = entry.payload else {
            return Err(self.changed(line.number));
        };
        let n_bytes = usize::try_from(line.n_bytes).map_err(|_| self.changed(line.number))?;
        let mut bytes = vec![0; n_bytes];
        if self.file.read_at(line.offset, &mut bytes)? < n_bytes {
            return Err(self.changed(line.number));
        }
        Ok(Recorded {
            index,
            hash: content_hash(&bytes),
            at: Some(entry.at),
            origin: origin(&stored),
            message: stored.message,
        })
    }

    fn changed(&self, line: LineNumber) -> RecordingError {
        RecordingError::NotAMessage {
            path: self.path.clone(),
            line,
            reason: "it changed while being read".to_owned(),
        }
    }
}

/// The origin of a message. User messages are the owner's, because the owner replays them, unless the line names
/// another origin.
fn origin(stored: &StoredMessage) -> Origin {
    match &stored.message {
        Message::User { .. } => stored.origin.unwrap_or(Origin::Owner),
        Message::Assistant(_) => Origin::Agent,
        Message::ToolResult(_) => Origin::Untrusted,
    }
}

#[cfg(test)]
#[path = "session_messages_tests.rs"]
mod tests;
