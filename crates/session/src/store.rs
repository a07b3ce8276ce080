//! The sessions of a home: which there are, reading them, and the one turn at a time that writes.
//!
//! Reading takes no lock and writes nothing.

use std::cmp::Ordering;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use base::disk::{Disk, DiskError, FileStat, Lock, LockError, create_dir};
use base::{Clock, EntryId, HomeLayout, SessionId};

use crate::format::FORMAT_VERSION;
use crate::home::{Begun, SessionFiles};
use crate::queue::{Ticket, first_waiting};
use crate::reader::{ForwardReader, TranscriptFile};
use crate::resume;
use crate::resume::{Snapshot, newest_part};
use crate::turn::Turn;
use crate::{Epoch, LineStart, LiveLines, ResumeLimit, SessionName, epoch};

/// The sessions of a home.
#[derive(Debug, Clone)]
pub struct SessionStore {
    home: SessionFiles,
}

/// Whence a session comes, and how often it went back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineage {
    /// The id that its header says.
    pub session: SessionId,
    /// The session that it was made from.
    pub parent: Option<SessionId>,
    /// How many rewinds it holds.
    pub rewind_count: u64,
}

/// A session that was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is none of that name, or it has no line yet.
    #[error("there is no session {0}")]
    NotFound(SessionName),
    /// The conversation does not pass through that line, counted from 1.
    #[error("line {1} of session {0} is on no branch that goes on")]
    NotOnBranch(SessionName, u64),
    /// No entry has that id, and none begins so.
    #[error("session {name} has no entry {wanted}")]
    NoEntry {
        /// The name.
        name: SessionName,
        /// What was looked for.
        wanted: String,
        /// The id that comes nearest.
        nearest: Option<EntryId>,
    },
    /// Several ids begin so.
    #[error("several entries of session {name} begin with {wanted}")]
    Ambiguous {
        /// The name.
        name: SessionName,
        /// What was looked for.
        wanted: String,
        /// A few of them.
        candidates: Vec<EntryId>,
    },
    /// No compaction of that session ended that epoch.
    #[error("no compaction of session {name} ended epoch {epoch}; it is in epoch {current}", epoch = epoch.0, current = current.0)]
    NotEnded {
        /// The name.
        name: SessionName,
        /// What was looked for.
        epoch: Epoch,
        /// The epoch of the session.
        current: Epoch,
    },
    /// No summary stands in the view.
    #[error(
        "nothing was replaced in session {0}: what was said since its beginning is all in view"
    )]
    NothingReplaced(SessionName),
    /// The entry is no message and no compaction.
    #[error("entry {1} of session {0} says nothing")]
    SaysNothing(SessionName, EntryId),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// A turn that was not begun; nothing was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BeginTurnError {
    /// Another turn of the session, or other work in its background, is under way: in this process, where it is known.
    #[error("session {0} is in use{by}", by = .1.map(|pid| format!(" by process {pid}")).unwrap_or_default())]
    Locked(SessionName, Option<u32>),
    /// A newer version wrote it; writing could lose what this one does not know. Reading works.
    #[error("{path} has format {1}; this version writes {FORMAT_VERSION}", path = .0.display())]
    TooNew(PathBuf, u64),
    /// A format before ours, in which entries have no ids. Reading works as far as they do.
    #[error("{path} has format {1}; this version writes {FORMAT_VERSION}", path = .0.display())]
    TooOld(PathBuf, u64),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl SessionStore {
    /// The sessions of a home; its directories are made when they are needed.
    pub fn new(disk: Arc<dyn Disk>, clock: Arc<dyn Clock>, layout: HomeLayout) -> Self {
        Self {
            home: SessionFiles {
                disk,
                clock,
                layout,
            },
        }
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

    /// Whether the session has begun: its file holds at least one whole line.
    pub fn exists(&self, name: &SessionName) -> Result<bool, ReadError> {
        match self.open(name) {
            Ok(_) => Ok(true),
            Err(ReadError::NotFound(..)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Where the transcript of a session lies, whether it is there or not.
    pub fn path(&self, name: &SessionName) -> PathBuf {
        self.home.path(name)
    }

    /// Reads a session without a lock and without writing; a torn tail is ignored.
    pub fn read(&self, name: &SessionName, limit: ResumeLimit) -> Result<Snapshot, ReadError> {
        let file = self.open(name)?;
        Ok(resume::resume(&file, name, limit)?)
    }

    /// The session that goes on in a file: the one that its newest reset began, if there was one.
    ///
    /// Reads back to that reset, however far it lies.
    pub fn part(&self, name: &SessionName) -> Result<Option<SessionId>, ReadError> {
        Ok(newest_part(&self.open(name)?)?)
    }

    /// Reads the lines of a session, from the first on.
    pub fn lines(&self, name: &SessionName) -> Result<ForwardReader, ReadError> {
        ForwardReader::open(&*self.home.disk, &self.home.path(name))
            .map_err(|error| not_found(name, error))
    }

    /// Reads the entries on the branch of the newest one, from a line on; what was left by a rewind is
    /// passed over.
    ///
    /// # Errors
    ///
    /// [`ReadError::NotOnBranch`] where another program took the branch back behind that line.
    pub fn live_lines(&self, name: &SessionName, from: LineStart) -> Result<LiveLines, ReadError> {
        let lines = LiveLines::open(&*self.home.disk, &self.home.path(name), from)
            .map_err(|error| not_found(name, error))?;
        lines.ok_or_else(|| ReadError::NotOnBranch(name.clone(), from.number))
    }

    /// Length and time of a transcript; `None` where there is none.
    pub fn stat(&self, name: &SessionName) -> Result<Option<FileStat>, ReadError> {
        Ok(self.home.disk.stat(&self.home.path(name))?)
    }

    /// What tells whether only the end of a transcript can have changed, without reading it whole.
    pub fn lineage(&self, name: &SessionName) -> Result<Lineage, ReadError> {
        let file = self.open(name)?;
        let header = resume::read_header(&file)?;
        let parent = header.as_ref().and_then(|header| header.parent.clone());
        Ok(Lineage {
            session: header.map_or_else(|| SessionId::new(name.as_str()), |header| header.id),
            parent,
            rewind_count: epoch::read_state(&file)?.state.rewind_count,
        })
    }

    /// Takes the turn lock, makes the file whole and reads where the conversation goes on.
    ///
    /// Of a session that has not begun nothing is written before the first append.
    ///
    /// # Errors
    ///
    /// [`BeginTurnError::Locked`] at once, without waiting, where another turn is under way.
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

    /// Whether somebody waits for a turn of the session.
    pub fn is_waited_for(&self, name: &SessionName) -> Result<bool, BeginTurnError> {
        let first = first_waiting(&*self.home.disk, &self.home.layout.locks(), name)?;
        Ok(first.is_some())
    }

    /// Takes a place behind all who wait for a turn of the session already.
    pub fn queue(&self, name: &SessionName) -> Result<Ticket, BeginTurnError> {
        let ticket = Ticket::take(Arc::clone(&self.home.disk), &self.home.layout.locks(), name);
        ticket.map_err(|error| not_locked(name, error))
    }

    /// Begins a turn as [`begin_turn`](Self::begin_turn) does, where the ticket is next.
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

    /// Takes the lock of the work that goes on in the background of a session, beside its turns.
    pub fn lock_background(&self, name: &SessionName) -> Result<Lock, BeginTurnError> {
        // No session has a name that gives this file.
        self.lock(name, &format!("@background-{name}.lock"))
    }

    fn lock(&self, name: &SessionName, file: &str) -> Result<Lock, BeginTurnError> {
        let (disk, locks) = (&*self.home.disk, &self.home.layout.locks());
        create_dir(disk, locks)?;
        let taken = disk.try_lock(&locks.join(file));
        taken.map_err(|error| not_locked(name, error))
    }

    /// Whether a session may be written to, so that whoever only shows what would become of it can say so;
    /// one that has not begun may.
    pub fn check_writable(&self, name: &SessionName) -> Result<(), BeginTurnError> {
        match TranscriptFile::open(&*self.home.disk, &self.home.path(name)) {
            Ok(file) => check_version(&file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn open(&self, name: &SessionName) -> Result<TranscriptFile, ReadError> {
        let file = TranscriptFile::open(&*self.home.disk, &self.home.path(name))
            .map_err(|error| not_found(name, error))?;
        if file.end() == 0 {
            return Err(ReadError::NotFound(name.clone()));
        }
        Ok(file)
    }

    fn open_for_writing(
        &self,
        name: &SessionName,
        limit: ResumeLimit,
    ) -> Result<Begun, BeginTurnError> {
        let path = self.home.path(name);
        let file = match TranscriptFile::open(&*self.home.disk, &path) {
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

/// Whether a transcript may be written to: whoever wrote it knew no more and no less than this version.
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
