//! Forks a session: begins a new one with a copy of the view.
//!
//! Reads the original and renders the lines of the fork; writes nothing itself.

use base::disk::DiskError;
use base::{EntryId, Message, Origin, SessionId, Timestamp};

use crate::draft;
use crate::epoch;
use crate::format::{self, RenderError};
use crate::reader::TranscriptFile;
use crate::tree;
use crate::view::{ReadView, read_view_at};
use crate::{
    Compaction, CompactionDetails, CopiedFrom, Entry, EntryPointer, Epoch, Meta, Payload,
    ResumeLimit, StoredMessage, View, ViewContent, ViewItem,
};

/// The data that a fork copies from its original.
#[derive(Debug, Clone, PartialEq)]
pub struct Fork {
    /// The original session.
    pub session: SessionId,
    /// The entry at which it forks.
    pub at_entry: EntryId,
    /// The view at that entry. If the limit cut it, only the visible part is copied.
    pub view: View,
    /// The compaction whose summary is in the view.
    compaction: Option<(EntryId, Compaction)>,
    /// Index of the last item that a flush covered.
    flushed: Option<usize>,
    /// Whether other people take part in the original, and therefore in the fork.
    is_isolated: bool,
}

/// Reads the data that a fork at `target` copies.
pub(crate) fn read(
    file: &TranscriptFile,
    session: SessionId,
    target: EntryPointer,
    limit: ResumeLimit,
) -> Result<Fork, DiskError> {
    let ReadView {
        view, compaction, ..
    } = read_view_at(file, target.offset, limit)?;
    let tree = tree::read_tree(file)?;
    let is_covered = |item: &ViewItem| {
        tree.find(&item.entry)
            .is_some_and(|idx| tree.is_covered(idx))
    };
    let is_flushed = |item: &ViewItem| item.message().is_some() && is_covered(item);
    let flushed = view.items.iter().rposition(is_flushed);
    Ok(Fork {
        session,
        at_entry: target.id,
        view,
        compaction,
        flushed,
        is_isolated: epoch::read_state(file)?.state.is_isolated,
    })
}

impl Fork {
    /// The number of messages to copy.
    pub fn n_messages(&self) -> usize {
        let summary = self.compaction.as_ref().map(|(entry, _)| entry);
        let is_message = |item: &&ViewItem| Some(&item.entry) != summary;
        self.view.items.iter().filter(is_message).count()
    }

    /// Replaces the text of each copied summary with the result of `change`.
    pub fn map_summary(&mut self, change: impl Fn(&str) -> String) {
        if let Some((_, compaction)) = &mut self.compaction {
            compaction.summary = change(&compaction.summary);
        }
        for item in &mut self.view.items {
            if let ViewContent::Summary(summary) = &mut item.content {
                *summary = change(summary);
            }
        }
    }

    /// Renders the whole file of the fork: header, copied messages, the compaction with its summary, and a `meta`
    /// with the flush state.
    pub(crate) fn render(
        &self,
        session: &SessionId,
        at: Timestamp,
    ) -> Result<Vec<u8>, RenderError> {
        let mut bytes = format::render_header(session, at, Some(&self.session))?;
        let summary = self.compaction.as_ref().map(|(entry, _)| entry);
        let mut leaf = None;
        let mut copies: Vec<(usize, EntryPointer)> = Vec::new();
        let mut summary_position = None;
        for (position, item) in self.view.items.iter().enumerate() {
            if Some(&item.entry) == summary {
                summary_position = Some(position);
                continue;
            }
            let draft = Entry::draft(item.at, Payload::Message(self.copy(item)));
            let pointer = EntryPointer {
                id: draft.id.clone(),
                offset: bytes.len() as u64,
            };
            leaf = Some(append(&mut bytes, draft, leaf)?);
            copies.push((position, pointer));
        }
        let mut state = Meta {
            is_isolated: self.is_isolated,
            ..Meta::default()
        };
        let flushed = self.flushed.and_then(|flushed| {
            let copy = copies.iter().find(|(position, _)| *position == flushed);
            copy.map(|(_, pointer)| pointer.id.clone())
        });
        state.flushed_through = flushed;
        if let (Some((entry, compaction)), Some(position)) = (&self.compaction, summary_position) {
            let draft = self.compaction_draft((entry, compaction), position, &copies);
            state.compaction_count = Epoch(1);
            state.last_compaction_at = Some(draft.at);
            leaf = Some(append(&mut bytes, draft, leaf)?);
        }
        append(&mut bytes, Entry::draft(at, Payload::Meta(state)), leaf)?;
        Ok(bytes)
    }

    fn copy(&self, item: &ViewItem) -> StoredMessage {
        let (message, origin) = match &item.content {
            ViewContent::Message(message) => (message.clone(), item.origin),
            ViewContent::Summary(summary) => (Message::user(summary.as_str()), Origin::System),
        };
        StoredMessage {
            copied_from: Some(self.copied_from(&item.entry, item.copied_from.as_ref())),
            ..StoredMessage::new(message, origin)
        }
    }

    /// The fork's compaction. It follows all copies because a compaction can keep only entries before it.
    fn compaction_draft(
        &self,
        (entry, compaction): (&EntryId, &Compaction),
        position: usize,
        copies: &[(usize, EntryPointer)],
    ) -> Entry {
        let at = self.view.items.get(position).map(|item| item.at);
        let at = at.unwrap_or_default();
        let mut draft = Entry::draft(at, Payload::Meta(Meta::default()));
        let (pinned, kept): (Vec<_>, Vec<_>) =
            copies.iter().partition(|(copy, _)| *copy < position);
        let first_kept = kept.first().map_or(&draft.id, |(_, pointer)| &pointer.id);
        draft.payload = Payload::Compaction(Compaction {
            epoch: Some(Epoch(0)),
            summary: compaction.summary.clone(),
            first_kept: first_kept.clone(),
            tokens_before: compaction.tokens_before,
            details: CompactionDetails {
                keep_first: pinned
                    .into_iter()
                    .map(|(_, pointer)| pointer.clone())
                    .collect(),
                copied_from: Some(Box::new(
                    self.copied_from(entry, compaction.details.copied_from.as_deref()),
                )),
                ..compaction.details.clone()
            },
        });
        draft
    }

    /// The origin of a copy of `entry`, which is itself a copy if it has an `original`.
    fn copied_from(&self, entry: &EntryId, original: Option<&CopiedFrom>) -> CopiedFrom {
        CopiedFrom {
            session: self.session.clone(),
            entry: entry.clone(),
            first: original.map(first_of),
        }
    }
}

/// The very first original of a copy, if the chain of copies records it.
fn first_of(from: &CopiedFrom) -> EntryId {
    from.first.as_ref().unwrap_or(&from.entry).clone()
}

fn append(
    bytes: &mut Vec<u8>,
    draft: Entry,
    leaf: Option<EntryId>,
) -> Result<EntryId, RenderError> {
    let id = draft.id.clone();
    let (_, line) = draft::render(vec![draft], leaf)?;
    bytes.extend(line);
    Ok(id)
}

#[cfg(test)]
#[path = "fork_tests.rs"]
mod tests;
