//! The gates: why a finding is refused, and why one that is not waits for the owner.
//!
//! Pure; words for every reason.

use base::Origin;
use memory::candidates::{Beside, Proposal};

use crate::score::PROMOTED_MIN;
use crate::settings::Promotion;

/// Longest line of long-term memory in characters.
pub(crate) const LINE_CHARS_MAX: usize = 240;

/// Fewer telling words say nothing by themselves.
pub(crate) const LINE_WORDS_MIN: usize = 2;

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
    /// What it cites does not say so.
    NotGrounded,
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
    pub const ALL: [Self; 16] = [
        Self::Empty,
        Self::TooLong,
        Self::Question,
        Self::Redacted,
        Self::NoEvidence,
        Self::NotGrounded,
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
            Self::Empty => "empty",
            Self::TooLong => "tooLong",
            Self::Question => "question",
            Self::Redacted => "redacted",
            Self::NoEvidence => "noEvidence",
            Self::NotGrounded => "notGrounded",
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
            Self::Empty => "says nothing by itself",
            Self::TooLong => "too long for a line",
            Self::Question => "asks a question",
            Self::Redacted => "a secret was taken out of it",
            Self::NoEvidence => "cites nothing that exists",
            Self::NotGrounded => "not said by what it cites",
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
    pub(crate) is_pasted: bool,
    pub(crate) is_orphan: bool,
    pub(crate) is_backfill: bool,
    /// What the owner said since that may end it.
    pub(crate) said_since: Option<&'a str>,
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
    if passing.is_pasted {
        return because("it stands in a text that you quoted or pasted, not in your own words");
    }
    if passing.is_backfill {
        return because("it was found by a backfill, which only proposes");
    }
    if passing.said_since.is_some() {
        return because(SAID_SINCE);
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
        Proposal::Add | Proposal::Supersede { .. } => {}
    }
    if promotion == Promotion::Review {
        return because("dreaming.promotion is review");
    }
    if passing.score < PROMOTED_MIN {
        let score = passing.score;
        return Some(format!(
            "its score is {score}, and {PROMOTED_MIN} is needed"
        ));
    }
    None
}

/// Why a finding waits that does not hold beside a line of memory.
pub(crate) const SAYS_OTHERWISE: &str = "MEMORY.md says otherwise, and it is not clear which holds";

/// Why a finding waits that does not hold beside another.
pub(crate) const SAID_BOTH: &str = "you said otherwise, too, and it is not clear which holds";

/// Why something goes on waiting of which the owner has told a newer value.
pub(crate) const SAID_SINCE: &str = "you said something newer since";

/// Why something goes on waiting that stands in memory by now.
pub(crate) const KNOWN_BY_NOW: &str = "MEMORY.md says so by now";

/// Why something goes on waiting of which memory has a newer value by now.
pub(crate) const OUTDATED_BY_NOW: &str = "MEMORY.md says something newer by now";

/// Why an end waits that ends nothing.
pub(crate) const ENDS_NOTHING: &str =
    "it tells of an end, and MEMORY.md says nothing of what has ended";

/// Why a finding waits that came behind enough others.
pub(crate) const PROMOTED_ENOUGH: &str = "this dream had promoted enough lines";
