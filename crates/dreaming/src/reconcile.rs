//! The reconcile stage: how what is proposed stands to the lines that are there.
//!
//! Pure; the judgement is the model's. Checks whose line it is, which is newer, and whether the label can be meant.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use base::Day;
use memory::candidates::{Beside, Evidence, EvidenceRef, Proposal};
use memory::curated::{CuratedLine, LineOwner};

use crate::gate::Refusal;
use crate::propose::OperationKind;
use crate::wording::{is_same, n_shared, tokens};

/// What is to be reconciled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim<'a> {
    /// What the model wants done.
    pub(crate) kind: OperationKind,
    /// The line that it wants written.
    pub(crate) finding: &'a str,
    /// The message that says so.
    pub(crate) said: &'a str,
    /// On which day that was.
    pub(crate) day: Day,
    /// Where that stands; of one day the lines of a session tell what came first.
    pub(crate) evidence: &'a [Evidence],
}

/// What is to be done, and why the owner has to decide on it, where that is so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reconciled {
    pub(crate) proposal: Proposal,
    pub(crate) doubt: Option<&'static str>,
}

/// Why a claim waits whose label cannot be meant.
pub(crate) const WRONG_LINE: &str =
    "the line of MEMORY.md that it would change is about something else";

/// How a claim stands to the lines of `MEMORY.md`.
///
/// # Errors
///
/// [`Refusal`] where nothing is to be done: the line is there, or a newer one is.
pub(crate) fn reconcile(claim: &Claim<'_>, lines: &[CuratedLine]) -> Result<Reconciled, Refusal> {
    let target = match claim.kind {
        OperationKind::Add => None,
        OperationKind::Update(label) | OperationKind::Retire(label) => {
            label.and_then(|number| lines.get(number.checked_sub(1)?))
        }
    };
    let is_retired = matches!(claim.kind, OperationKind::Retire(_));
    if !is_retired
        && lines
            .iter()
            .any(|line| is_same(current(line), claim.finding))
    {
        return Err(Refusal::Known);
    }
    let Some(target) = target else {
        // An end of something that memory does not hold changes nothing.
        return if is_retired {
            Err(Refusal::NoLine)
        } else {
            Ok(settled(Proposal::Add))
        };
    };
    let beside = |why| Proposal::Beside {
        other: target.text.clone(),
        why,
    };
    let LineOwner::Ours {
        id, day, evidence, ..
    } = &target.owner
    else {
        return Ok(settled(beside(Beside::OwnersLine)));
    };
    if order(claim, *day, evidence) == Some(Ordering::Less) {
        return Err(Refusal::Outdated);
    }
    if is_about_another(claim, target, lines) {
        return Ok(Reconciled {
            proposal: beside(Beside::Contradiction),
            doubt: Some(WRONG_LINE),
        });
    }
    let (line, older) = (id.clone(), target.text.clone());
    Ok(settled(if is_retired {
        Proposal::Retire { line, older }
    } else {
        Proposal::Supersede { line, older }
    }))
}

fn settled(proposal: Proposal) -> Reconciled {
    Reconciled {
        proposal,
        doubt: None,
    }
}

/// What a line says now; what held before stands in brackets behind it.
fn current(line: &CuratedLine) -> &str {
    let text = line.text.split_once(" (until ");
    text.map_or(line.text.as_str(), |(now, _)| now)
}

/// How a claim stands in time to a line that holds since a day, as far as both tell.
fn order(claim: &Claim<'_>, since: Option<Day>, evidence: &[EvidenceRef]) -> Option<Ordering> {
    match claim.day.cmp(&since?) {
        Ordering::Equal => order_in_session(claim.evidence, evidence),
        found @ (Ordering::Less | Ordering::Greater) => Some(found),
    }
}

/// Where sessions are below the home.
const SESSIONS: &str = "sessions/";

/// A session is only ever appended to; the lines of a log move.
fn order_in_session(own: &[Evidence], others: &[EvidenceRef]) -> Option<Ordering> {
    let first = own.first()?;
    let is_alone = |path: &str| path == first.path && path.starts_with(SESSIONS);
    let is_known = !others.is_empty()
        && others.iter().all(|other| is_alone(&other.path))
        && own.iter().all(|other| is_alone(&other.path));
    let orders = others.iter().map(|other| first.line.cmp(&other.line));
    let (least, most) = (orders.clone().min()?, orders.max()?);
    (is_known && least == most).then_some(least)
}

/// Whether the named line shares nothing with a claim or its message, and another line does.
///
/// A line in other words, or in another language, shares nothing either; then no other line does.
fn is_about_another(claim: &Claim<'_>, target: &CuratedLine, lines: &[CuratedLine]) -> bool {
    let mut own = tokens(claim.finding);
    own.extend(tokens(claim.said));
    let telling = telling(lines);
    let shared = |line: &CuratedLine| {
        let line = tokens(current(line));
        let line: BTreeSet<String> = line.intersection(&telling).cloned().collect();
        n_shared(&own, &line)
    };
    let others = lines.iter().filter(|line| line.number != target.number);
    shared(target) == 0 && others.map(shared).max().unwrap_or(0) > 0
}

/// A word that stands in more lines is about nothing in particular, unless there are few lines.
const LINES_PER_WORD_MIN: usize = 2;

/// A shorter word is about nothing in particular.
const WORD_BYTES_MIN: usize = 3;

/// The words that tell one line from another.
fn telling(lines: &[CuratedLine]) -> BTreeSet<String> {
    let mut n_lines: BTreeMap<String, usize> = BTreeMap::new();
    for token in lines.iter().flat_map(|line| tokens(current(line))) {
        *n_lines.entry(token).or_default() += 1;
    }
    let n_max = LINES_PER_WORD_MIN.max(lines.len() / 8);
    let found = n_lines
        .into_iter()
        .filter(|(token, n_lines)| *n_lines <= n_max && token.len() >= WORD_BYTES_MIN);
    found.map(|(token, _)| token).collect()
}

#[cfg(test)]
#[path = "reconcile_tests.rs"]
mod tests;
