//! Exit codes.
//!
//! Scripts rely on them, so a number never changes its meaning.

use std::process::ExitCode;

use crate::error::ErrorKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Success, even if the result is empty.
    Done = 0,
    Failure = 1,
    Usage = 2,
    /// With `--strict`: an answer was given, but something may be missing.
    Degraded = 3,
    Locked = 4,
    /// Data is corrupt or from a newer version. Nothing was written.
    Corrupt = 5,
    ModelUnavailable = 6,
    Bug = 70,
    Interrupted = 130,
}

/// Every exit code, in the order of the reference page.
pub const ALL: [Exit; 9] = [
    Exit::Done,
    Exit::Failure,
    Exit::Usage,
    Exit::Degraded,
    Exit::Locked,
    Exit::Corrupt,
    Exit::ModelUnavailable,
    Exit::Bug,
    Exit::Interrupted,
];

impl Exit {
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The description on the reference page.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => {
                "success, even with an empty result or when the reader of the output closes it"
            }
            Self::Failure => "an expected failure: bad input, an invalid setting, nothing found",
            Self::Usage => "invalid command-line usage",
            Self::Degraded => "answered, but stale or degraded, with `--strict`",
            Self::Locked => "another process holds the session, the notes or the index",
            Self::Corrupt => "data is corrupt or from a newer version; nothing was written",
            Self::ModelUnavailable => "no model is available",
            Self::Bug => "a bug in openclaw; the message says how to report it",
            Self::Interrupted => "interrupted with Ctrl-C",
        }
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::BrokenPipe => Self::Done,
            ErrorKind::Config | ErrorKind::Disk | ErrorKind::Input | ErrorKind::NotFound => {
                Self::Failure
            }
            ErrorKind::Usage => Self::Usage,
            ErrorKind::Locked => Self::Locked,
            ErrorKind::Corrupt | ErrorKind::TooNew => Self::Corrupt,
            ErrorKind::Model => Self::ModelUnavailable,
            ErrorKind::Internal => Self::Bug,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
