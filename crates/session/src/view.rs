//! What a window shows of a transcript.
//!
//! Reads entries and never the configuration, so that a change of strategy changes only what comes next.

use std::collections::BTreeMap;

use base::disk::DiskError;
use base::{EntryId, Message, Origin, Timestamp, TokenCount, estimate_message, estimate_text};

use crate::format::LineContent;
use crate::path::{Path, PathLine};
use crate::reader::TranscriptFile;
use crate::recovery::Repair;
use crate::{Compaction, CopiedFrom, Entry, Payload};

/// What a window shows of a transcript, oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// Summary and messages, in the order in which a model sees them.
    pub items: Vec<ViewItem>,
    /// Where reading back stopped because the budget was spent: entries before the first item are left
    /// out though no summary stands for them.
    pub is_cut: bool,
}

/// One thing that a window shows.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewItem {
    /// The entry that says it.
    pub entry: EntryId,
    /// When it was said.
    pub at: Timestamp,
    /// Who is answerable for it.
    pub origin: Origin,
    /// What is shown.
    pub content: ViewContent,
    /// Estimated tokens of what is shown.
    pub tokens: TokenCount,
}

/// What an item of a view shows.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewContent {
    /// A message as it was said.
    Message(Message),
    /// The summary of a compaction or of a branch that was left.
    Summary(String),
}

impl ViewContent {
    /// Estimated tokens of what is shown.
    pub fn estimate(&self) -> TokenCount {
        match self {
            Self::Message(message) => estimate_message(message),
            Self::Summary(summary) => estimate_text(summary),
        }
    }
}

/// How far back a view reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResumeLimit {
    /// Tokens that may be exceeded once: what is older than the message that exceeds them is left out.
    pub tokens: TokenCount,
}

#[derive(Debug)]
pub(crate) struct ReadView {
    pub(crate) view: View,
    pub(crate) leaf: Option<EntryId>,
    pub(crate) repairs: Vec<Repair>,
    /// The entry of the compaction that says what is shown, and what it says.
    pub(crate) compaction: Option<(EntryId, Compaction)>,
    /// What the items of a fork are copies of.
    pub(crate) copies: BTreeMap<EntryId, CopiedFrom>,
}

pub(crate) fn read_view(file: &TranscriptFile, limit: ResumeLimit) -> Result<ReadView, DiskError> {
    read_along(Path::from_leaf(file), file, limit)
}

/// Reads the view that the entry had whose line begins at `offset`, when it was the newest.
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
    let mut step = Step::GoOn;
    while step == Step::GoOn {
        let Some(line) = path.next()? else {
            break;
        };
        step = collected.take(&line, newer.as_ref(), limit);
        leaf.get_or_insert(line.place.id);
        newer = line.entry;
    }
    let mut repairs = path.into_repairs();
    let newest = collected.newest_compaction.as_ref();
    let compaction = newest.map(|newest| (newest.summary.entry.clone(), newest.compaction.clone()));
    let mut copies = std::mem::take(&mut collected.copies);
    let view = collected.into_view(step, file, (&mut repairs, &mut copies))?;
    Ok(ReadView {
        view,
        leaf,
        repairs,
        compaction,
        copies,
    })
}

/// What an entry shows, wherever it stands; a compaction shows something only where it is the newest.
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
        entry: entry.id.clone(),
        at: entry.at,
        origin,
        tokens: content.estimate(),
        content,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    GoOn,
    /// The view is complete.
    Complete,
    /// The budget is spent and there was more to show.
    Cut,
    /// The conversation begins here and the first kept entry was not met.
    KeptMissing,
}

/// What a walk from the leaf has met, the newest first.
#[derive(Debug, Default)]
struct Collected {
    items: Vec<ViewItem>,
    tokens: TokenCount,
    newest_compaction: Option<NewestCompaction>,
    copies: BTreeMap<EntryId, CopiedFrom>,
}

#[derive(Debug)]
struct NewestCompaction {
    summary: ViewItem,
    compaction: Compaction,
    /// How many items are newer than it.
    n_after: usize,
}

impl Collected {
    fn take(&mut self, line: &PathLine, newer: Option<&Entry>, limit: ResumeLimit) -> Step {
        if let Some(entry) = &line.entry {
            if matches!(&entry.payload, Payload::Reset(reset) if reset.begins(newer)) {
                return self.at_beginning(line);
            }
            self.take_compaction(entry);
            if let Some(item) = item(entry) {
                if self.tokens > limit.tokens {
                    return Step::Cut;
                }
                self.tokens += item.tokens;
                if let Some(from) = entry.payload.copied_from() {
                    self.copies.insert(item.entry.clone(), from.clone());
                }
                self.items.push(item);
            }
        }
        if self.is_first_kept(line) {
            Step::Complete
        } else {
            Step::GoOn
        }
    }

    /// Only the newest says what is shown.
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

    /// One that a compaction was to follow begins nothing where a crash took the compaction.
    fn at_beginning(&self, line: &PathLine) -> Step {
        if self.newest_compaction.is_none() || self.is_first_kept(line) {
            Step::Complete
        } else {
            Step::KeptMissing
        }
    }

    fn into_view(
        self,
        step: Step,
        file: &TranscriptFile,
        (repairs, copies): (&mut Vec<Repair>, &mut BTreeMap<EntryId, CopiedFrom>),
    ) -> Result<View, DiskError> {
        let is_cut = step == Step::Cut;
        let mut newer = self.items;
        let mut items = Vec::new();
        if let Some(newest) = self.newest_compaction {
            let mut kept = newer.split_off(newest.n_after);
            if matches!(step, Step::GoOn | Step::KeptMissing) {
                // As OpenClaw reads it: where the first kept entry is not there, none is kept.
                kept.clear();
                repairs.push(Repair::MissingKept {
                    compaction: newest.summary.entry.clone(),
                    entry: newest.compaction.first_kept.clone(),
                });
            }
            kept.reverse();
            items = read_keep_first((&newest, &kept), file, repairs, copies)?;
            items.push(newest.summary);
            items.append(&mut kept);
        }
        newer.reverse();
        items.append(&mut newer);
        Ok(View { items, is_cut })
    }
}

/// The entries that are shown before the summary, without those that are shown after it too.
fn read_keep_first(
    (newest, kept): (&NewestCompaction, &[ViewItem]),
    file: &TranscriptFile,
    repairs: &mut Vec<Repair>,
    copies: &mut BTreeMap<EntryId, CopiedFrom>,
) -> Result<Vec<ViewItem>, DiskError> {
    let mut items = Vec::new();
    for pointer in &newest.compaction.details.keep_first {
        if kept.iter().any(|item| item.entry == pointer.id) {
            continue;
        }
        let line = file.line_at(pointer.offset)?;
        match line.map(|line| line.parse()) {
            Some(LineContent::Entry(entry)) if entry.id == pointer.id => {
                if let Some(from) = entry.payload.copied_from() {
                    copies.insert(entry.id.clone(), from.clone());
                }
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
