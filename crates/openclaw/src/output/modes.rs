//! Output modes: format, verbosity, colour, width of messages, and the home in them.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::environment::Stream;

/// How to print.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct OutputModes {
    pub(crate) format: OutputFormat,
    pub(crate) verbosity: Verbosity,
    pub(crate) paints: Paints,
    /// The other end of stderr, whose width limits messages; a file gets errors unwrapped, so that grep finds phrases
    /// in them.
    pub(crate) stderr: Stream,
    /// The home that the commands in messages name: that of `--home`.
    pub(crate) home: Option<PathBuf>,
    /// The path of an open home in a vault, and the address that is shown in its place.
    pub(crate) vault_home: Option<(String, String)>,
}

impl OutputModes {
    /// The text with the address of a home in a vault, where no file is at its path.
    pub(super) fn shown<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.vault_home {
            Some((path, address)) => Cow::Owned(text.replace(path, address)),
            None => Cow::Borrowed(text),
        }
    }
}

/// Who reads the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum OutputFormat {
    #[default]
    Human,
    /// For programs: one object on one line, or one event per line.
    Json,
}

/// How much to print on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Verbosity {
    Quiet,
    #[default]
    Normal,
    /// Progress details too.
    Verbose,
}

/// Whether a stream takes colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Paint {
    #[default]
    Plain,
    Coloured,
}

/// Which streams take colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Paints {
    pub(crate) stdout: Paint,
    pub(crate) stderr: Paint,
}
