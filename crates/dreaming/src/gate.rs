//! The gates: how much a finding deserves to last, and why one that is not refused waits for the owner.
//!
//! Pure; words for every reason.

use base::{Day, MEMORY_SECTIONS, Origin, n_words};
use memory::candidates::{Candidate, FoundIn, Proposal, Signal};

use crate::ground::StandsIn;
use crate::propose::{LINE_CHARS_MAX, Proposer};
use crate::refusal::Refusal;
use crate::settings::Promotion;

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
