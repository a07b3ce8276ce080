//! The sessions of a home: lists them, reads them, and begins the one turn that may write.
//!
//! Reading takes no lock and writes nothing.

use std::cmp::Ordering;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use base::disk::{Disk, DiskError, FileStat, Lock, LockError, create_dir};
use base::{Clock, EntryId, HomeLayout, SessionId, Timestamp};

use crate::format::FORMAT_VERSION;
use crate::home::{BegunTranscript, SessionFiles};
use crate::live::look_back;
use crate::lookup;
use crate::queue::{Ticket, first_waiting};
use crate::reader::{ForwardReader, TranscriptFile};
use crate::resume;
use crate::resume::{SessionSnapshot, newest_part};
use crate::turn::Turn;
use crate::{
    Entry, Epoch, LineContent, LineStart, LiveBranch, LiveLines, Payload, ResumeLimit, SessionName,
    StateCache, epoch,
};

/// The sessions of a home.
#[derive(Debug, Clone)]
pub struct SessionStore {
    home: SessionFiles,
}

/// The id, parent and number of rewinds of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineage {
    /// The id in its header.
    pub session: SessionId,
    /// The session that it was forked from.
    pub parent: Option<SessionId>,
    /// The number of rewinds in the file.
    pub rewind_count: u64,
}

/// The part of a session that was there at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PastPart {
    /// The byte offset of its end; `None` if the session had no entry yet.
    pub end: Option<u64>,
    /// The time of the first entry of the session, also if that was later.
    pub began_at: Option<Timestamp>,
    /// The first and the last entry of each flush that had ended.
    pub flushed: Vec<(EntryId, EntryId)>,
}

/// The reason why a session cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// No session has that name.
    #[error("there is no session {0}")]
    NotFound(SessionName),
    /// Its file has no complete entry yet.
    #[error("session {0} has not started: its file has no complete entry")]
    NotBegun(SessionName),
    /// This line, counted from 1, is not on the live branch.
    #[error("line {1} of session {0} is not on the current branch")]
    NotOnBranch(SessionName, u64),
    /// No entry has that id or id prefix.
    #[error("session {name} has no entry {wanted}")]
    NoEntry {
        name: SessionName,
        /// The id or prefix that was asked for.
        wanted: String,
        /// The most similar id.
        nearest: Option<EntryId>,
    },
    /// Several ids have that prefix.
    #[error("the ids of several entries of session {name} begin with {wanted}")]
    Ambiguous {
        name: SessionName,
        /// The prefix that was asked for.
        wanted: String,
        /// The first few ids with that prefix.
        candidates: Vec<EntryId>,
    },
    /// No compaction of that session ended that epoch.
    #[error("session {name} has no compaction of epoch {epoch}; its current epoch is {current}", epoch = epoch.0, current = current.0)]
    NotEnded {
        name: SessionName,
        /// The epoch that was asked for.
        epoch: Epoch,
        /// The current epoch of the session.
        current: Epoch,
    },
    /// The view holds no summary.
    #[error("nothing was replaced in session {0}: everything since its beginning is still in view")]
    NothingReplaced(SessionName),
    /// The entry is neither a message nor a compaction, so there is nothing to show.
    #[error("entry {1} of session {0} is neither a message nor a summary")]
    SaysNothing(SessionName, EntryId),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// The reason why a turn cannot begin; nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum BeginTurnError {
    /// Another turn or background job holds the session's lock, in the process with this id if it is known.
    #[error("session {0} is in use{by}", by = .1.map(|pid| format!(" by process {pid}")).unwrap_or_default())]
    Locked(SessionName, Option<u32>),
    /// A newer version wrote the file. It can be read, but writing could lose data that this version does not
    /// support.
    #[error("{path} has format {1}; this version writes {FORMAT_VERSION}", path = .0.display())]
    TooNew(PathBuf, u64),
    /// The file has an older format, whose entries may lack ids. Entries with ids can be read.
    #[error("{path} has format {1}; this version writes {FORMAT_VERSION}", path = .0.display())]
    TooOld(PathBuf, u64),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl SessionStore {
    /// The sessions of the home at `layout`. Directories are created on demand.
    pub fn new(disk: Arc<dyn Disk>, clock: Arc<dyn Clock>, layout: HomeLayout) -> Self {
        Self {
            home: SessionFiles {
                disk,
                clock,
                layout,
                states: StateCache::default(),
            },
        }
    }

    /// The same, with the states that other stores of this process have read.
    #[must_use]
    pub fn knowing(mut self, states: StateCache) -> Self {
        self.home.states = states;
        self
    }

    /// The names of all sessions, sorted.
    pub fn names(&self) -> Result<Vec<SessionName>, ReadError> {
        let files = self.home.disk.list(&self.home.layout.sessions())?;
        let names = files.iter().filter_map(|file| {
            let name = file.to_str()?.strip_suffix(".jsonl")?;
            name.parse().ok()
        });
        Ok(names.collect())
    }

    /// Whether the session has a file with at least one complete line.
    pub fn exists(&self, name: &SessionName) -> Result<bool, ReadError> {
        match self.open(name) {
            Ok(_) => Ok(true),
            Err(ReadError::NotFound(..) | ReadError::NotBegun(..)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The path of a session's transcript. The file need not exist.
    pub fn path(&self, name: &SessionName) -> PathBuf {
        self.home.path(name)
    }

    /// The part of a session that was there at a moment: up to the first entry with a later time.
    ///
    /// Reads the whole file.
    pub fn part_at(&self, name: &SessionName, at: Timestamp) -> Result<PastPart, ReadError> {
        let mut part = PastPart::default();
        let mut begun = None;
        for line in self.lines(name)? {
            let line = line?;
            let end = line.offset + line.n_bytes + 1;
            if let LineContent::Entry(entry) = &line.content {
                part.began_at.get_or_insert(entry.at);
                if entry.at > at {
                    break;
                }
                part.end = Some(end);
                if let Payload::Meta(meta) = &entry.payload {
                    match &meta.intent {
                        Some(intent) => begun = Some(intent.span.clone()),
                        None => part.flushed.extend(begun.take()),
                    }
                }
            } else if let Some(own) = &mut part.end {
                *own = end;
            }
        }
        Ok(part)
    }

    /// The same sessions on another disk.
    #[must_use]
    pub fn on_disk(&self, disk: Arc<dyn Disk>) -> Self {
        let mut store = self.clone();
        store.home.disk = disk;
        store
    }

    /// The disk that holds the transcripts.
    pub fn disk(&self) -> Arc<dyn Disk> {
        Arc::clone(&self.home.disk)
    }

    /// Reads a session without taking a lock; ignores a torn last line.
    pub fn read(
        &self,
        name: &SessionName,
        limit: ResumeLimit,
    ) -> Result<SessionSnapshot, ReadError> {
        let file = self.open(name)?;
        Ok(resume::resume(&file, name, limit)?)
    }

    /// The id of the session that the newest reset on the live branch began; `None` without a reset.
    ///
    /// Reads back to that reset, in the worst case the whole file.
    pub fn part(&self, name: &SessionName) -> Result<Option<SessionId>, ReadError> {
        Ok(newest_part(&self.open(name)?)?)
    }

    /// A reader of all lines of a session, on every branch.
    pub fn lines(&self, name: &SessionName) -> Result<ForwardReader, ReadError> {
        ForwardReader::open(&*self.home.disk, &self.home.path(name))
            .map_err(|error| not_found(name, error))
    }

    /// The entries of a session with these ids, on any branch. Reads the whole file unless each of them is still at the
    /// offset that is given for it.
    pub fn entries(
        &self,
        name: &SessionName,
        wanted: &[(EntryId, Option<u64>)],
    ) -> Result<Vec<Entry>, ReadError> {
        Ok(lookup::entries(&self.open(name)?, wanted)?)
    }

    /// The lines whose messages draw on passages of other repositories than the session's own, each with the scopes
    /// of these repositories.
    pub fn scoped_lines(&self, name: &SessionName) -> Result<Vec<(usize, Vec<String>)>, ReadError> {
        Ok(lookup::scoped_lines(&self.open(name)?)?)
    }

    /// Reads the live branch from a line on, skipping branches that a rewind abandoned.
    ///
    /// # Errors
    ///
    /// [`ReadError::NotOnBranch`] if the line is not on the live branch.
    pub fn live_lines(&self, name: &SessionName, from: LineStart) -> Result<LiveLines, ReadError> {
        let lines = LiveLines::open(&*self.home.disk, &self.home.path(name), from)
            .map_err(|error| not_found(name, error))?;
        lines.ok_or_else(|| ReadError::NotOnBranch(name.clone(), from.number))
    }

    /// Finds the lines of the live branch, or the last `n_max` of them, without parsing messages.
    pub fn live_branch(
        &self,
        name: &SessionName,
        n_max: Option<usize>,
    ) -> Result<LiveBranch, ReadError> {
        Ok(LiveBranch::open(self.open(name)?, n_max)?)
    }

    /// Reads the live branch from the beginning of the turn that contains the byte `from`.
    ///
    /// Parses nothing before it.
    pub fn turns_from(&self, name: &SessionName, from: u64) -> Result<LiveLines, ReadError> {
        LiveLines::open_in(&*self.home.disk, &self.home.path(name), from)
            .map_err(|error| not_found(name, error))
    }

    /// Walks back along the live branch until `ends` returns true; returns the offset of the last entry read.
    pub fn look_back(
        &self,
        name: &SessionName,
        n_entries_max: usize,
        ends: &mut dyn FnMut(&Entry) -> bool,
    ) -> Result<u64, ReadError> {
        Ok(look_back(&self.open(name)?, n_entries_max, ends)?)
    }

    /// Size and modification time of a transcript; `None` if it does not exist.
    pub fn stat(&self, name: &SessionName) -> Result<Option<FileStat>, ReadError> {
        Ok(self.home.disk.stat(&self.home.path(name))?)
    }

    /// The id of a session. It contains the scope of the session's repository, even if the session name does not.
    pub fn id(&self, name: &SessionName) -> Result<SessionId, ReadError> {
        Ok(resume::read_id(&self.open(name)?, name)?)
    }

    /// Reads the id, parent and rewind count, from which a caller can see whether the file has only grown since the
    /// last check. Does not read the whole file.
    pub fn lineage(&self, name: &SessionName) -> Result<Lineage, ReadError> {
        let file = self.open(name)?;
        let parent = resume::read_header(&file)?.and_then(|header| header.parent);
        let parent = parent.map(|id| resume::in_scope(&file, name, id));
        Ok(Lineage {
            session: resume::read_id(&file, name)?,
            parent: parent.transpose()?,
            rewind_count: epoch::read_state(&file)?.state.rewind_count,
        })
    }

    /// Takes the turn lock, repairs the file and reads the state to resume from.
    ///
    /// The file of a new session is created by the first append.
    ///
    /// # Errors
    ///
    /// [`BeginTurnError::Locked`] at once, without waiting, if another turn is in progress.
    pub fn begin_turn(
        &self,
        name: &SessionName,
        limit: ResumeLimit,
    ) -> Result<Turn, BeginTurnError> {
        let lock = self.lock(name, &format!("{name}.lock"))?;
        let begun = self.open_for_writing(name, limit)?;
        Ok(Turn::new(
            self.home.clone(),
            name.clone(),
            limit,
            lock,
            begun,
        ))
    }

    /// Whether any process waits for a turn of the session.
    pub fn is_waited_for(&self, name: &SessionName) -> Result<bool, BeginTurnError> {
        let first = first_waiting(&*self.home.disk, &self.home.layout.locks(), name)?;
        Ok(first.is_some())
    }

    /// Joins the end of the queue for a turn of the session.
    pub fn queue(&self, name: &SessionName) -> Result<Ticket, BeginTurnError> {
        let ticket = Ticket::take(Arc::clone(&self.home.disk), &self.home.layout.locks(), name);
        ticket.map_err(|error| not_locked(name, error))
    }

    /// Begins a turn like [`begin_turn`](Self::begin_turn) if the ticket is next.
    pub fn begin_turn_with(
        &self,
        ticket: &Ticket,
        name: &SessionName,
        limit: ResumeLimit,
    ) -> Result<Turn, BeginTurnError> {
        match ticket.before()? {
            None => self.begin_turn(name, limit),
            Some(before) => Err(BeginTurnError::Locked(name.clone(), before.pid)),
        }
    }

    /// Takes the lock for background work on a session. The work may run at the same time as turns.
    pub fn lock_background(&self, name: &SessionName) -> Result<Lock, BeginTurnError> {
        // Session names cannot contain `@`, so this name cannot collide with a turn lock.
        self.lock(name, &format!("@background-{name}.lock"))
    }

    fn lock(&self, name: &SessionName, file: &str) -> Result<Lock, BeginTurnError> {
        let (disk, locks) = (&*self.home.disk, &self.home.layout.locks());
        create_dir(disk, locks)?;
        let taken = disk.try_lock(&locks.join(file));
        taken.map_err(|error| not_locked(name, error))
    }

    /// Checks that this version may write to a session, without writing. A session without a file is writable.
    pub fn check_writable(&self, name: &SessionName) -> Result<(), BeginTurnError> {
        match self.home.open(&self.home.path(name)) {
            Ok(file) => check_version(&file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn open(&self, name: &SessionName) -> Result<TranscriptFile, ReadError> {
        let file = self
            .home
            .open(&self.home.path(name))
            .map_err(|error| not_found(name, error))?;
        if file.end() == 0 {
            return Err(ReadError::NotBegun(name.clone()));
        }
        Ok(file)
    }

    fn open_for_writing(
        &self,
        name: &SessionName,
        limit: ResumeLimit,
    ) -> Result<BegunTranscript, BeginTurnError> {
        let path = self.home.path(name);
        let file = match self.home.open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(self.home.not_begun(name, Vec::new()));
            }
            Err(error) => return Err(error.into()),
        };
        check_version(&file)?;
        Ok(self.home.make_whole(&file, name, limit)?)
    }
}

/// Fails unless the transcript has exactly the format version that this program writes.
fn check_version(file: &TranscriptFile) -> Result<(), BeginTurnError> {
    let path = file.path().to_owned();
    let version = resume::read_header(file)?.map_or(FORMAT_VERSION, |header| header.version);
    match version.cmp(&FORMAT_VERSION) {
        Ordering::Less => Err(BeginTurnError::TooOld(path, version)),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(BeginTurnError::TooNew(path, version)),
    }
}

fn not_locked(name: &SessionName, error: LockError) -> BeginTurnError {
    match error {
        LockError::Held { pid, .. } => BeginTurnError::Locked(name.clone(), pid),
        LockError::Disk(error) => BeginTurnError::Disk(error),
    }
}

fn not_found(name: &SessionName, error: DiskError) -> ReadError {
    if error.kind() == io::ErrorKind::NotFound {
        ReadError::NotFound(name.clone())
    } else {
        ReadError::Disk(error)
    }
}
