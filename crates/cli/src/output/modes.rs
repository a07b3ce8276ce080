//! Output modes: format, verbosity, colour, width of messages, and the home in them.

use std::path::PathBuf;

use crate::environment::Stream;

/// How to print.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutputModes {
    pub format: OutputFormat,
    pub verbosity: Verbosity,
    pub paints: Paints,
    /// The other end of stderr, whose width limits messages; a file gets errors unwrapped, so that grep finds phrases
    /// in them.
    pub stderr: Stream,
    /// The home that the commands in messages name: that of `--home`.
    pub home: Option<PathBuf>,
}

/// Who reads the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputFormat {
    #[default]
    Human,
    /// For programs: one object on one line, or one event per line.
    Json,
}

/// How much to print on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verbosity {
    Quiet,
    #[default]
    Normal,
    /// Progress details too.
    Verbose,
}

/// Whether a stream takes colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paint {
    #[default]
    Plain,
    Coloured,
}

/// Which streams take colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Paints {
    pub stdout: Paint,
    pub stderr: Paint,
}
