//! A note that a flush leaves in the daily log.
//!
//! Knows nothing of the log itself.

use base::model::Excerpt;
use base::{EntryId, FLUSH_SECTIONS, Origin};

/// The notes of one flush; none where nothing was worth keeping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlushNotes {
    /// In the order of the sections.
    pub notes: Vec<FlushNote>,
    /// What a model wrote and the host did not take, in order.
    pub refused: Vec<RefusedNote>,
    /// What the owner should know of how they were made, such as that a model did not answer.
    pub warnings: Vec<String>,
}

/// A note as a model writes it, before anything of it is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedNote {
    /// Where it is to stand.
    pub section: FlushSection,
    /// What it says, on one line and harmless for the log.
    pub text: String,
    /// The labels that it cites, as they were written.
    pub labels: String,
    /// The words of a message that say so.
    pub quote: String,
}

/// Tells whether a note rests on what was said, and who answers for it.
pub trait Grounds {
    /// The origin of a note that cites these messages, of which there is at least one.
    fn origin(&self, note: &ProposedNote, cited: &[&Excerpt]) -> Result<Origin, NoteRefusal>;
}

/// A note that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedNote {
    /// What it says, shortened.
    pub text: String,
    /// Why it was not taken.
    pub why: NoteRefusal,
}

/// Why a note is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NoteRefusal {
    /// It is no JSON object with a text.
    #[error("it is no JSON object with section, text, evidence and quote")]
    Unreadable,
    /// It says nothing.
    #[error("its text is empty")]
    Empty,
    /// It names no message of the transcript.
    #[error("its evidence is no label of the transcript")]
    NoEvidence,
    /// Its quote is too short to be found again.
    #[error("its quote has fewer than three words")]
    NoQuote,
    /// Its quote is not what the messages say.
    #[error("its quote does not stand in the lines that it names")]
    QuoteNotFound,
    /// The reply ended behind it at its length limit.
    #[error(
        "the reply was cut behind it; write the notes that were to follow, in fewer and shorter words"
    )]
    Cut,
    /// There are more than a block takes.
    #[error("there are more notes than one block takes")]
    TooMany,
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
pub fn least_trusted(origins: impl Iterator<Item = Origin>) -> Option<Origin> {
    origins.max_by_key(|origin| match origin {
        Origin::Owner => 0,
        Origin::Agent => 1,
        Origin::System => 2,
        Origin::Untrusted => 3,
    })
}
