//! Opens a recording: detects its format and checks that every line can be replayed.
//!
//! The whole file is checked before the first message is returned, so that the replay of a damaged file fails at the
//! start and not in the middle.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::DiskError;
use base::{Disk, Timestamp};

use super::line_messages::LineMessages;
use super::recorded::{Recorded, RecordingError};
use super::session_messages::SessionPath;
use super::wire;

/// A recording in which every line has been checked.
#[derive(Debug)]
pub struct Recording {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    /// The path through a session; `None` for JSON Lines.
    session: Option<SessionPath>,
    n_messages: u64,
    warnings: Vec<String>,
    /// The number of warnings about the form of the file, which come first. The rest are about times.
    n_of_form: usize,
    hashes: Vec<String>,
    /// The scope of the repository that the recording comes from.
    scope: Option<String>,
}

impl Recording {
    /// Opens and checks a JSON Lines file or a session, which is read along the path to its newest entry.
    pub fn open(disk: Arc<dyn Disk>, path: &Path) -> Result<Self, RecordingError> {
        if disk.stat(path)?.is_some_and(|stat| stat.is_dir) {
            return Err(RecordingError::Directory(path.to_owned()));
        }
        let mut session = None;
        let mut warnings = Vec::new();
        let first = first_line(&*disk, path)?;
        if wire::is_session_header(&first) {
            let (read, told) = SessionPath::read(&*disk, path)?;
            (session, warnings) = (Some(read), told);
        }
        let mut recording = Self {
            disk,
            path: path.to_owned(),
            session,
            n_messages: 0,
            n_of_form: warnings.len(),
            warnings,
            hashes: Vec::new(),
            scope: wire::scope_in(&first),
        };
        recording.check()?;
        Ok(recording)
    }

    /// The number of messages.
    pub fn n_messages(&self) -> u64 {
        self.n_messages
    }

    /// Problems that do not prevent a replay, one sentence each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The scope `repo-HASH-` of the repository that the recording comes from, as its first line says.
    pub fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// The number of messages on abandoned branches, which are not part of the recording.
    pub(crate) fn n_elsewhere(&self) -> u64 {
        self.session.as_ref().map_or(0, SessionPath::n_elsewhere)
    }

    /// The [`warnings`](Self::warnings) except those about times.
    pub(crate) fn warnings_of_form(&self) -> &[String] {
        self.warnings.get(..self.n_of_form).unwrap_or_default()
    }

    /// The hash of each message in hex, in order.
    pub fn hashes(&self) -> &[String] {
        &self.hashes
    }

    /// Reads the messages again, one by one.
    ///
    /// # Errors
    ///
    /// [`RecordingError`], for example if the file has changed since the check.
    pub fn messages(&self) -> Result<Messages, RecordingError> {
        Ok(match &self.session {
            None => Box::new(lines(&*self.disk, &self.path)?),
            Some(session) => Box::new(session.messages(&*self.disk, &self.path)?),
        })
    }

    fn check(&mut self) -> Result<(), RecordingError> {
        let mut latest: Option<Timestamp> = None;
        let mut backward = Backward::default();
        for recorded in self.messages()? {
            let recorded = recorded?;
            self.n_messages += 1;
            if let (Some(latest), Some(at)) = (latest, recorded.at)
                && at < latest
            {
                backward.n_messages += 1;
                backward.first.get_or_insert((recorded.index, at, latest));
            }
            latest = recorded.at.or(latest);
            self.hashes.push(recorded.hash);
        }
        if self.n_messages == 0 {
            return Err(RecordingError::Empty(self.path.clone()));
        }
        self.n_of_form = self.warnings.len();
        self.warnings.extend(backward.warning());
        Ok(())
    }
}

/// The first line; empty if it cannot be read.
fn first_line(disk: &dyn Disk, path: &Path) -> Result<Vec<u8>, DiskError> {
    let first = lines(disk, path)?.next_line();
    // `messages` reports unreadable lines.
    Ok(first
        .ok()
        .flatten()
        .map(|line| line.bytes)
        .unwrap_or_default())
}

/// The messages whose time is earlier than that of a previous message.
#[derive(Default)]
struct Backward {
    n_messages: u64,
    /// The index and time of the first such message, and the latest time before it.
    first: Option<(u64, Timestamp, Timestamp)>,
}

impl Backward {
    /// A single warning for all such messages.
    fn warning(&self) -> Option<String> {
        let (index, at, before) = self.first?;
        let first = format!(
            "message {} is from {} but follows one from {}",
            index + 1,
            at.to_rfc3339(),
            before.to_rfc3339()
        );
        Some(match self.n_messages {
            1 => format!("{first}; its time is kept"),
            n_messages => format!(
                "{} messages are older than an earlier message, first: {first}; all times are kept",
                base::TokenCount(n_messages)
            ),
        })
    }
}

/// The messages of a recording, in order.
type Messages = Box<dyn Iterator<Item = Result<Recorded, RecordingError>> + Send>;

fn lines(disk: &dyn Disk, path: &Path) -> Result<LineMessages, DiskError> {
    Ok(LineMessages::new(disk.open(path)?, path.to_owned()))
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
