//! Output modes: format, verbosity, colour, width of messages, and the home in them.

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
