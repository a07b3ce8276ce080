//! Opens a recording: finds out what it is, and that every line of it can be replayed.
//!
//! Checks the whole file before the first message is handed out, so that a replay of a damaged file
//! begins with an error and not in the middle.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::DiskError;
use base::{Disk, Message, Origin, Timestamp, content_hash};

use super::line_source::{LINE_BYTES_MAX, Line, LineError, LineSource};
use super::wire::{self, Parsed, Speaker};

/// A recording that was checked.
#[derive(Debug)]
pub struct Recording {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    n_messages: u64,
    warnings: Vec<String>,
    hashes: Vec<String>,
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
    /// Opens and checks a file of JSON Lines.
    ///
    /// # Errors
    ///
    /// [`RecordingError`] for the first thing that cannot be replayed.
    pub fn open(disk: Arc<dyn Disk>, path: &Path) -> Result<Self, RecordingError> {
        if disk.stat(path)?.is_some_and(|stat| stat.is_dir) {
            return Err(RecordingError::Directory {
                path: path.to_owned(),
            });
        }
        let mut recording = Self {
            disk,
            path: path.to_owned(),
            n_messages: 0,
            warnings: Vec::new(),
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
        let file = self.disk.open(&self.path)?;
        Ok(Messages {
            path: self.path.clone(),
            lines: LineSource::new(file),
            index: 0,
        })
    }

    fn check(&mut self) -> Result<(), RecordingError> {
        let mut latest: Option<Timestamp> = None;
        for recorded in self.messages()? {
            let recorded = recorded?;
            self.n_messages += 1;
            if let (Some(latest), Some(at)) = (latest, recorded.at)
                && at < latest
            {
                self.warnings.push(format!(
                    "message {} was said at {} but stands after one of {}; its time is kept",
                    recorded.index + 1,
                    at.to_rfc3339(),
                    latest.to_rfc3339()
                ));
            }
            latest = recorded.at.or(latest);
            self.hashes.push(recorded.hash);
        }
        if self.n_messages == 0 {
            return Err(RecordingError::Empty {
                path: self.path.clone(),
            });
        }
        Ok(())
    }
}

/// The messages of a recording, in order.
#[derive(Debug)]
pub struct Messages {
    path: PathBuf,
    lines: LineSource,
    index: u64,
}

impl Iterator for Messages {
    type Item = Result<Recorded, RecordingError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.lines.next_line() {
                Ok(line) => line?,
                Err(LineError::Disk(error)) => return Some(Err(error.into())),
                Err(LineError::TooLong { number }) => {
                    let path = self.path.clone();
                    return Some(Err(RecordingError::TooLong { path, line: number }));
                }
            };
            if !line.bytes.trim_ascii().is_empty() {
                return Some(self.read(&line));
            }
        }
    }
}

impl Messages {
    fn read(&mut self, line: &Line) -> Result<Recorded, RecordingError> {
        let bytes = self.text_of(line)?;
        let parsed = wire::parse(bytes).map_err(|reason| self.not_a_message(line, reason))?;
        let index = self.index;
        self.index += 1;
        let Parsed {
            speaker,
            message,
            at,
        } = parsed;
        let origin = match speaker {
            Speaker::User => Origin::Owner,
            Speaker::Assistant => Origin::Agent,
            Speaker::Tool => Origin::Untrusted,
            Speaker::System => Origin::System,
        };
        Ok(Recorded {
            index,
            hash: content_hash(bytes),
            at,
            origin,
            message,
        })
    }

    /// The line without a byte order mark, once it is known to be UTF-8 text.
    fn text_of<'a>(&self, line: &'a Line) -> Result<&'a [u8], RecordingError> {
        let (path, number) = (self.path.clone(), line.number);
        let mut bytes = line.bytes.as_slice();
        if number == 1
            && let Some((encoding, n_mark)) = encoding_rs::Encoding::for_bom(bytes)
        {
            if encoding != encoding_rs::UTF_8 {
                let encoding = encoding.name();
                return Err(RecordingError::Encoding {
                    path,
                    encoding,
                    line: number,
                });
            }
            bytes = bytes.get(n_mark..).unwrap_or_default();
        }
        if memchr::memchr(0, bytes).is_some() {
            return Err(RecordingError::Binary { path, line: number });
        }
        match std::str::from_utf8(bytes) {
            Ok(_) => Ok(bytes),
            Err(_) if !line.is_ended => Err(RecordingError::CutOff { path, line: number }),
            // Every byte string is valid in this encoding, the usual one of older Western files.
            Err(_) => Err(RecordingError::Encoding {
                path,
                encoding: "windows-1252",
                line: number,
            }),
        }
    }

    fn not_a_message(&self, line: &Line, reason: String) -> RecordingError {
        let (path, number) = (self.path.clone(), line.number);
        if number == 1 && line.bytes.trim_ascii_start().starts_with(b"[") {
            RecordingError::Array { path }
        } else if !line.is_ended && self.index > 0 {
            RecordingError::CutOff { path, line: number }
        } else {
            RecordingError::NotAMessage {
                path,
                line: number,
                reason,
            }
        }
    }
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
