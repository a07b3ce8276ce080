//! The notes of a flush.
//!
//! Knows nothing of the log that they go into.

use base::model::Excerpt;
use base::{EntryId, FLUSH_SECTIONS, Origin};

/// The notes of one flush; empty if nothing was worth keeping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlushNotes {
    /// The accepted notes, ordered by section.
    pub notes: Vec<FlushNote>,
    /// Notes of a model that were refused, in order.
    pub refused: Vec<RefusedNote>,
    /// Warnings for the owner, for example that a model did not answer.
    pub warnings: Vec<String>,
}

/// A note as written by a model, not checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedNote {
    /// Its section.
    pub section: FlushSection,
    /// Its text, on one line and sanitised for the log.
    pub text: String,
    /// The labels that it cites, verbatim.
    pub labels: String,
    /// The words of a message that support it.
    pub quote: String,
}

/// Checks whether the evidence supports a note, and determines the note's origin.
pub trait Grounds {
    /// The origin of a note that cites these messages, at least one, of all that the model was shown.
    fn origin(
        &self,
        note: &ProposedNote,
        cited: &[&Excerpt],
        shown: &[Excerpt],
    ) -> Result<Origin, NoteRefusal>;

    /// The sentence of a cited message in which the quote of a note stands; `None` if there is none.
    fn sentence(&self, note: &ProposedNote, cited: &[&Excerpt]) -> Option<String>;
}

/// A refused note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedNote {
    /// Its text, shortened.
    pub text: String,
    /// Why it was refused.
    pub why: NoteRefusal,
    /// The sentence that it is about, as it was said, if only the note's own words were refused.
    pub said: Option<FlushNote>,
}

/// Why a note is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NoteRefusal {
    /// It is not a JSON object with a text.
    #[error("it is not a JSON object with section, text, evidence and quote")]
    Unreadable,
    /// Its text is empty.
    #[error("its text is empty")]
    Empty,
    /// It cites no message of the transcript.
    #[error("its evidence is not a transcript label")]
    NoEvidence,
    /// Its quote is missing or too short to verify.
    #[error("its quote has fewer than three words")]
    NoQuote,
    /// Its quote is not in the cited messages.
    #[error("its quote is not in the lines it cites")]
    QuoteNotFound,
    /// It has a figure, date or name that no message of the transcript has.
    #[error("it has a figure, date or name that no line of the transcript says; leave it out")]
    NotSaid,
    /// The reply was cut off after it, at its length limit.
    #[error("the reply was cut off after it; write the remaining notes, more briefly")]
    Cut,
    /// There are more notes than fit into a block.
    #[error("there are more notes than fit in one block")]
    TooMany,
}

/// One accepted note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlushNote {
    /// Its section in the log.
    pub section: FlushSection,
    /// Its text: one line, redacted, without HTML comment marks.
    pub text: String,
    /// The words of a message that support it.
    pub quote: String,
    /// The entries that support it, oldest first, all within the span.
    pub evidence: Vec<EntryId>,
    /// Who answers for it, as determined by its [`Grounds`].
    pub origin: Origin,
}

/// A section of a flush block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlushSection {
    /// Work done and work left.
    TaskProgress,
    /// Decisions and their reasons.
    ImportantDecisions,
    /// Findings, above all problems.
    IssuesFound,
    /// The user's wishes and prohibitions.
    UserPreferences,
    /// Everything else.
    Notes,
}

impl FlushSection {
    /// All sections, in order.
    pub const ALL: [Self; 5] = [
        Self::TaskProgress,
        Self::ImportantDecisions,
        Self::IssuesFound,
        Self::UserPreferences,
        Self::Notes,
    ];

    /// The heading in replies and in the log.
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

/// The least trusted of several origins; `None` if there are none.
pub fn least_trusted(origins: impl Iterator<Item = Origin>) -> Option<Origin> {
    origins.max_by_key(|origin| match origin {
        Origin::Owner => 0,
        Origin::Agent => 1,
        Origin::System => 2,
        Origin::Untrusted => 3,
    })
}
