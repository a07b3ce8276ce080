//! The values of `MEMORY.md` that newer ones replaced, or that the owner took back.
//!
//! Reads the decided candidates, which are bounded; changes nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base::disk::FileStat;
use base::{Day, Timestamp, Tz, day};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::error::MemoryTxnError;
use super::evidence::Evidence;
use super::forgetting::left_of;
use super::model::{Candidate, OlderValue, Proposal, Status};
use super::pending::{PendingRecords, STATE};
use super::wire::{damaged, from_json};
use crate::curated::current_value;
use crate::tombstone::{Tombstones, load_tombstones};
use crate::workspace::Workspace;

/// A value that a newer one replaced, or that the owner took back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplacedValue {
    /// The text of the line before.
    pub older: String,
    /// The text of the line since; empty if there is none.
    pub newer: String,
    /// The day on which the newer one was said, or the older one taken back.
    pub day: Day,
    /// When that was decided, if known.
    pub decided_at: Option<Timestamp>,
    /// Whether it was true until then.
    pub was_true: bool,
    /// Whether the owner took it back, which says nothing about whether it was true.
    pub is_taken_back: bool,
    /// The evidence of the older line, if it is still known.
    pub evidence: Vec<Evidence>,
}

/// The decided candidates of the state as JSON: most of them are of no use here, and the first search of every process
/// reads them.
#[derive(Deserialize)]
struct Decided<'a> {
    #[serde(borrow, default)]
    history: Vec<&'a RawValue>,
}

/// The fields that decide whether a candidate must be parsed whole.
#[derive(Deserialize)]
struct Mark<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    supersedes: Option<IgnoredAny>,
    status: Status,
}

/// The replaced values of a workspace, then the values that were taken back, each oldest first; days are those of the
/// owner's time zone.
///
/// # Errors
///
/// [`MemoryTxnError`] if the candidates cannot be read.
pub fn replaced_values(
    workspace: &Workspace,
    timezone: Tz,
) -> Result<Vec<ReplacedValue>, MemoryTxnError> {
    let Some(bytes) = (PendingRecords { workspace }).state_bytes()? else {
        return Ok(Vec::new());
    };
    let decided: Decided<'_> = from_json(STATE, &bytes)?;
    let tombstones = load_tombstones(workspace)?;
    let values = values_of(&decided.history, &tombstones, timezone);
    Ok(values.map_err(|error| damaged(STATE, &error))?)
}

/// The metadata of the files that the replaced values come from, the candidates and the tombstones: the values are the
/// same for as long as both are.
///
/// # Errors
///
/// [`MemoryTxnError`] if the disk fails.
pub fn replaced_values_stat(
    workspace: &Workspace,
) -> Result<[Option<FileStat>; 2], MemoryTxnError> {
    let tombstones = workspace.layout().tombstones();
    Ok([
        (PendingRecords { workspace }).state_stat()?,
        workspace.disk().stat(&tombstones)?,
    ])
}

fn values_of(
    history: &[&RawValue],
    tombstones: &Tombstones,
    timezone: Tz,
) -> Result<Vec<ReplacedValue>, serde_json::Error> {
    let marks = history.iter().map(|own| Mark::deserialize(*own));
    let marks: Vec<Mark<'_>> = marks.collect::<Result<_, _>>()?;
    let mut by_id: BTreeMap<&str, &RawValue> = BTreeMap::new();
    for (mark, own) in marks.iter().zip(history) {
        by_id.entry(&mark.id).or_insert(own);
    }
    let (mut values, mut undone) = (Vec::new(), Vec::new());
    for (_, own) in marks
        .iter()
        .zip(history)
        .filter(|(mark, _)| mark.supersedes.is_some() || mark.status == Status::Undone)
    {
        let Some(own) = left_of(&Candidate::deserialize(*own)?, tombstones) else {
            continue;
        };
        let (line, older, value) = match (own.status, &own.proposal) {
            (Status::Undone, _) => {
                undone.push(taken_back(own, timezone));
                continue;
            }
            (Status::Promoted | Status::Accepted, Proposal::Supersede { line, older, value }) => {
                (line, older, value)
            }
            _ => continue,
        };
        let before = by_id.get(line.as_str());
        let before = before
            .map(|before| Candidate::deserialize(*before))
            .transpose()?;
        values.push(ReplacedValue {
            older: current_value(older).to_owned(),
            was_true: *value != OlderValue::NeverTrue,
            is_taken_back: false,
            newer: own.finding,
            day: own.day,
            decided_at: own.decided_at,
            evidence: before.map(|before| before.evidence).unwrap_or_default(),
        });
    }
    values.extend(undone);
    Ok(values)
}

/// A line that the owner asked for and took back; the line before it holds again, if it replaced one.
fn taken_back(own: Candidate, timezone: Tz) -> ReplacedValue {
    ReplacedValue {
        newer: match &own.proposal {
            Proposal::Supersede { older, .. } => current_value(older).to_owned(),
            Proposal::Add | Proposal::Retire { .. } | Proposal::Beside { .. } => String::new(),
        },
        older: own.finding,
        day: own
            .decided_at
            .map_or(own.day, |at| own.day.max(day(at, timezone))),
        decided_at: own.decided_at,
        was_true: false,
        is_taken_back: true,
        evidence: own.evidence,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::kit::{at, candidate, dreamt, home, workspace};
    use super::super::{Access, MemoryTxn};
    use super::*;

    #[test]
    fn value_in_force_names_older_value_and_its_evidence() {
        let workspace = workspace(Arc::new(home("# Long-term memory\n", "# Dreams\n")));
        assert_eq!(replaced_values(&workspace, Tz::UTC).unwrap(), []);
        let mut open = MemoryTxn::open(&workspace, at("09:00:00"), Access::Write).unwrap();
        let older = candidate("aa11", "I prefer tea");
        open.dream(&dreamt(std::slice::from_ref(&older), &[]))
            .unwrap();
        let newer = Candidate {
            proposal: Proposal::Supersede {
                line: "aa11".to_owned(),
                older: "I prefer tea".to_owned(),
                value: OlderValue::Named,
            },
            ..candidate("bb22", "I prefer coffee")
        };
        let unseen = replaced_values_stat(&workspace).unwrap();
        open.dream(&dreamt(std::slice::from_ref(&newer), &[]))
            .unwrap();
        let expected = ReplacedValue {
            older: older.finding,
            newer: newer.finding,
            day: newer.day,
            decided_at: Some(at("09:00:00")),
            was_true: true,
            is_taken_back: false,
            evidence: older.evidence,
        };
        assert_eq!(replaced_values(&workspace, Tz::UTC).unwrap(), [expected]);
        assert_ne!(replaced_values_stat(&workspace).unwrap(), unseen);
    }
}
