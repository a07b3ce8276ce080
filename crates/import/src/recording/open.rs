//! Opens a recording: finds out what it is, and that every line of it can be replayed.
//!
//! Checks the whole file before the first message is handed out, so that a replay of a damaged file
//! begins with an error and not in the middle.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::DiskError;
use base::{Disk, Timestamp};

use super::line_messages::{LineMessages, LineSource};
use super::recorded::{Recorded, RecordingError};
use super::session_messages::{SessionMessages, SessionPath};
use super::wire;

/// A recording that was checked.
#[derive(Debug)]
pub struct Recording {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    form: Form,
    n_messages: u64,
    warnings: Vec<String>,
    /// So many of them, the first, are about what is written there and not about its times.
    n_of_form: usize,
    hashes: Vec<String>,
}

/// How a recording holds its messages.
#[derive(Debug)]
enum Form {
    /// One a line.
    Lines,
    /// Among the other entries of a session.
    Session(SessionPath),
}

impl Recording {
    /// Opens and checks a file of JSON Lines, or of a session: its messages on the way to the newest
    /// entry.
    pub fn open(disk: Arc<dyn Disk>, path: &Path) -> Result<Self, RecordingError> {
        if disk.stat(path)?.is_some_and(|stat| stat.is_dir) {
            return Err(RecordingError::Directory {
                path: path.to_owned(),
            });
        }
        let (form, warnings) = if begins_session(&*disk, path)? {
            let (session, warnings) = SessionPath::read(&*disk, path)?;
            (Form::Session(session), warnings)
        } else {
            (Form::Lines, Vec::new())
        };
        let mut recording = Self {
            disk,
            path: path.to_owned(),
            form,
            n_messages: 0,
            n_of_form: warnings.len(),
            warnings,
            hashes: Vec::new(),
        };
        recording.check()?;
        Ok(recording)
    }

    /// How many messages it holds.
    pub fn n_messages(&self) -> u64 {
        self.n_messages
    }

    /// What is odd about it, a sentence each; nothing of it prevents a replay.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// How many messages of it stand on branches that were left, and are none of its own.
    pub(crate) fn n_elsewhere(&self) -> u64 {
        match &self.form {
            Form::Lines => 0,
            Form::Session(session) => session.n_elsewhere(),
        }
    }

    /// The same without what it says of the times.
    pub(crate) fn warnings_of_form(&self) -> &[String] {
        self.warnings.get(..self.n_of_form).unwrap_or_default()
    }

    /// The hash of each message, in order.
    pub fn hashes(&self) -> &[String] {
        &self.hashes
    }

    /// Reads the messages again, one by one.
    ///
    /// # Errors
    ///
    /// [`RecordingError`], also where the file was changed since it was checked.
    pub fn messages(&self) -> Result<Messages, RecordingError> {
        Ok(Messages(match &self.form {
            Form::Lines => {
                let file = self.disk.open(&self.path)?;
                MessageSource::Lines(LineMessages::new(file, self.path.clone()))
            }
            Form::Session(session) => {
                MessageSource::Session(session.messages(&*self.disk, &self.path)?)
            }
        }))
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
            return Err(RecordingError::Empty {
                path: self.path.clone(),
            });
        }
        self.n_of_form = self.warnings.len();
        self.warnings.extend(backward.warning());
        Ok(())
    }
}

fn begins_session(disk: &dyn Disk, path: &Path) -> Result<bool, DiskError> {
    let first = LineSource::new(disk.open(path)?).next_line();
    // A line that cannot be read is told when the messages are.
    Ok(matches!(first, Ok(Some(line)) if wire::is_session_header(&line.bytes)))
}

/// Messages that stand after one that was said later.
#[derive(Default)]
struct Backward {
    n_messages: u64,
    /// The first of them, when it was said, and when the one before it was.
    first: Option<(u64, Timestamp, Timestamp)>,
}

impl Backward {
    /// One sentence, however many they are.
    fn warning(&self) -> Option<String> {
        let (index, at, before) = self.first?;
        let first = format!(
            "message {} was said at {} but stands after one of {}",
            index + 1,
            at.to_rfc3339(),
            before.to_rfc3339()
        );
        Some(match self.n_messages {
            1 => format!("{first}; its time is kept"),
            n_messages => format!(
                "the times of {} messages go back, first: {first}; all times are kept",
                base::TokenCount(n_messages)
            ),
        })
    }
}

/// The messages of a recording, in order.
#[derive(Debug)]
pub struct Messages(MessageSource);

#[derive(Debug)]
enum MessageSource {
    Lines(LineMessages),
    Session(SessionMessages),
}

impl Iterator for Messages {
    type Item = Result<Recorded, RecordingError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            MessageSource::Lines(messages) => messages.next(),
            MessageSource::Session(messages) => messages.next(),
        }
    }
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
