//! How output is written: for whom, how much of it, and in colour or plain.
//!
//! Writes nothing.

/// For whom data is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    #[default]
    Human,
    /// For programs: one object on one line, or one event a line.
    Json,
}

/// How much is said on stderr.
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

/// Which stream takes colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Paints {
    pub(crate) stdout: Paint,
    pub(crate) stderr: Paint,
}
