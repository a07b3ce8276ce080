//! One thing that is wrong, and what to do about it.
//!
//! Data alone.

use std::path::PathBuf;

use session::SessionName;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Something should be looked at.
    Warning,
    /// Something does not work, or data is damaged.
    Problem,
}

impl Weight {
    /// The word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// How much it matters.
    pub(crate) weight: Weight,
    /// What kind it is, for programs.
    pub(crate) code: &'static str,
    /// Where, where that is a place.
    pub(crate) place: Option<String>,
    /// What is wrong.
    pub(crate) message: String,
    /// What to type next.
    pub(crate) hint: String,
    /// What `--fix` does about it.
    pub(crate) mend: Option<Mend>,
}

/// What can be mended without a decision of the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mend {
    /// Others may read it no more.
    MakePrivate(PathBuf),
    /// The torn end of a transcript goes into quarantine.
    CutTornEnd(SessionName),
    /// A file that a crash left half written goes.
    Remove(PathBuf),
    /// Lines that are forgotten already are taken out of their files.
    FinishForgetting,
    /// The index is made to say what notes and transcripts say.
    Index,
}
