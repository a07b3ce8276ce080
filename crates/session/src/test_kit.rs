//! Helpers that the tests of this crate share: a store on any disk, and short ways to build messages.
//!
//! Never part of the program.

use std::path::PathBuf;
use std::sync::Arc;

use base::disk::{Disk, MemoryDisk};
use base::{EntryId, FixedClock, HomeLayout, Message, Origin, Timestamp, TokenCount};

use crate::reader::TranscriptFile;
use crate::{
    Compaction, CompactionDetails, Entry, Epoch, LineContent, ResumeLimit, SessionName,
    SessionStore, StoredMessage, View, ViewContent,
};

pub(crate) const PATH: &str = "/home/sessions/main.jsonl";

pub(crate) const NO_LIMIT: ResumeLimit = ResumeLimit {
    tokens: TokenCount(u64::MAX),
};

pub(crate) fn store(disk: impl Disk + 'static) -> SessionStore {
    store_on(Arc::new(disk))
}

pub(crate) fn store_on(disk: Arc<dyn Disk>) -> SessionStore {
    let clock = Arc::new(FixedClock::new(at(0)));
    SessionStore::new(disk, clock, HomeLayout::new("/home"))
}

/// A disk with an empty home.
pub(crate) fn home() -> MemoryDisk {
    let disk = MemoryDisk::new();
    for directory in [
        "/home/sessions",
        "/home/state/locks",
        "/home/state/quarantine",
    ] {
        disk.create_dir(&PathBuf::from(directory)).unwrap();
    }
    disk
}

/// A disk with a home that contains this transcript.
pub(crate) fn home_with(transcript: impl AsRef<[u8]>) -> MemoryDisk {
    let disk = home();
    let bytes = transcript.as_ref();
    disk.append(&PathBuf::from(PATH), bytes).unwrap();
    disk
}

pub(crate) fn open(transcript: impl AsRef<[u8]>) -> TranscriptFile {
    TranscriptFile::open(&home_with(transcript), &PathBuf::from(PATH)).unwrap()
}

/// An open transcript that consists of a header and these lines.
pub(crate) fn open_lines(lines: &[String]) -> TranscriptFile {
    open(header_line() + &lines.concat())
}

pub(crate) fn transcript(disk: &MemoryDisk) -> Vec<u8> {
    let mut files = disk.snapshot();
    files.remove(&PathBuf::from(PATH)).unwrap_or_default()
}

/// The entries of a session, in file order.
pub(crate) fn entries(store: &SessionStore, name: &SessionName) -> Vec<Entry> {
    let lines = store.lines(name).unwrap();
    let entries = lines.filter_map(|line| match line.unwrap().content {
        LineContent::Entry(entry) => Some(entry),
        LineContent::Header(_) | LineContent::ShortMeta(_) | LineContent::Damaged { .. } => None,
    });
    entries.collect()
}

pub(crate) fn main() -> SessionName {
    "main".parse().unwrap()
}

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_timestamp(1_776_000_000 + seconds, 0).unwrap()
}

pub(crate) fn id(text: &str) -> EntryId {
    EntryId::new(text)
}

pub(crate) fn said(text: &str) -> StoredMessage {
    StoredMessage::new(Message::user(text), Origin::Owner)
}

pub(crate) fn compaction(epoch: u64, first_kept: EntryId) -> Compaction {
    Compaction {
        epoch: Some(Epoch(epoch)),
        summary: format!("summary {epoch}"),
        first_kept,
        tokens_before: TokenCount(9),
        details: CompactionDetails::default(),
    }
}

/// The texts in a view, one per item.
pub(crate) fn texts(view: &View) -> Vec<String> {
    let text = |content: &ViewContent| match content {
        ViewContent::Message(message) => message.text(),
        ViewContent::Summary(summary) => format!("[{summary}]"),
    };
    view.items.iter().map(|item| text(&item.content)).collect()
}

/// A line of any type; `more` is appended to its fields. The first entry of a file has the parent `null`.
pub(crate) fn line(entry_type: &str, id: &str, parent: &str, more: &str) -> String {
    let parent = match parent {
        "null" => parent.to_owned(),
        id => format!("\"{id}\""),
    };
    format!(
        "{{\"type\":\"{entry_type}\",\"id\":\"{id}\",\"parentId\":{parent},\
         \"timestamp\":\"2026-04-12T10:00:00.000Z\"{more}}}\n"
    )
}

/// User messages, each the child of the previous one.
pub(crate) fn chain(ids: &[&str]) -> Vec<String> {
    let parents = ["null"].iter().chain(ids);
    let lines = ids.iter().zip(parents);
    lines.map(|(id, parent)| user_line(id, parent)).collect()
}

pub(crate) fn compaction_line(id: &str, parent: &str, first_kept: &str, more: &str) -> String {
    let more = format!(
        ",\"summary\":\"sum {id}\",\"firstKeptEntryId\":\"{first_kept}\",\"tokensBefore\":9{more}"
    );
    line("compaction", id, parent, &more)
}

/// A user message whose text is its own id.
pub(crate) fn user_line(id: &str, parent: &str) -> String {
    let message = format!(",\"message\":{{\"role\":\"user\",\"content\":\"{id}\"}}");
    line("message", id, parent, &message)
}

/// A rewind to the entry `target`, whose line begins at `offset`. The target is the rewind's parent.
pub(crate) fn rewind_line(id: &str, target: &str, offset: usize) -> String {
    let more = format!(
        ",\"targetId\":\"{target}\",\"targetOffset\":{offset},\"state\":{{\"compactionCount\":0}}"
    );
    line("rewind", id, target, &more)
}

pub(crate) fn header_line() -> String {
    "{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\
     \"timestamp\":\"2026-04-12T10:00:00.000Z\",\"cwd\":\"/\"}\n"
        .to_owned()
}
