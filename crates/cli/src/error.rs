//! CLI errors: what failed, why, and what to type next.
//!
//! Never prints: `output` renders errors.

use std::error::Error;
use std::iter::successors;
use std::path::Path;
use std::{io, slice};

use base::disk::{DiskError, OsDisk};
use base::{Disk, shell_word};
use rustix::fs::{Access, access};
use rustix::io::Errno;
use serde::Serialize;

/// The kind of a failure. It determines the exit code and appears in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ErrorKind {
    Usage,
    Config,
    Input,
    /// The user named something that does not exist.
    NotFound,
    Disk,
    Locked,
    Corrupt,
    TooNew,
    Model,
    /// The reader of the output has closed it.
    BrokenPipe,
    Internal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliError {
    pub kind: ErrorKind,
    pub message: String,
    /// The actions during which the error happened, innermost first.
    pub whiles: Vec<String>,
    /// Causes, the nearest first.
    pub causes: Vec<String>,
    pub hints: Vec<String>,
}

/// A result of a command, or the reason why it failed.
pub type Result<T, E = CliError> = std::result::Result<T, E>;

impl CliError {
    /// A failure without causes or hints.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            whiles: Vec::new(),
            causes: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// Wraps a library error with all of its causes.
    pub fn from_error(kind: ErrorKind, error: &dyn Error) -> Self {
        let causes = successors(error.source(), |&cause| cause.source());
        Self {
            causes: causes.map(ToString::to_string).collect(),
            ..Self::new(kind, error.to_string())
        }
    }

    /// Wraps an error that cannot be caused by input.
    pub fn internal(error: &dyn Error) -> Self {
        Self::from_error(ErrorKind::Internal, error)
    }

    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<String>) -> Self {
        self.causes.push(cause.into());
        self
    }

    #[must_use]
    pub fn doing(mut self, act: impl Into<String>) -> Self {
        self.whiles.push(act.into());
        self
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The failure, its causes, and the next command to type, on one line.
    pub fn with_hints(&self) -> String {
        [slice::from_ref(&self.one_line()), &self.hints]
            .concat()
            .join("; ")
    }

    /// The failure and its causes on one line.
    pub fn one_line(&self) -> String {
        [slice::from_ref(&self.message), &self.causes]
            .concat()
            .join(": ")
    }
}

impl From<DiskError> for CliError {
    fn from(error: DiskError) -> Self {
        let failure = Self::from_error(ErrorKind::Disk, &error);
        let hint = match (error.kind(), error.is_reading()) {
            (io::ErrorKind::PermissionDenied, true) => Some(readable_hint(&error.path)),
            _ if error.is_open_limit() => Some(open_files_hint()),
            // This is the program's own limit on reading, which the message states.
            (io::ErrorKind::FileTooLarge, true) => None,
            (kind, _) => disk_hint(kind).map(str::to_owned),
        };
        let hint = hint
            .or_else(|| NoFile::of(&error).map(|it| it.hint(&error.path)))
            .or_else(|| absent_hint(&error));
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// The hint for a missing file or directory, or an invalid file name.
fn absent_hint(error: &DiskError) -> Option<String> {
    let parent = error.path.parent();
    let above = parent.filter(|above| !above.as_os_str().is_empty());
    let above = above.unwrap_or(Path::new(".")).display();
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the list of the standard library grows; most kinds need no hint"
    )]
    match error.kind() {
        io::ErrorKind::NotFound if error.is_reading() => {
            Some(format!("`ls {above}` shows what is there"))
        }
        io::ErrorKind::NotFound => Some(format!("create the directory with `mkdir -p {above}`")),
        io::ErrorKind::InvalidFilename => Some("use a shorter path".to_owned()),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFile {
    Directory,
    /// A file is at the place of a directory above the path.
    NoDirectory,
    Special,
    /// The path is a symbolic link that leads back to itself.
    LinkLoop,
}

impl NoFile {
    /// The reason why the path is not a regular file, if that caused this error.
    pub fn of(error: &DiskError) -> Option<Self> {
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "the list of the standard library grows; most kinds are about regular files"
        )]
        match error.kind() {
            io::ErrorKind::IsADirectory => Some(Self::Directory),
            io::ErrorKind::NotADirectory => Some(Self::NoDirectory),
            io::ErrorKind::NotSeekable => Some(Self::Special),
            _ if error.is_link_loop() => Some(Self::LinkLoop),
            _ => None,
        }
    }

    fn hint(self, path: &Path) -> String {
        match self {
            // A device must never be moved, so no hint suggests it.
            Self::Special | Self::NoDirectory if is_device(path) => "name another file".to_owned(),
            Self::Directory | Self::Special | Self::NoDirectory => {
                let is_file = |it: &Path| matches!(OsDisk.stat(it), Ok(Some(it)) if !it.is_dir);
                let file = outermost(path, |it| self == Self::NoDirectory && is_file(it));
                let file = shell_word(file);
                format!("move it away with `mv {file} {file}.moved`, or name another file")
            }
            Self::LinkLoop => {
                let is_loop = |it: &Path| OsDisk.stat(it).is_err_and(|error| error.is_link_loop());
                let link = shell_word(outermost(path, is_loop));
                format!("remove the link with `rm {link}`, or name another file")
            }
        }
    }
}

/// Whether the path may name a device: it lies in `/dev`, but not in the memory file system that Linux mounts there.
fn is_device(path: &Path) -> bool {
    path.starts_with("/dev") && !path.starts_with("/dev/shm")
}

/// The outermost part of the path for which `holds` returns true; the whole path if there is none.
fn outermost(path: &Path, holds: impl Fn(&Path) -> bool) -> &Path {
    let parts = path.ancestors().filter(|above| holds(above));
    parts.last().unwrap_or(path)
}

/// The hint for a path that cannot be read, or whose directory cannot be entered.
fn readable_hint(path: &Path) -> String {
    let is_closed = |it: &Path| it != path && access(it, Access::EXEC_OK) == Err(Errno::ACCESS);
    let closed = shell_word(outermost(path, is_closed));
    format!("make it readable with `chmod u+rX {closed}`")
}

/// The hint for a limit on open files that is too low.
pub fn open_files_hint() -> String {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let enough = limit.unwrap_or(0).saturating_mul(2).max(OPEN_FILES_MIN);
    format!("raise the limit with `ulimit -n {enough}` and run the same command again")
}

/// The lowest limit on open files to suggest. It is enough for most commands.
const OPEN_FILES_MIN: u64 = 256;

/// The hint for a failed write.
pub fn disk_hint(kind: io::ErrorKind) -> Option<&'static str> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the list of the standard library grows; most kinds need no hint"
    )]
    match kind {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Some("make the directory writable, or choose another place")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("free some disk space and run the same command again")
        }
        io::ErrorKind::FileTooLarge => Some(
            "raise the file size limit with `ulimit -f unlimited` and run the same command again",
        ),
        _ => None,
    }
}

impl From<io::Error> for CliError {
    /// A failure to print. All other I/O of this crate goes through `Disk`.
    fn from(error: io::Error) -> Self {
        let kind = if error.kind() == io::ErrorKind::BrokenPipe {
            ErrorKind::BrokenPipe
        } else {
            ErrorKind::Disk
        };
        Self::new(kind, "cannot print the output").caused_by(error.to_string())
    }
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
