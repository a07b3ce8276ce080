//! A note that a flush leaves in the daily log.
//!
//! Knows nothing of the log itself.

use base::{EntryId, FLUSH_SECTIONS, Origin};

/// The notes of one flush; none where nothing was worth keeping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlushNotes {
    /// In the order of the sections.
    pub notes: Vec<FlushNote>,
}

/// One thing worth keeping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlushNote {
    /// Where it stands in the log.
    pub section: FlushSection,
    /// One line, without secrets and without comment marks.
    pub text: String,
    /// The entries that it rests on, oldest first; all of them lie in the span.
    pub evidence: Vec<EntryId>,
    /// The least trusted of those who said the evidence; the assistant where there is none.
    pub origin: Origin,
}

/// A section of a flush block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlushSection {
    /// What was done and what is left to do.
    TaskProgress,
    /// What was decided, and why.
    ImportantDecisions,
    /// What was found out, problems above all.
    IssuesFound,
    /// What the user wants or forbids.
    UserPreferences,
    /// What fits none of them.
    Notes,
}

impl FlushSection {
    /// Every section, in order.
    pub const ALL: [Self; 5] = [
        Self::TaskProgress,
        Self::ImportantDecisions,
        Self::IssuesFound,
        Self::UserPreferences,
        Self::Notes,
    ];

    /// The heading in the reply and in the log.
    pub fn heading(self) -> &'static str {
        let [progress, decisions, issues, preferences, notes] = FLUSH_SECTIONS;
        match self {
            Self::TaskProgress => progress,
            Self::ImportantDecisions => decisions,
            Self::IssuesFound => issues,
            Self::UserPreferences => preferences,
            Self::Notes => notes,
        }
    }
}

/// The least trusted of several origins; `None` of none.
pub(super) fn least_trusted(origins: impl Iterator<Item = Origin>) -> Option<Origin> {
    origins.max_by_key(|origin| match origin {
        Origin::Owner => 0,
        Origin::Agent => 1,
        Origin::System => 2,
        Origin::Untrusted => 3,
    })
}
