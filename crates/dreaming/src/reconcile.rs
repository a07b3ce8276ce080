//! The reconcile stage: how what is proposed stands to the lines that are there.
//!
//! Pure; the judgement is the model's. Checks whose line it is, which is newer, and whether the label can be meant.

use std::cmp::Ordering;

use base::Day;
use base::layout::session_of_path;
use memory::candidates::{Evidence, EvidenceRef, Proposal};
use memory::curated::{CuratedLine, LineOwner, memory_lines};

use crate::conversations::Reading;
use crate::propose::OperationKind;
use crate::refusal::Refusal;
use crate::wording::{is_same, is_worded_alike, shares_word};

/// What is to be reconciled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim<'a> {
    /// What the model wants done.
    pub(crate) kind: &'a OperationKind,
    /// The line that it wants written.
    pub(crate) finding: &'a str,
    /// The clauses that the quote stands in.
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

/// Why a claim waits whose line is not there as the model saw it.
pub(crate) const CHANGED_LINE: &str =
    "the line of MEMORY.md that it would change was changed meanwhile";

/// Why a claim waits whose label cannot be meant.
pub(crate) const WRONG_LINE: &str =
    "the line of MEMORY.md that it would change is about something else";

/// How a claim stands to the lines of `MEMORY.md`.
pub(crate) fn reconcile(
    claim: &Claim<'_>,
    lines: &[CuratedLine],
    reading: &Reading,
) -> Result<Reconciled, Refusal> {
    let named = claim.kind.line();
    let target = named.and_then(|named| lines.iter().find(|line| is_still(line, named)));
    let is_retired = matches!(claim.kind, OperationKind::Retire(_));
    let is_known = |line: &CuratedLine| {
        // A correction of a long line may change a single word of it.
        if target == Some(line) {
            is_worded_alike(current(line), claim.finding)
        } else {
            is_same(current(line), claim.finding)
        }
    };
    if !is_retired && lines.iter().any(is_known) {
        return Err(Refusal::Known);
    }
    let Some(target) = target else {
        // An end of something that memory does not hold changes nothing.
        return if is_retired {
            Err(Refusal::NoLine)
        } else {
            Ok(Reconciled {
                proposal: Proposal::Add,
                doubt: named.map(|_| CHANGED_LINE),
            })
        };
    };
    let LineOwner::Ours {
        id, day, evidence, ..
    } = &target.owner
    else {
        return Ok(settled(Proposal::Beside {
            other: target.text.clone(),
        }));
    };
    if order(claim, *day, evidence) == Some(Ordering::Less) {
        return Err(Refusal::Outdated);
    }
    if !is_about(claim, current(target), reading) {
        // What is accepted nevertheless leaves that line alone.
        return Ok(Reconciled {
            proposal: Proposal::Add,
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

/// Whether a claim, or the words behind it, can be about what a line says.
fn is_about(claim: &Claim<'_>, line: &str, reading: &Reading) -> bool {
    // What a model writes of an end is no evidence that this line ended.
    let finding = match claim.kind {
        OperationKind::Retire(_) => "",
        OperationKind::Add | OperationKind::Update(_) => claim.finding,
    };
    [finding, claim.said].into_iter().any(|about| {
        let mut common = (reading.common_words)(about);
        common.extend((reading.common_words)(line));
        shares_word(about, line, &common)
    })
}

/// Whether a line is the one that a model was shown, and says what it said then.
fn is_still(line: &CuratedLine, shown: &CuratedLine) -> bool {
    line.id() == shown.id() && line.text == shown.text
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

/// A session is only ever appended to; the lines of a log move.
fn order_in_session(own: &[Evidence], others: &[EvidenceRef]) -> Option<Ordering> {
    let first = own.first()?;
    let is_alone = |path: &str| path == first.path && session_of_path(path).is_some();
    let is_known = !others.is_empty()
        && others.iter().all(|other| is_alone(&other.path))
        && own.iter().all(|other| is_alone(&other.path));
    let orders = others.iter().map(|other| first.line.cmp(&other.line));
    let (least, most) = (orders.clone().min()?, orders.max()?);
    (is_known && least == most).then_some(least)
}

/// The most lines of the owner that are compared: reading one closely takes much longer than reading it, and
/// a file that a prompt shows whole has far fewer.
const OWNER_LINES_MAX: usize = 10_000;

/// All lines of ours, and the last ones of the owner's.
pub fn compared_lines(memory: &str) -> Vec<CuratedLine> {
    let mut lines = memory_lines(memory);
    let n_left_out = lines.len().saturating_sub(OWNER_LINES_MAX);
    let mut places = 0..n_left_out;
    lines.retain(|line| places.next().is_none() || line.id().is_some());
    lines
}

#[cfg(test)]
mod compared_tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn long_memory_is_compared_by_its_last_lines_and_ours() {
        let hash = base::short_hash("I prefer tea");
        let mut memory = format!(
            "# Memory\n\n- I prefer tea <!-- n:c7f3 e:sessions/main.jsonl#e1 h:{hash} o:owner d:2026-04-20 -->\n"
        );
        for number in 0..OWNER_LINES_MAX + 50 {
            writeln!(memory, "- line {number}").unwrap();
        }
        let lines = compared_lines(&memory);
        assert_eq!(lines.len(), OWNER_LINES_MAX + 1);
        assert!(lines[0].id().is_some());
        let short = "- one\n- two\n";
        assert_eq!(compared_lines(short), memory_lines(short));
    }
}
