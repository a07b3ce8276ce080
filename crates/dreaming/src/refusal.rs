//! The reasons for refusing a finding.

use strum::EnumMessage;

/// The reason for refusing a finding.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::EnumMessage,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "camelCase")]
pub enum Refusal {
    /// It is no valid operation.
    #[strum(message = "is not a valid operation")]
    Unreadable,
    /// The reply was truncated before it.
    #[strum(message = "the reply was cut off before it; the next dream reads it again")]
    CutOff,
    /// It has too few words.
    #[strum(message = "says nothing on its own")]
    Empty,
    /// It is too long for a line.
    #[strum(message = "too long for a line")]
    TooLong,
    /// It is a question.
    #[strum(message = "asks a question")]
    Question,
    /// A secret was redacted in it.
    #[strum(message = "contains a redacted secret")]
    Redacted,
    /// It cites no existing item.
    #[strum(message = "cites nothing that exists")]
    NoEvidence,
    /// It has no quote, or too short a one.
    #[strum(message = "quotes none of your words")]
    NoQuote,
    /// The cited texts do not contain its quote.
    #[strum(message = "its quote is not in what it cites")]
    NotGrounded,
    /// The message already has the maximum number of lines.
    #[strum(message = "two lines already come from the same message")]
    EvidenceSpent,
    /// It removes something that `MEMORY.md` does not contain.
    #[strum(message = "ends something that is not in MEMORY.md")]
    NoLine,
    /// Another finding of this dream says the same.
    #[strum(message = "repeats another finding of this dream")]
    Repeated,
    /// `MEMORY.md` already says it.
    #[strum(message = "already in MEMORY.md")]
    Known,
    /// It was in `MEMORY.md` before and was removed.
    #[strum(message = "removed from MEMORY.md before")]
    TakenOut,
    /// It is pending already.
    #[strum(message = "already waits in DREAMS.md")]
    Waiting,
    /// The owner has rejected or forgotten it.
    #[strum(message = "rejected or forgotten before")]
    Rejected,
    /// Its evidence was forgotten or changed while the model was working.
    #[strum(message = "its evidence was forgotten or changed during the dream")]
    Gone,
    /// A newer statement contradicts it.
    #[strum(message = "something newer contradicts it")]
    Outdated,
    /// Its score is too low.
    #[strum(message = "its score is too low")]
    LowScore,
    /// The session reached its limit of lines.
    #[strum(message = "enough lines from this session; the next dream reads the rest of its notes")]
    SessionFull,
    /// The dream reached its limit of lines.
    #[strum(message = "enough lines for one dream; the next reads the rest of the notes")]
    DreamFull,
    /// Too many candidates are pending.
    #[strum(
        message = "150 candidates already wait; after an `openclaw dream review` the next dream reads the notes again"
    )]
    QueueFull,
}

impl Refusal {
    /// All reasons.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The identifier in machine-readable reports.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the next dream reads it again.
    pub fn is_postponed(self) -> bool {
        matches!(
            self,
            Self::CutOff | Self::SessionFull | Self::DreamFull | Self::QueueFull
        )
    }

    /// The reason for people.
    pub fn in_words(self) -> &'static str {
        self.get_message().unwrap_or_default()
    }
}
