//! Output modes: format, verbosity and colour.

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
