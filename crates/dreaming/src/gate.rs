//! The gates: how much a finding deserves to last, why it is refused, and why one that is not waits for the owner.
//!
//! Pure; words for every reason.

use base::{Day, MEMORY_SECTIONS, Origin, n_words};
use memory::candidates::{Candidate, FoundIn, Proposal, Signal};
use strum::EnumMessage;

use crate::ground::StandsIn;
use crate::propose::Proposer;
use crate::settings::Promotion;

/// Longest line of long-term memory in characters.
pub(crate) const LINE_CHARS_MAX: usize = 240;

/// Fewer words say nothing by themselves.
const LINE_WORDS_MIN: usize = 2;

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

/// Whether a finding has the shape of a line.
pub(crate) fn check_shape(finding: &str) -> Result<(), Refusal> {
    if n_words(finding) < LINE_WORDS_MIN {
        return Err(Refusal::Empty);
    }
    if finding.chars().count() > LINE_CHARS_MAX {
        return Err(Refusal::TooLong);
    }
    if finding.ends_with(['?', '\u{ff1f}', '\u{61f}']) {
        return Err(Refusal::Question);
    }
    if finding.to_lowercase().contains("[redacted") {
        return Err(Refusal::Redacted);
    }
    Ok(())
}

/// Why a finding waits for the owner; `None` where it is promoted.
pub(crate) fn waits_because(
    candidate: &Candidate,
    (stands_in, is_orphan, proposer): (StandsIn, bool, Proposer),
    promotion: Promotion,
) -> Option<String> {
    let because = |why: &str| Some(why.to_owned());
    match candidate.origin {
        Origin::Owner => {}
        Origin::Agent if promotion == Promotion::Auto => {}
        Origin::Agent | Origin::System => {
            return because("the assistant said it, and nothing shows that you did");
        }
        Origin::Untrusted => {
            return because("it comes from outside, not from you; accept it only if you want it");
        }
    }
    if is_orphan {
        return because("what said so is not there any more");
    }
    match stands_in {
        StandsIn::OwnWords => {}
        StandsIn::LongMessage => {
            return because("it stands in a longer message, which may hold somebody else's words");
        }
        StandsIn::Shown => {
            return because("it stands in a text that you quoted or pasted, not in your own words");
        }
    }
    if candidate.found_in == FoundIn::SessionReplay {
        return because("it was found by a backfill, which only proposes");
    }
    if let Proposal::Beside { .. } = candidate.proposal {
        return because("a line of your own in MEMORY.md says otherwise");
    }
    if promotion == Promotion::Review {
        return because("dreaming.promotion is review");
    }
    match proposer {
        Proposer::Engine { is_asked: true } => return None,
        Proposer::Engine { is_asked: false } => {
            return because("no model judged it, and no message of yours asks for this alone");
        }
        Proposer::Model => {}
    }
    // What is stale is wrong, however little the newer value matters.
    if candidate.score < PROMOTED_MIN && !candidate.proposal.is_change() {
        let score = candidate.score;
        return Some(format!(
            "its score is {score}, and {PROMOTED_MIN} is needed"
        ));
    }
    None
}

/// Why a change waits whose line was changed already.
pub(crate) const SECOND_CHANGE: &str = "a later change of the same line took effect in this dream";

/// A finding below this score is not even staged.
pub(crate) const STAGED_MIN: u32 = 45;

/// A finding below this score waits for the owner.
pub(crate) const PROMOTED_MIN: u32 = 70;

const IMPORTANCE: u32 = 35;
const KIND: u32 = 25;
const RECURRENCE: u32 = 15;
const EVIDENCE: u32 = 15;
const RECENCY: u32 = 10;

/// A statement loses half its recency in so many days.
const HALF_LIFE_DAYS: i64 = 90;

/// What is looked at.
pub(crate) struct Looked<'a> {
    /// What the extraction said, from 1 to 10.
    pub(crate) importance: u8,
    /// The heading.
    pub(crate) section: &'a str,
    /// On how many days it was said.
    pub(crate) n_days: usize,
    /// How often it was said.
    pub(crate) n_said: usize,
    /// Whether the owner said it in person.
    pub(crate) is_said_in_person: bool,
    /// When it was said last, and now.
    pub(crate) said_on: Day,
    pub(crate) today: Day,
}

/// The signals of a finding.
pub(crate) fn signals(looked: &Looked<'_>) -> Vec<Signal> {
    let signal = |name: &str, value: u32, weight| Signal {
        name: name.to_owned(),
        value: value.min(100),
        weight,
    };
    let evidence = if looked.is_said_in_person { 100 } else { 50 };
    vec![
        signal("importance", u32::from(looked.importance) * 10, IMPORTANCE),
        signal("kind", kind(looked.section), KIND),
        signal("recurrence", recurrence(looked), RECURRENCE),
        signal("evidence", evidence, EVIDENCE),
        signal("recency", recency(looked), RECENCY),
    ]
}

/// The score that the signals make, in hundredths.
pub(crate) fn total(signals: &[Signal]) -> u32 {
    let sum: u32 = signals.iter().map(|own| own.value * own.weight).sum();
    sum / 100
}

/// The first sections last longest.
fn kind(section: &str) -> u32 {
    let worth = [100, 90, 85, 60, 60, 50];
    let position = MEMORY_SECTIONS.iter().position(|known| *known == section);
    position
        .and_then(|position| worth.get(position))
        .copied()
        .unwrap_or(40)
}

fn recurrence(looked: &Looked<'_>) -> u32 {
    match (looked.n_days, looked.n_said) {
        (0 | 1, 0 | 1) => 40,
        (0 | 1, _) => 60,
        (2, _) => 80,
        (_, _) => 100,
    }
}

fn recency(looked: &Looked<'_>) -> u32 {
    let n_days = (looked.today.date() - looked.said_on.date())
        .num_days()
        .max(0);
    let halvings = n_days / HALF_LIFE_DAYS;
    let whole = 100_u32 >> u32::try_from(halvings.min(8)).unwrap_or(8);
    let into = u32::try_from(n_days % HALF_LIFE_DAYS).unwrap_or(0);
    let per = u32::try_from(HALF_LIFE_DAYS).unwrap_or(1);
    whole - whole * into / (2 * per)
}
