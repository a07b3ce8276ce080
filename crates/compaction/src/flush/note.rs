//! The notes of a flush.
//!
//! Independent of the log file that they are written to.

use base::model::Excerpt;
use base::{EntryId, FLUSH_SECTIONS, Origin};

/// The notes of one flush; empty if nothing was worth keeping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlushNotes {
    /// The accepted notes, ordered by section.
    pub notes: Vec<FlushNote>,
    /// Rejected notes of a model, in the order of the reply.
    pub refused: Vec<RefusedNote>,
    /// Warnings for the owner, for example that a model did not respond.
    pub warnings: Vec<String>,
}

/// A note as a model wrote it, before any check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedNote {
    /// The section that the model chose.
    pub section: FlushSection,
    /// Its text, on one line and sanitised for the log.
    pub text: String,
    /// The labels of the messages that it cites, as the model wrote them.
    pub labels: String,
    /// The words of a message that support it, as the model quoted them.
    pub quote: String,
}

/// Checks whether the evidence supports a note, and determines the note's origin.
pub trait Grounds {
    /// The origin of a note, or the reason for rejecting it. `cited` has at least one message, and all of them are
    /// among `shown`, the messages that the model read.
    fn origin(
        &self,
        note: &ProposedNote,
        cited: &[&Excerpt],
        shown: &[Excerpt],
    ) -> Result<Origin, NoteRefusal>;

    /// The sentence in a cited message that contains the note's quote; `None` if there is none.
    fn sentence(&self, note: &ProposedNote, cited: &[&Excerpt]) -> Option<String>;
}

/// A rejected note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedNote {
    /// The note's text, shortened.
    pub text: String,
    /// The reason for the rejection.
    pub why: NoteRefusal,
    /// A note with the quoted sentence as its text, if the model's own wording was the only reason for the rejection.
    pub said: Option<FlushNote>,
}

/// The reason why a note is rejected.
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
    /// It contains a figure, date or name that is in no message of the transcript.
    #[error("it has a figure, date or name that no line of the transcript says; leave it out")]
    NotSaid,
    /// The reply reached its length limit after this note and was cut off.
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
    /// The author who answers for it, as determined by [`Grounds`].
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
    /// What the assistant said that it would do; no section of the log.
    Promised,
}

/// The section in a reply of what the assistant promised.
pub(super) const PROMISED: &str = "Promised";

impl FlushSection {
    /// All sections of the log, in order.
    pub const ALL: [Self; 5] = [
        Self::TaskProgress,
        Self::ImportantDecisions,
        Self::IssuesFound,
        Self::UserPreferences,
        Self::Notes,
    ];

    /// The section's heading in replies and in the log.
    pub fn heading(self) -> &'static str {
        let [progress, decisions, issues, preferences, notes] = FLUSH_SECTIONS;
        match self {
            Self::TaskProgress => progress,
            Self::ImportantDecisions => decisions,
            Self::IssuesFound => issues,
            Self::UserPreferences => preferences,
            Self::Notes => notes,
            Self::Promised => PROMISED,
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
