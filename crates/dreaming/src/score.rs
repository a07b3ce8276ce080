//! The score stage: how much a finding deserves to last, from signals with weights that add up to 100.
//!
//! Pure; every part can be shown.

use base::{Day, MEMORY_SECTIONS};
use memory::candidates::Signal;

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
