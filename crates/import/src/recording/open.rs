//! Opens a recording: finds out what it is, and that every line of it can be replayed.
//!
//! Checks the whole file before the first message is handed out, so that a replay of a damaged file
//! begins with an error and not in the middle.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::DiskError;
use base::{Disk, Message, Origin, Timestamp};

use super::line_messages::LineMessages;
use super::line_messages::{LINE_BYTES_MAX, LineSource};
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

/// A message of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Its place among the messages, from 0.
    pub index: u64,
    /// SHA-256 of its line, in hex.
    pub hash: String,
    /// When it was said, where the recording says so.
    pub at: Option<Timestamp>,
    /// Who is answerable for it: what the owner replays as said by the user is the owner's.
    pub origin: Origin,
    /// What was said.
    pub message: Message,
}

/// A recording that cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// It cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It is a directory.
    #[error("{} is a directory, not a recorded conversation", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// There is nothing in it.
    #[error("{} holds no message", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It is not text.
    #[error("{} is not text: line {line} holds a zero byte", path.display())]
    Binary {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
    },
    /// It is text in another encoding.
    #[error("{} is not UTF-8 but looks like {encoding} (line {line})", path.display())]
    Encoding {
        /// The file.
        path: PathBuf,
        /// The name that `iconv -f` takes.
        encoding: &'static str,
        /// From 1.
        line: u64,
    },
    /// Its last line breaks off.
    #[error("{} breaks off in line {line}", path.display())]
    CutOff {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
    },
    /// A line is longer than can be replayed.
    #[error("line {line} of {} is longer than {} MiB", path.display(), LINE_BYTES_MAX / 1024 / 1024)]
    TooLong {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
    },
    /// It is one JSON document instead of one object a line.
    #[error("{} is one JSON array, not one message a line", path.display())]
    Array {
        /// The file.
        path: PathBuf,
    },
    /// It is a session that a newer version wrote.
    #[error("{} is a session of format {found}; this version reads {supported}", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
        /// Ours.
        supported: u64,
    },
    /// A line is no message.
    #[error("line {line} of {} is not a message: {reason}", path.display())]
    NotAMessage {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
        /// What was wrong with it.
        reason: String,
    },
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
