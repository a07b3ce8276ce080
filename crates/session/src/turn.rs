//! One turn of a session: the only way to append to a transcript.
//!
//! Holds the turn lock until dropped; its view always equals what reopening would read.

use base::disk::{DiskError, Lock};
use base::{EntryId, SessionId, Timestamp};

use crate::append_error::AppendError;
use crate::draft;
use crate::epoch;
use crate::format::{self, RenderError};
use crate::home::{BegunTranscript, SessionFiles};
use crate::path;
use crate::reader::TranscriptFile;
use crate::recovery::Repair;
use crate::resume::{self, SessionSnapshot};
use crate::tree;
use crate::unflushed::Unflushed;
use crate::view;
use crate::writer::TranscriptWriter;
use crate::{
    Compaction, Custom, Entry, EntryPointer, Epoch, Fork, Meta, Payload, ResumeLimit, SessionInfo,
    SessionName, StoredMessage, View,
};

mod beginning;

/// Largest distance in bytes from the newest full state to the end of the file. Reading it backwards takes
/// milliseconds.
const STATE_DISTANCE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// A session under its turn lock.
#[derive(Debug)]
pub struct Turn {
    home: SessionFiles,
    name: SessionName,
    limit: ResumeLimit,
    writer: TranscriptWriter,
    resumed: SessionSnapshot,
    _lock: Lock,
}

impl Turn {
    pub(crate) fn new(
        home: SessionFiles,
        name: SessionName,
        limit: ResumeLimit,
        lock: Lock,
        begun: BegunTranscript,
    ) -> Self {
        let writer = home.writer(&name, &begun);
        Self {
            home,
            name,
            limit,
            writer,
            resumed: begun.resumed,
            _lock: lock,
        }
    }

    /// The session's name.
    pub fn name(&self) -> &SessionName {
        &self.name
    }

    /// The id in the header, even after a reset.
    pub fn session_id(&self) -> &SessionId {
        &self.resumed.session
    }

    /// The current view. Reopening the session reads the same view, up to its limit.
    pub fn view(&self) -> &View {
        &self.resumed.view
    }

    /// The state of compaction and flush.
    pub fn state(&self) -> &Meta {
        &self.resumed.state
    }

    /// The newest entry; `None` in an empty session.
    pub fn leaf(&self) -> Option<&EntryId> {
        self.resumed.leaf.as_ref()
    }

    /// Damage found since the turn began, and what was done about it.
    pub fn repairs(&self) -> &[Repair] {
        &self.resumed.repairs
    }

    /// Appends a message with time `at`.
    pub fn append_message(
        &mut self,
        at: Timestamp,
        message: StoredMessage,
    ) -> Result<EntryId, AppendError> {
        self.append_one(Entry::draft(at, Payload::Message(message)))
    }

    /// Appends several messages in one write.
    pub fn append_messages(
        &mut self,
        messages: Vec<(Timestamp, StoredMessage)>,
    ) -> Result<Vec<EntryId>, AppendError> {
        let drafts = messages
            .into_iter()
            .map(|(at, message)| Entry::draft(at, Payload::Message(message)));
        self.append(drafts.collect())
    }

    /// Appends a compaction, which ends the current epoch.
    pub fn append_compaction(
        &mut self,
        at: Timestamp,
        compaction: Compaction,
    ) -> Result<EntryId, AppendError> {
        self.catch_up()?;
        self.check_epoch(&compaction)?;
        self.append_one(Entry::draft(at, Payload::Compaction(compaction)))
    }

    /// Appends a new state of compaction and flush.
    pub fn append_meta(&mut self, at: Timestamp, meta: Meta) -> Result<EntryId, AppendError> {
        self.catch_up()?;
        if meta.compaction_count < self.resumed.state.compaction_count {
            return Err(self.wrong_epoch(meta.compaction_count));
        }
        self.append_one(Entry::draft(at, Payload::Meta(meta)))
    }

    /// Appends private data of this program, as JSON text. The view never shows it.
    ///
    /// # Errors
    ///
    /// [`AppendError::Refused`] if `data` is not JSON.
    pub fn append_custom(
        &mut self,
        at: Timestamp,
        custom_type: &str,
        data: String,
    ) -> Result<EntryId, AppendError> {
        let custom_type = custom_type.to_owned();
        self.append_one(Entry::draft(
            at,
            Payload::Custom(Custom { custom_type, data }),
        ))
    }

    /// Appends a new title for the conversation.
    pub fn append_session_info(
        &mut self,
        at: Timestamp,
        info: SessionInfo,
    ) -> Result<EntryId, AppendError> {
        self.append_one(Entry::draft(at, Payload::SessionInfo(info)))
    }

    /// Rewinds to an earlier entry; later messages stay in the file, on a dead branch.
    pub fn append_rewind(
        &mut self,
        at: Timestamp,
        target: &EntryId,
    ) -> Result<EntryId, AppendError> {
        self.catch_up()?;
        let tree = self
            .open()
            .and_then(|file| file.as_ref().map(tree::read_tree).transpose())
            .map_err(|source| self.writer.not_written(source))?;
        let plan = tree.and_then(|tree| tree::plan_rewind(&tree, target, &self.resumed.state));
        let rewind =
            plan.ok_or_else(|| AppendError::NoTarget(self.name.clone(), target.clone()))?;
        let draft = Entry {
            parent: Some(target.clone()),
            ..Entry::draft(at, Payload::Rewind(rewind))
        };
        self.append_one(draft)
    }

    /// Makes this empty session a fork, in one atomic write.
    ///
    /// # Errors
    ///
    /// [`AppendError::HasBegun`] if the session is not empty.
    pub fn begin_as_fork(&mut self, at: Timestamp, fork: &Fork) -> Result<(), AppendError> {
        self.catch_up()?;
        if self.writer.len() > 0 {
            return Err(AppendError::HasBegun(self.name.clone()));
        }
        let lines = fork.render(&self.resumed.session, at);
        let lines = lines.map_err(|source| self.refused(source))?;
        self.writer.begin(&lines)?;
        let reread = self
            .home
            .open(self.writer.path())
            .and_then(|file| resume::resume(&file, &self.name, self.limit));
        self.resumed = reread.map_err(|source| self.not_reread(source))?;
        Ok(())
    }

    /// The messages of this branch that no flush has covered yet, oldest first. Includes messages that left the view
    /// or precede a reset.
    pub fn unflushed(&self) -> Result<Unflushed, DiskError> {
        let found = self.unflushed_up_to(usize::MAX)?;
        Ok(found.unwrap_or_default())
    }

    /// Like [`unflushed`](Self::unflushed), but returns `None` if there are more than `n_max` entries.
    pub fn unflushed_up_to(&self, n_max: usize) -> Result<Option<Unflushed>, DiskError> {
        match self.open()? {
            Some(file) => {
                let through = self.resumed.state.flushed_through.as_ref();
                Unflushed::find(file, through, n_max)
            }
            None => Ok(Some(Unflushed::default())),
        }
    }

    /// The newest entry with this id, and its offset; `None` if there is none.
    pub fn locate(&self, id: &EntryId) -> Result<Option<EntryPointer>, DiskError> {
        let Some(file) = self.open()? else {
            return Ok(None);
        };
        let offset = path::locate(&file, id)?;
        Ok(offset.map(|offset| EntryPointer {
            id: id.clone(),
            offset,
        }))
    }

    pub(crate) fn home(&self) -> &SessionFiles {
        &self.home
    }

    /// Opens the transcript in its current state; `None` if the file does not exist yet.
    pub(crate) fn open(&self) -> Result<Option<TranscriptFile>, DiskError> {
        if self.writer.len() == 0 {
            return Ok(None);
        }
        self.home.open(self.writer.path()).map(Some)
    }

    fn append_one(&mut self, draft: Entry) -> Result<EntryId, AppendError> {
        let id = draft.id.clone();
        self.append(vec![draft]).map(|_| id)
    }

    fn append(&mut self, drafts: Vec<Entry>) -> Result<Vec<EntryId>, AppendError> {
        self.catch_up()?;
        let n_drafts = drafts.len();
        let (entries, lines) = self.render(drafts).map_err(|source| self.refused(source))?;
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        if self.writer.len() == 0 {
            let header = format::render_header(&self.resumed.session, self.home.clock.now(), None)
                .map_err(|source| self.refused(source))?;
            self.writer.begin(&header)?;
        }
        self.writer.append(&lines)?;
        let ids = entries.iter().take(n_drafts);
        let ids = ids.map(|entry| entry.id.clone()).collect();
        self.take_in(&entries)?;
        Ok(ids)
    }

    /// Renders the drafts. If the newest full state is too far back, adds a `meta` with the state, so that resuming
    /// stays cheap even without flushes and compactions.
    fn render(&self, drafts: Vec<Entry>) -> Result<(Vec<Entry>, Vec<u8>), RenderError> {
        let (mut entries, mut lines) = draft::render(drafts, self.resumed.leaf.clone())?;
        let end = self.writer.len() + lines.len() as u64;
        let is_far = end.saturating_sub(self.resumed.state_offset) > STATE_DISTANCE_BYTES_MAX;
        if let (true, Some(last)) = (is_far, entries.last()) {
            let mut state = self.resumed.state.clone();
            for entry in &entries {
                epoch::apply(&mut state, entry);
            }
            let draft = Entry::draft(last.at, Payload::Meta(state));
            let (entry, line) = draft::render(vec![draft], Some(last.id.clone()))?;
            entries.extend(entry);
            lines.extend(line);
        }
        Ok((entries, lines))
    }

    /// Applies the new entries to view, state and leaf.
    fn take_in(&mut self, entries: &[Entry]) -> Result<(), AppendError> {
        for entry in entries {
            epoch::apply(&mut self.resumed.state, entry);
            self.resumed.view.items.extend(view::item(entry));
            self.resumed.leaf = Some(entry.id.clone());
            if epoch::stated(entry).is_some() {
                // This is the end of the append, not the offset of the line; it is close enough for the distance
                // check.
                self.resumed.state_offset = self.writer.len();
            }
        }
        let moves_view = |entry: &Entry| {
            use Payload::{Compaction, Reset, Rewind};
            matches!(entry.payload, Compaction(_) | Reset(_) | Rewind(_))
        };
        if entries.iter().any(moves_view) {
            self.reread_view()
                .map_err(|source| self.not_reread(source))?;
        }
        Ok(())
    }

    fn reread_view(&mut self) -> Result<(), DiskError> {
        if let Some(file) = self.open()? {
            let read = view::read_view(&file, self.limit)?;
            self.resumed.view = read.view;
            for repair in read.repairs {
                if !self.resumed.repairs.contains(&repair) {
                    self.resumed.repairs.push(repair);
                }
            }
        }
        Ok(())
    }

    /// Rereads the file if another program appended to it despite the lock.
    fn catch_up(&mut self) -> Result<(), AppendError> {
        self.writer.check()?;
        let expected = self.writer.len();
        let found = self.writer.len_now()?;
        if found < expected {
            self.writer.stop();
            return Err(AppendError::CutElsewhere {
                path: self.writer.path().to_owned(),
                expected,
                found,
            });
        }
        if found > expected {
            self.read_added(found - expected)
                .map_err(|source| self.writer.not_written(source))?;
        }
        Ok(())
    }

    fn read_added(&mut self, n_bytes: u64) -> Result<(), DiskError> {
        let file = self.home.open(self.writer.path())?;
        let mut begun = self.home.make_whole(&file, &self.name, self.limit)?;
        let mut repairs = std::mem::take(&mut self.resumed.repairs);
        repairs.push(Repair::AppendedElsewhere(n_bytes));
        repairs.append(&mut begun.resumed.repairs);
        begun.resumed.repairs = repairs;
        self.writer = self.home.writer(&self.name, &begun);
        self.resumed = begun.resumed;
        Ok(())
    }

    fn refused(&self, source: RenderError) -> AppendError {
        AppendError::Refused(self.name.clone(), source)
    }

    fn check_epoch(&self, compaction: &Compaction) -> Result<(), AppendError> {
        let is_other = |epoch: &Epoch| *epoch != self.resumed.state.compaction_count;
        let other = compaction.epoch.filter(is_other);
        other.map_or(Ok(()), |epoch| Err(self.wrong_epoch(epoch)))
    }

    fn wrong_epoch(&self, found: Epoch) -> AppendError {
        AppendError::WrongEpoch {
            name: self.name.clone(),
            expected: self.resumed.state.compaction_count,
            found,
        }
    }

    fn not_reread(&mut self, source: DiskError) -> AppendError {
        self.writer.stop();
        AppendError::NotReread(self.writer.path().to_owned(), source)
    }
}

#[cfg(test)]
#[path = "turn_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "history_tests.rs"]
mod history_tests;

#[cfg(test)]
#[path = "crash_tests.rs"]
mod crash_tests;
