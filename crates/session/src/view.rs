//! The view: the part of a transcript that the context window shows.
//!
//! Depends on the entries alone and not on the configuration: a change of strategy affects only later compactions.

use base::disk::DiskError;
use base::{EntryId, Message, Origin, Timestamp, TokenCount, estimate_message, estimate_text};

use crate::format::LineContent;
use crate::path::{Path, PathLine};
use crate::reader::TranscriptFile;
use crate::recovery::Repair;
use crate::{Compaction, CopiedFrom, Entry, Payload};

/// The part of a transcript that the context window shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// Summaries and messages, in the order in which a model sees them.
    pub items: Vec<ViewItem>,
    /// Whether the limit cut the view. Entries before the first item are then missing, and no summary replaces them.
    pub is_cut: bool,
}

/// One item of a view.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewItem {
    pub entry: EntryId,
    /// Time of the entry.
    pub at: Timestamp,
    /// The author who answers for the text.
    pub origin: Origin,
    pub content: ViewContent,
    /// Estimated tokens of the content.
    pub tokens: TokenCount,
    /// The entry of another session that this one is a copy of.
    pub copied_from: Option<CopiedFrom>,
}

/// The content of a view item.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewContent {
    Message(Message),
    /// The summary of a compaction or of an abandoned branch.
    Summary(String),
}

impl ViewContent {
    /// Estimated tokens of the content.
    pub fn estimate(&self) -> TokenCount {
        match self {
            Self::Message(message) => estimate_message(message),
            Self::Summary(summary) => estimate_text(summary),
        }
    }
}

impl ViewItem {
    /// An item whose `tokens` are estimated from its content.
    pub fn new(entry: EntryId, at: Timestamp, origin: Origin, content: ViewContent) -> Self {
        Self {
            entry,
            at,
            origin,
            tokens: content.estimate(),
            content,
            copied_from: None,
        }
    }

    /// The same with other content.
    #[must_use]
    pub fn with_content(&self, content: ViewContent) -> Self {
        Self {
            tokens: content.estimate(),
            content,
            ..self.clone()
        }
    }

    /// Its message, unless it is a summary.
    pub fn message(&self) -> Option<&Message> {
        match &self.content {
            ViewContent::Message(message) => Some(message),
            ViewContent::Summary(_) => None,
        }
    }

    /// Its summary, unless it is a message.
    pub fn summary(&self) -> Option<&str> {
        match &self.content {
            ViewContent::Message(_) => None,
            ViewContent::Summary(summary) => Some(summary),
        }
    }
}

/// How far back a view reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResumeLimit {
    /// Token limit. The item that exceeds it is still included; older items are not.
    pub tokens: TokenCount,
}

#[derive(Debug)]
pub(crate) struct ReadView {
    pub(crate) view: View,
    pub(crate) leaf: Option<EntryId>,
    pub(crate) repairs: Vec<Repair>,
    /// The newest compaction, which determines the view, with its entry id.
    pub(crate) compaction: Option<(EntryId, Compaction)>,
}

pub(crate) fn read_view(file: &TranscriptFile, limit: ResumeLimit) -> Result<ReadView, DiskError> {
    read_along(Path::from_leaf(file), file, limit)
}

/// Reads the view as of the entry at `offset`.
pub(crate) fn read_view_at(
    file: &TranscriptFile,
    offset: u64,
    limit: ResumeLimit,
) -> Result<ReadView, DiskError> {
    read_along(Path::from_entry(file, offset), file, limit)
}

fn read_along(
    mut path: Path<'_>,
    file: &TranscriptFile,
    limit: ResumeLimit,
) -> Result<ReadView, DiskError> {
    let mut leaf = None;
    let mut newer = None;
    let mut collected = Collected::default();
    let mut step = ViewStep::GoOn;
    while step == ViewStep::GoOn
        && let Some(line) = path.next()?
    {
        step = collected.take(&line, newer.as_ref(), limit);
        leaf.get_or_insert(line.place.id);
        newer = line.entry;
    }
    let mut repairs = path.into_repairs();
    let newest = collected.newest_compaction.as_ref();
    let compaction = newest.map(|newest| (newest.summary.entry.clone(), newest.compaction.clone()));
    let view = collected.into_view(step, file, &mut repairs)?;
    Ok(ReadView {
        view,
        leaf,
        repairs,
        compaction,
    })
}

/// The view item for an entry; `None` for a compaction, which the caller handles.
pub(crate) fn item(entry: &Entry) -> Option<ViewItem> {
    let (content, origin) = match &entry.payload {
        Payload::Message(stored) => (
            ViewContent::Message(stored.message.clone()),
            stored.origin(),
        ),
        Payload::BranchSummary(branch) => {
            (ViewContent::Summary(branch.summary.clone()), Origin::System)
        }
        Payload::CustomMessage(custom) => {
            let message = Message::User {
                content: custom.content.clone(),
                name: None,
            };
            (ViewContent::Message(message), Origin::Untrusted)
        }
        Payload::Compaction(_)
        | Payload::Meta(_)
        | Payload::Reset(_)
        | Payload::Rewind(_)
        | Payload::Custom(_)
        | Payload::SessionInfo(_)
        | Payload::Other(..) => return None,
    };
    Some(view_item(entry, content, origin))
}

pub(crate) fn view_item(entry: &Entry, content: ViewContent, origin: Origin) -> ViewItem {
    ViewItem {
        copied_from: entry.payload.copied_from().cloned(),
        ..ViewItem::new(entry.id.clone(), entry.at, origin, content)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ViewStep {
    GoOn,
    Complete,
    /// The limit was reached before everything was shown.
    Cut,
    /// The session begins here, but the first kept entry was not found.
    KeptMissing,
}

/// The items that the walk from the leaf has collected, newest first.
#[derive(Debug, Default)]
struct Collected {
    items: Vec<ViewItem>,
    tokens: TokenCount,
    newest_compaction: Option<NewestCompaction>,
}

#[derive(Debug)]
struct NewestCompaction {
    summary: ViewItem,
    compaction: Compaction,
    /// The number of items newer than it.
    n_after: usize,
}

impl Collected {
    fn take(&mut self, line: &PathLine, newer: Option<&Entry>, limit: ResumeLimit) -> ViewStep {
        if let Some(entry) = &line.entry {
            if matches!(&entry.payload, Payload::Reset(reset) if reset.begins(newer)) {
                return self.at_beginning(line);
            }
            self.take_compaction(entry);
            if let Some(item) = item(entry) {
                if self.tokens > limit.tokens {
                    return ViewStep::Cut;
                }
                self.tokens += item.tokens;
                self.items.push(item);
            }
        }
        if self.is_first_kept(line) {
            ViewStep::Complete
        } else {
            ViewStep::GoOn
        }
    }

    /// Takes the newest compaction; older ones have no effect on the view.
    fn take_compaction(&mut self, entry: &Entry) {
        let (Payload::Compaction(compaction), None) = (&entry.payload, &self.newest_compaction)
        else {
            return;
        };
        let content = ViewContent::Summary(compaction.summary.clone());
        let summary = view_item(entry, content, Origin::System);
        self.tokens += summary.tokens;
        self.newest_compaction = Some(NewestCompaction {
            summary,
            compaction: compaction.clone(),
            n_after: self.items.len(),
        });
    }

    fn is_first_kept(&self, line: &PathLine) -> bool {
        let newest = self.newest_compaction.as_ref();
        newest.is_some_and(|newest| newest.compaction.first_kept == line.place.id)
    }

    /// The outcome at a reset: complete, unless the newest compaction still misses its first kept entry.
    fn at_beginning(&self, line: &PathLine) -> ViewStep {
        if self.newest_compaction.is_none() || self.is_first_kept(line) {
            ViewStep::Complete
        } else {
            ViewStep::KeptMissing
        }
    }

    fn into_view(
        self,
        step: ViewStep,
        file: &TranscriptFile,
        repairs: &mut Vec<Repair>,
    ) -> Result<View, DiskError> {
        let is_cut = step == ViewStep::Cut;
        let mut newer = self.items;
        let mut items = Vec::new();
        if let Some(newest) = self.newest_compaction {
            let mut kept = newer.split_off(newest.n_after);
            if matches!(step, ViewStep::GoOn | ViewStep::KeptMissing) {
                // If the first kept entry does not exist, nothing is kept, as in OpenClaw.
                kept.clear();
                repairs.push(Repair::MissingKept {
                    compaction: newest.summary.entry.clone(),
                    entry: newest.compaction.first_kept.clone(),
                });
            }
            kept.reverse();
            items = read_keep_first((&newest, &kept), file, repairs)?;
            items.push(newest.summary);
            items.append(&mut kept);
        }
        newer.reverse();
        items.append(&mut newer);
        Ok(View { items, is_cut })
    }
}

/// The pinned entries before the summary, except those that are also kept after it.
fn read_keep_first(
    (newest, kept): (&NewestCompaction, &[ViewItem]),
    file: &TranscriptFile,
    repairs: &mut Vec<Repair>,
) -> Result<Vec<ViewItem>, DiskError> {
    let mut items = Vec::new();
    for pointer in &newest.compaction.details.keep_first {
        if kept.iter().any(|item| item.entry == pointer.id) {
            continue;
        }
        let line = file.line_at(pointer.offset)?;
        match line.map(|line| line.parse()) {
            Some(LineContent::Entry(entry)) if entry.id == pointer.id => {
                items.extend(item(&entry));
            }
            _ => repairs.push(Repair::MissingKept {
                compaction: newest.summary.entry.clone(),
                entry: pointer.id.clone(),
            }),
        }
    }
    Ok(items)
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
