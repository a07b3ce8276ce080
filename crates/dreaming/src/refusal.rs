//! Why a finding is not taken, in words.
//!
//! Judges none: that is for the stages.

use strum::EnumMessage;

/// Why a finding is not taken.
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
    /// It is no operation.
    #[strum(message = "is no operation as it was asked for")]
    Unreadable,
    /// The reply ended before it came to it.
    #[strum(message = "the reply ended before it; the next dream reads it again")]
    CutOff,
    /// It says nothing by itself.
    #[strum(message = "says nothing by itself")]
    Empty,
    /// It is too long for a line.
    #[strum(message = "too long for a line")]
    TooLong,
    /// It asks.
    #[strum(message = "asks a question")]
    Question,
    /// A secret was taken out of it.
    #[strum(message = "a secret was taken out of it")]
    Redacted,
    /// It cites nothing that exists.
    #[strum(message = "cites nothing that exists")]
    NoEvidence,
    /// It quotes no words of the owner.
    #[strum(message = "quotes no words of yours")]
    NoQuote,
    /// Its quote does not stand in what it cites.
    #[strum(message = "its quote does not stand in what it cites")]
    NotGrounded,
    /// Enough lines were made of the same message.
    #[strum(message = "two lines were made of the same message already")]
    EvidenceSpent,
    /// It ends something that long-term memory does not hold.
    #[strum(message = "ends something that MEMORY.md does not hold")]
    NoLine,
    /// Another of the same dream says the same.
    #[strum(message = "said twice in this dream")]
    Repeated,
    /// Long-term memory says it already.
    #[strum(message = "in MEMORY.md already")]
    Known,
    /// It was in long-term memory before, and was taken out.
    #[strum(message = "taken out of MEMORY.md before")]
    TakenOut,
    /// It waits already.
    #[strum(message = "waits in DREAMS.md already")]
    Waiting,
    /// The owner turned it down, or had it forgotten.
    #[strum(message = "turned down or forgotten before")]
    Rejected,
    /// What it rests on was forgotten, or left its log, while a model was asked.
    #[strum(message = "what it rests on was forgotten or changed during the dream")]
    Gone,
    /// Something newer says otherwise.
    #[strum(message = "something newer says otherwise")]
    Outdated,
    /// It deserves too little.
    #[strum(message = "deserves too little")]
    LowScore,
    /// The session gave enough lines.
    #[strum(message = "enough lines from this session; the next dream reads the rest of its notes")]
    SessionFull,
    /// The dream gave enough lines.
    #[strum(message = "enough lines for one dream; the next reads the rest of the notes")]
    DreamFull,
    /// It would have to wait, and too many do.
    #[strum(message = "150 wait already; decide some with `openclaw dream review`")]
    QueueFull,
}

impl Refusal {
    /// Every reason.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word that stands in reports for programs.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the next dream looks at it again.
    pub fn is_postponed(self) -> bool {
        matches!(self, Self::CutOff | Self::SessionFull | Self::DreamFull)
    }

    /// The reason for people.
    pub fn in_words(self) -> &'static str {
        self.get_message().unwrap_or_default()
    }
}
