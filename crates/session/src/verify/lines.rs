//! Checks the lines of a transcript and collects findings.
//!
//! Does nothing else but read the lines.

use std::collections::HashMap;

use base::disk::DiskError;
use base::{EntryId, Timestamp};

use super::calls::OpenCalls;
use super::flushes::Flushes;
use super::{FindingKind, VerifyFinding, VerifyReport};
use crate::entry::EntryPlace;
use crate::epoch::{apply_short, epoch_after};
use crate::format::{FORMAT_VERSION, Header, LineContent};
use crate::reader::{ForwardReader, TranscriptLine};
use crate::tree::EntryTree;
use crate::{Compaction, Entry, EntryPointer, Epoch, Meta, Payload, StoredMessage};

/// Checks a transcript.
///
/// Covers ids, parents, pairing of tool calls with results, order, epochs and flushes. A file that another program
/// wrote in the same format passes: its compactions may lack an epoch and a flush, and may keep entries of any type.
///
/// # Errors
///
/// Only if the file cannot be read; damage in it is a finding.
pub fn verify(lines: ForwardReader) -> Result<VerifyReport, DiskError> {
    let torn_tail = lines.torn_tail();
    let mut check = LineCheck::default();
    for line in lines {
        check.take(&line?);
    }
    if let Some(tail) = torn_tail {
        check.note(check.n_lines + 1, None, FindingKind::TornTail(tail.n_bytes));
    }
    if check.n_lines == 0 {
        check.note(1, None, FindingKind::NotBegun);
    }
    Ok(check.finish())
}

#[derive(Debug, Default)]
struct LineCheck {
    n_lines: u64,
    n_entries: u64,
    n_messages: u64,
    count: Epoch,
    last_at: Option<Timestamp>,
    /// Index in the recording of the newest replayed message on this branch.
    last_source: Option<u64>,
    tree: EntryTree,
    calls: OpenCalls,
    flushes: Flushes,
    /// By missing parent: the line and id of each child whose parent has not been read yet.
    orphans: HashMap<EntryId, Vec<(u64, EntryId)>>,
    findings: Vec<VerifyFinding>,
}

impl LineCheck {
    fn take(&mut self, line: &TranscriptLine) {
        self.n_lines = line.number;
        if line.number == 1 && !matches!(line.content, LineContent::Header(_)) {
            self.note(1, None, FindingKind::NoHeader);
        }
        match &line.content {
            LineContent::Header(header) => self.take_header(line.number, header),
            LineContent::Entry(entry) => self.take_entry(line, entry),
            LineContent::ShortMeta(meta) => {
                let mut state = Meta {
                    compaction_count: self.count,
                    ..Meta::default()
                };
                apply_short(&mut state, meta);
                self.count = state.compaction_count;
            }
            LineContent::Damaged { damage, place } => {
                let id = place.as_ref().map(|place| &place.id);
                self.note(line.number, id, FindingKind::Damaged(damage.clone()));
                if let Some(place) = place {
                    self.take_place(line, place, None);
                }
            }
        }
    }

    fn take_header(&mut self, number: u64, header: &Header) {
        let kind = match header.version {
            _ if number > 1 => FindingKind::SecondHeader,
            FORMAT_VERSION => return,
            newer if newer > FORMAT_VERSION => FindingKind::NewerVersion(newer),
            older => FindingKind::OtherVersion(older),
        };
        self.note(number, None, kind);
    }

    fn take_entry(&mut self, line: &TranscriptLine, entry: &Entry) {
        self.n_entries += 1;
        self.take_place(line, &entry.place(), Some(entry));
        if self.last_at.is_some_and(|last| entry.at < last) {
            self.note(line.number, Some(&entry.id), FindingKind::TimeDecreased);
        }
        self.last_at = Some(entry.at);
        let found = match &entry.payload {
            Payload::Compaction(compaction) => self.take_compaction(&entry.id, compaction),
            Payload::Meta(meta) => {
                let mut found = self.take_count(meta);
                found.extend(self.flushes.take_meta(meta, &mut self.tree));
                found
            }
            Payload::Rewind(rewind) => {
                // The new branch may replay messages that the abandoned branch had replayed.
                self.last_source = None;
                self.flushes.take_rewind(&rewind.state);
                let mut found = self.take_count(&rewind.state);
                let EntryPointer { id, offset } = &rewind.target;
                if !self.tree.stands_at(id, *offset) {
                    found.push(FindingKind::RewindTarget {
                        target: id.clone(),
                        offset: *offset,
                    });
                }
                found
            }
            Payload::Message(stored) => self.take_source(stored),
            Payload::Reset(_) => {
                // After a reset, a recording may be replayed from its first message.
                self.last_source = None;
                Vec::new()
            }
            Payload::BranchSummary(_)
            | Payload::CustomMessage(_)
            | Payload::Custom(_)
            | Payload::SessionInfo(_)
            | Payload::Other(..) => Vec::new(),
        };
        self.note_all(line.number, &entry.id, found);
    }

    fn take_source(&mut self, stored: &StoredMessage) -> Vec<FindingKind> {
        let Some(source) = &stored.source else {
            return Vec::new();
        };
        let before = self.last_source.replace(source.index);
        if before.is_some_and(|before| source.index <= before) {
            vec![FindingKind::SourceRepeated(source.index)]
        } else {
            Vec::new()
        }
    }

    fn take_place(&mut self, line: &TranscriptLine, place: &EntryPlace, entry: Option<&Entry>) {
        let message = match entry.map(|entry| &entry.payload) {
            Some(Payload::Message(stored)) => Some(&stored.message),
            _ => None,
        };
        self.n_messages += u64::from(message.is_some());
        let added = self.tree.add(place, line.offset, entry);
        if added.is_duplicate {
            self.note(line.number, Some(&place.id), FindingKind::DuplicateId);
        }
        for (number, child) in self.orphans.remove(&place.id).unwrap_or_default() {
            let parent = place.id.clone();
            self.note(number, Some(&child), FindingKind::ParentAfterChild(parent));
        }
        if let (true, Some(parent)) = (added.is_orphan, &place.parent) {
            let children = self.orphans.entry(parent.clone()).or_default();
            children.push((line.number, place.id.clone()));
        }
        let found = self.calls.take(added, message);
        self.note_all(line.number, &place.id, found);
    }

    fn take_compaction(&mut self, id: &EntryId, compaction: &Compaction) -> Vec<FindingKind> {
        let mut found = Vec::new();
        if let Some(own) = compaction.epoch.filter(|own| *own != self.count) {
            found.push(FindingKind::EpochNotConsecutive {
                expected: self.count,
                found: own,
            });
        }
        self.count = epoch_after(self.count, compaction);
        let pinned = compaction.details.keep_first.iter();
        let kept = pinned.map(|pointer| &pointer.id);
        for kept in kept.chain([&compaction.first_kept]) {
            if kept != id && self.tree.find(kept).is_none() {
                found.push(FindingKind::MissingKept(kept.clone()));
            }
        }
        found
    }

    fn take_count(&mut self, meta: &Meta) -> Vec<FindingKind> {
        let (expected, found) = (self.count, meta.compaction_count);
        self.count = expected.max(found);
        if found < expected {
            vec![FindingKind::EpochDecreased { expected, found }]
        } else {
            Vec::new()
        }
    }

    fn note(&mut self, line: u64, entry: Option<&EntryId>, kind: FindingKind) {
        self.findings.push(VerifyFinding {
            line,
            entry: entry.cloned(),
            kind,
        });
    }

    fn note_all(&mut self, line: u64, entry: &EntryId, kinds: Vec<FindingKind>) {
        for kind in kinds {
            self.note(line, Some(entry), kind);
        }
    }

    fn finish(mut self) -> VerifyReport {
        let mut orphans: Vec<_> = std::mem::take(&mut self.orphans).into_iter().collect();
        orphans.sort_by_key(|(_, children)| children.first().map(|(number, _)| *number));
        for (parent, children) in orphans {
            for (number, child) in children {
                let missing = FindingKind::MissingParent(parent.clone());
                self.note(number, Some(&child), missing);
            }
        }
        self.findings.sort_by_key(|finding| finding.line);
        VerifyReport {
            n_lines: self.n_lines,
            n_entries: self.n_entries,
            n_messages: self.n_messages,
            epoch: self.count,
            findings: self.findings,
        }
    }
}
