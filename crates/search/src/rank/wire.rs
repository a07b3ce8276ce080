//! The parts of an answer that programs read in another form than the code.
//!
//! Decides nothing.

use std::collections::BTreeMap;

use base::model::Spelling;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::model::LeftOut;
use super::score::EvidenceKind;

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub(super) fn is_zero(number: &usize) -> bool {
    *number == 0
}

pub(super) fn parts<S: Serializer>(
    parts: &[(EvidenceKind, f64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let parts = parts.iter().map(|(kind, value)| (kind.as_str(), *value));
    serializer.collect_map(parts.collect::<BTreeMap<_, _>>())
}

pub(super) fn numbers<S: Serializer>(
    numbers: &[(&'static str, f64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(numbers.iter().copied().collect::<BTreeMap<_, _>>())
}

/// A word that memory does not contain, and the similar one that was searched for.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Spelling")]
pub(super) struct SpellingWire<'a> {
    /// The word of the question, in lower case.
    asked: &'a str,
    /// The word that was searched for instead.
    meant: &'a str,
}

pub(super) fn spellings<S: Serializer>(
    spellings: &[Spelling],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(spellings.iter().map(|it| SpellingWire {
        asked: &it.asked,
        meant: &it.meant,
    }))
}

/// The place of a better passage beyond the budget, and the budget that holds it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LeftOut")]
pub(super) struct LeftOutWire<'a> {
    path: &'a str,
    start_line: usize,
    end_line: usize,
    budget: u64,
}

#[expect(clippy::ref_option, reason = "serde passes fields by reference")]
pub(super) fn left_out<S: Serializer>(
    left_out: &Option<LeftOut>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let wire = left_out.as_ref().map(|left_out| LeftOutWire {
        path: &left_out.result.path,
        start_line: left_out.result.start_line,
        end_line: left_out.result.end_line,
        budget: left_out.budget.0,
    });
    wire.serialize(serializer)
}
