//! The gates: why a finding is refused, and why one that is not waits for the owner.
//!
//! Pure; words for every reason.

use base::Origin;
use memory::candidates::{Beside, Proposal};

use crate::ground::StandsIn;
use crate::propose::Proposer;
use crate::score::PROMOTED_MIN;
use crate::settings::Promotion;

/// Longest line of long-term memory in characters.
pub(crate) const LINE_CHARS_MAX: usize = 240;

/// Fewer words say nothing by themselves.
pub(crate) const LINE_WORDS_MIN: usize = 2;

/// The most lines that a model may make of one message.
pub(crate) const EVIDENCE_LINES_MAX: usize = 2;

/// The most lines that one dream takes from one session.
pub const SESSION_LINES_MAX: usize = 15;

/// The most lines that one dream proposes.
pub const DREAM_LINES_MAX: usize = 60;

/// The most lines that one dream adds by itself; a newer value of a line that is there adds none.
pub(crate) const PROMOTED_MAX: usize = 8;

/// The most candidates that wait at one time.
pub const PENDING_MAX: usize = 150;

/// Why a finding is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusal {
    /// It is no operation.
    Unreadable,
    /// The reply ended before it came to it.
    CutOff,
    /// It says nothing by itself.
    Empty,
    /// It is too long for a line.
    TooLong,
    /// It asks.
    Question,
    /// A secret was taken out of it.
    Redacted,
    /// It cites nothing that exists.
    NoEvidence,
    /// It quotes no words of the owner.
    NoQuote,
    /// Its quote does not stand in what it cites.
    NotGrounded,
    /// Enough lines were made of the same message.
    EvidenceSpent,
    /// It ends something that long-term memory does not hold.
    NoLine,
    /// Another of the same dream says the same.
    Repeated,
    /// Long-term memory says it already.
    Known,
    /// It was in long-term memory before, and was taken out.
    TakenOut,
    /// It waits already.
    Waiting,
    /// The owner turned it down, or had it forgotten.
    Rejected,
    /// Something newer says otherwise.
    Outdated,
    /// It deserves too little.
    LowScore,
    /// The session gave enough lines.
    SessionFull,
    /// The dream gave enough lines.
    DreamFull,
    /// It would have to wait, and too many do.
    QueueFull,
}

impl Refusal {
    /// Every reason.
    pub const ALL: [Self; 21] = [
        Self::Unreadable,
        Self::CutOff,
        Self::Empty,
        Self::TooLong,
        Self::Question,
        Self::Redacted,
        Self::NoEvidence,
        Self::NoQuote,
        Self::NotGrounded,
        Self::EvidenceSpent,
        Self::NoLine,
        Self::Repeated,
        Self::Known,
        Self::TakenOut,
        Self::Waiting,
        Self::Rejected,
        Self::Outdated,
        Self::LowScore,
        Self::SessionFull,
        Self::DreamFull,
        Self::QueueFull,
    ];

    /// The word that stands in reports for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::CutOff => "cutOff",
            Self::Empty => "empty",
            Self::TooLong => "tooLong",
            Self::Question => "question",
            Self::Redacted => "redacted",
            Self::NoEvidence => "noEvidence",
            Self::NoQuote => "noQuote",
            Self::NotGrounded => "notGrounded",
            Self::EvidenceSpent => "evidenceSpent",
            Self::NoLine => "noLine",
            Self::Repeated => "repeated",
            Self::Known => "known",
            Self::TakenOut => "takenOut",
            Self::Waiting => "waiting",
            Self::Rejected => "rejected",
            Self::Outdated => "outdated",
            Self::LowScore => "lowScore",
            Self::SessionFull => "sessionFull",
            Self::DreamFull => "dreamFull",
            Self::QueueFull => "queueFull",
        }
    }

    /// The reason for people.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Unreadable => "is no operation as it was asked for",
            Self::CutOff => "the reply ended before it; the next dream reads it again",
            Self::Empty => "says nothing by itself",
            Self::TooLong => "too long for a line",
            Self::Question => "asks a question",
            Self::Redacted => "a secret was taken out of it",
            Self::NoEvidence => "cites nothing that exists",
            Self::NoQuote => "quotes no words of yours",
            Self::NotGrounded => "its quote does not stand in what it cites",
            Self::EvidenceSpent => "two lines were made of the same message already",
            Self::NoLine => "ends something that MEMORY.md does not hold",
            Self::Repeated => "said twice in this dream",
            Self::Known => "in MEMORY.md already",
            Self::TakenOut => "taken out of MEMORY.md before",
            Self::Waiting => "waits in DREAMS.md already",
            Self::Rejected => "turned down or forgotten before",
            Self::Outdated => "something newer says otherwise",
            Self::LowScore => "deserves too little",
            Self::SessionFull => {
                "enough lines from this session; the next dream reads the rest of its notes"
            }
            Self::DreamFull => "enough lines for one dream; the next reads the rest of the notes",
            Self::QueueFull => "150 wait already; decide some with `openclaw dream review`",
        }
    }
}

/// What is known of a finding that no gate refused.
pub(crate) struct Passing<'a> {
    pub(crate) origin: Origin,
    pub(crate) stands_in: StandsIn,
    pub(crate) is_orphan: bool,
    pub(crate) is_backfill: bool,
    pub(crate) proposer: Proposer,
    pub(crate) proposal: &'a Proposal,
    pub(crate) score: u32,
}

/// Why a finding waits for the owner; `None` where it is promoted.
pub(crate) fn waits_because(passing: &Passing<'_>, promotion: Promotion) -> Option<String> {
    let because = |why: &str| Some(why.to_owned());
    match passing.origin {
        Origin::Owner => {}
        Origin::Agent if promotion == Promotion::Auto => {}
        Origin::Agent | Origin::System => {
            return because("the assistant said it, and nothing shows that you did");
        }
        Origin::Untrusted => {
            return because("it comes from outside, not from you; accept it only if you want it");
        }
    }
    if passing.is_orphan {
        return because("what said so is not there any more");
    }
    match passing.stands_in {
        StandsIn::OwnWords => {}
        StandsIn::LongMessage => {
            return because("it stands in a longer message, which may hold somebody else's words");
        }
        StandsIn::Shown => {
            return because("it stands in a text that you quoted or pasted, not in your own words");
        }
    }
    if passing.is_backfill {
        return because("it was found by a backfill, which only proposes");
    }
    match passing.proposal {
        Proposal::Beside {
            why: Beside::OwnersLine,
            ..
        } => return because("a line of your own in MEMORY.md says otherwise"),
        Proposal::Beside {
            why: Beside::Contradiction,
            ..
        } => return because(SAYS_OTHERWISE),
        Proposal::Beside {
            why: Beside::SaidBoth,
            ..
        } => return because(SAID_BOTH),
        Proposal::Add | Proposal::Supersede { .. } | Proposal::Retire { .. } => {}
    }
    if promotion == Promotion::Review {
        return because("dreaming.promotion is review");
    }
    match passing.proposer {
        Proposer::Engine { is_asked: true } => return None,
        Proposer::Engine { is_asked: false } => {
            return because("no model judged it, and no message of yours asks for this alone");
        }
        Proposer::Model => {}
    }
    // What is stale is wrong, however little the newer value matters.
    if passing.score < PROMOTED_MIN && !passing.proposal.is_change() {
        let score = passing.score;
        return Some(format!(
            "its score is {score}, and {PROMOTED_MIN} is needed"
        ));
    }
    None
}

/// Why a finding waits that does not hold beside a line of memory.
const SAYS_OTHERWISE: &str = "MEMORY.md says otherwise, and it is not clear which holds";

/// Why a finding waits that does not hold beside another.
const SAID_BOTH: &str = "you said otherwise, too, and it is not clear which holds";

/// Why a change waits whose line was changed already.
pub(crate) const SECOND_CHANGE: &str = "a later change of the same line took effect in this dream";
