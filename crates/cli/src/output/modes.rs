//! Output modes: format, verbosity, colour, width of messages, and the home to name in commands.

use base::Invocation;

use crate::environment::Stream;

/// How to print.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutputModes {
    pub format: OutputFormat,
    pub verbosity: Verbosity,
    pub paints: Paints,
    /// The destination of stderr. A terminal's width limits messages. In a file errors are not wrapped, so that grep
    /// finds phrases in them.
    pub stderr: Stream,
    /// How the commands in messages name the home.
    pub invocation: Invocation,
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
    /// Prints progress details too.
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
