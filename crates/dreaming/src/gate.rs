//! The gates: scores a finding, and decides whether it is promoted or waits for the owner, and why.
//!
//! Pure.

use base::{Day, Origin, n_words};
use memory::candidates::{Candidate, Proposal, Signal};

use crate::draft::FindingDraft;
use crate::ground::ClaimPlace;
use crate::propose::{LINE_CHARS_MAX, Proposer};
use crate::refusal::Refusal;
use crate::settings::Promotion;

/// Minimum length of a line in words.
const LINE_WORDS_MIN: usize = 2;

/// Maximum number of lines that one pass of a dream promotes; the dream continues in another pass.
pub const PASS_LINES_MAX: usize = 60;

/// A new line needs this importance to be promoted, from 1 to 10.
const IMPORTANCE_MIN: u8 = 4;

/// Checks the form of a finding: length, not a question, no redacted secret.
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

/// The reasons to stage a finding that speak of the owner's words, each as the owner reads it and as a model does.
const ASSISTANT_SAID: (&str, &str) = (
    "the assistant said it, and nothing shows that you did",
    "the assistant said it, and nothing shows that the owner did",
);
const FROM_OUTSIDE: (&str, &str) = (
    "it comes from outside, not from you; accept it only if you want it",
    "it comes from outside, not from the owner",
);
const SHOWN: (&str, &str) = (
    "it is from text that you quoted or pasted, not your own words",
    "the quote is from text that the owner quoted or pasted; quote the owner's own words",
);

/// A reason to stage a finding, as whoever proposed it reads it.
pub fn reason_for(because: &str, proposer: Proposer) -> &str {
    if proposer != Proposer::Model {
        return because;
    }
    let mut known = [ASSISTANT_SAID, FROM_OUTSIDE, SHOWN].into_iter();
    known
        .find(|(owners, _)| *owners == because)
        .map_or(because, |(_, models)| models)
}

/// Why a finding is staged for the owner; `None` if it is promoted.
pub(crate) fn waits_because(
    candidate: &Candidate,
    draft: &FindingDraft,
    promotion: Promotion,
) -> Option<String> {
    let because = |why: &str| Some(why.to_owned());
    match candidate.origin {
        Origin::Owner => {}
        Origin::Agent if promotion == Promotion::Auto => {}
        Origin::Agent | Origin::System => {
            return because(ASSISTANT_SAID.0);
        }
        Origin::Untrusted => {
            return because(FROM_OUTSIDE.0);
        }
    }
    if draft.is_orphan {
        return because("its evidence no longer exists");
    }
    match draft.grounded.stands_in {
        ClaimPlace::OwnWords => {}
        ClaimPlace::LongParagraph => {
            return because("it is from a long paragraph, which may be pasted from somebody else");
        }
        ClaimPlace::Shown => {
            return because(SHOWN.0);
        }
    }
    if let Proposal::Beside { .. } = candidate.proposal {
        return because("a line of your own in MEMORY.md says otherwise");
    }
    if promotion == Promotion::Review {
        return because("dreaming.promotion is review");
    }
    match draft.operation.proposer {
        Proposer::Engine { is_asked: true } if draft.opens_message => return None,
        Proposer::Engine { is_asked: true } => {
            return because("no model judged it, and other words stand before it in your message");
        }
        Proposer::Engine { is_asked: false } => {
            return because("no model judged it, and you did not ask to remember it");
        }
        Proposer::Model => {}
    }
    // A change may have any importance: the line that it replaces is wrong.
    if draft.operation.importance < IMPORTANCE_MIN && !candidate.proposal.is_change() {
        return because("the model gave it little importance");
    }
    None
}

/// Whether a candidate is important enough to wait next to many others.
pub(crate) fn is_important(candidate: &Candidate) -> bool {
    let importance = candidate.signals.iter();
    let mut importance = importance.filter(|own| own.name == IMPORTANCE_NAME);
    let least = u32::from(IMPORTANCE_MIN) * 10;
    importance.next().is_none_or(|own| own.value >= least)
}

/// The reason to stage a second change of the same line.
pub(crate) const SECOND_CHANGE: &str = "a later change of the same line took effect in this dream";

const IMPORTANCE_NAME: &str = "importance";
const IMPORTANCE: u32 = 50;
const RECURRENCE: u32 = 20;
const EARNED: u32 = 20;
const RECENCY: u32 = 10;

/// Half-life of the recency signal in days.
const HALF_LIFE_DAYS: i64 = 90;

/// Computes the signals of a finding; `n_earned` is the number of past questions that it helps to answer.
pub(crate) fn signals(draft: &FindingDraft, n_earned: usize, today: Day) -> Vec<Signal> {
    let signal = |name: &str, value: u32, weight| Signal {
        name: name.to_owned(),
        value: value.min(100),
        weight,
    };
    let importance = u32::from(draft.operation.importance) * 10;
    vec![
        signal(IMPORTANCE_NAME, importance, IMPORTANCE),
        signal("recurrence", recurrence(draft), RECURRENCE),
        signal("earned", earned(n_earned), EARNED),
        signal("recency", recency(draft.day, today), RECENCY),
    ]
}

fn earned(n_earned: usize) -> u32 {
    match n_earned {
        0 => 0,
        1 => 50,
        2 => 80,
        _ => 100,
    }
}

/// The weighted score, 0 to 100.
pub(crate) fn total(signals: &[Signal]) -> u32 {
    let sum: u32 = signals.iter().map(|own| own.value * own.weight).sum();
    sum / 100
}

fn recurrence(draft: &FindingDraft) -> u32 {
    match (draft.days.len(), draft.n_said) {
        (0 | 1, 0 | 1) => 40,
        (0 | 1, _) => 60,
        (2, _) => 80,
        (_, _) => 100,
    }
}

fn recency(said_on: Day, today: Day) -> u32 {
    let n_days = (today.date() - said_on.date()).num_days().max(0);
    let halvings = n_days / HALF_LIFE_DAYS;
    let whole = 100_u32 >> u32::try_from(halvings.min(8)).unwrap_or(8);
    let into = u32::try_from(n_days % HALF_LIFE_DAYS).unwrap_or(0);
    let per = u32::try_from(HALF_LIFE_DAYS).unwrap_or(1);
    whole - whole * into / (2 * per)
}
