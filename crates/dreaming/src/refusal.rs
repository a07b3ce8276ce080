//! The reasons for refusing a finding, in words for the owner and in words for the model.

use strum::EnumMessage;

use crate::propose::Proposer;

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
    /// It is not a valid operation.
    #[strum(
        message = "is not a valid operation",
        detailed_message = "this is not a JSON object with all the keys of an operation"
    )]
    Unreadable,
    /// The reply was truncated before it.
    #[strum(message = "the reply was cut off before it; the next dream reads it again")]
    CutOff,
    /// It has too few words.
    #[strum(message = "says nothing on its own")]
    Empty,
    /// It is too long for a line.
    #[strum(
        message = "too long for a line",
        detailed_message = "the text is longer than 240 characters; write one fact, or split it into several operations"
    )]
    TooLong,
    #[strum(message = "asks a question")]
    Question,
    /// A secret was redacted in it.
    #[strum(message = "contains a redacted secret")]
    Redacted,
    /// It cites no existing item.
    #[strum(
        message = "cites nothing that exists",
        detailed_message = "none of the labels in `evidence` is a label of a note"
    )]
    NoEvidence,
    /// It has no quote, or too short a one.
    #[strum(
        message = "quotes none of your words",
        detailed_message = "the quote has fewer than three words of a message"
    )]
    NoQuote,
    /// The cited texts do not contain its quote.
    #[strum(
        message = "its quote is not in what it cites",
        detailed_message = "the quote is not in the messages that you cite; copy it letter by letter from one message of \
                            the owner and cite the note above that message"
    )]
    NotGrounded,
    /// It removes something that `MEMORY.md` does not contain.
    #[strum(message = "ends something that is not in MEMORY.md")]
    NoLine,
    /// It takes back a candidate that waits for review.
    #[strum(
        message = "takes back what waits for your review, where you can reject it",
        detailed_message = "`line` is a proposal that the owner has not decided yet, which cannot be retired; use update if \
                            a new fact replaces it, or leave it out"
    )]
    RetiresWaiting,
    /// Another finding of this dream says the same.
    #[strum(message = "repeats another finding of this dream")]
    Repeated,
    /// `MEMORY.md` already says it.
    #[strum(message = "already in MEMORY.md")]
    Known,
    /// It was in `MEMORY.md` before and was removed.
    #[strum(message = "removed from MEMORY.md before")]
    TakenOut,
    /// The owner took it back after it was noted, or called it never true.
    #[strum(message = "you took it back")]
    TakenBack,
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
    /// A newer finding takes its place in the queue.
    #[strum(message = "a newer finding takes its place in DREAMS.md")]
    Replaced,
    /// The dream reached its limit of lines.
    #[strum(
        message = "enough lines for one pass; the notes are read again in the next pass of this dream"
    )]
    DreamFull,
    /// More useful candidates are pending.
    #[strum(
        message = "not offered for review, because what waits is more useful; the note stays in the log, where search finds it"
    )]
    NotOffered,
}

impl Refusal {
    /// All reasons.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The identifier in machine-readable reports.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether a later pass or dream reads it again.
    pub fn is_postponed(self) -> bool {
        matches!(self, Self::CutOff | Self::DreamFull)
    }

    /// The reason for people.
    pub fn in_words(self) -> &'static str {
        self.get_message().unwrap_or_default()
    }

    /// The reason for whoever proposed the finding.
    pub fn words_for(self, proposer: Proposer) -> &'static str {
        let for_model = self.for_model().filter(|_| proposer == Proposer::Model);
        for_model.unwrap_or(self.in_words())
    }

    /// The reason for the model that wrote the finding; `None` if a model cannot fix it.
    pub fn for_model(self) -> Option<&'static str> {
        self.get_detailed_message()
    }
}
