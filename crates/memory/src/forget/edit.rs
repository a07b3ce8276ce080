//! A note without the lines that are forgotten.
//!
//! Pure: bytes go in and bytes come out; every other byte stays as it is.

use std::collections::BTreeSet;

use super::model::Keeper;
use super::notes::passages;
use crate::OwnerLines;
use crate::daily_log::{sealed_again, with_emptied};
use crate::tombstone::TextHash;

/// The note without the passages that say one of `texts`, and without headings of ours that would stand
/// above nothing; `None` where it holds none that may go.
pub(super) fn without(
    bytes: &[u8],
    texts: &BTreeSet<TextHash>,
    owner_lines: OwnerLines,
) -> Option<Vec<u8>> {
    let gone: BTreeSet<usize> = passages(bytes)
        .iter()
        .filter(|passage| texts.contains(&passage.hash))
        .filter(|passage| passage.keeper == Keeper::Program || owner_lines == OwnerLines::Remove)
        .flat_map(|passage| passage.lines.start..=passage.lines.end)
        .collect();
    if gone.is_empty() {
        return None;
    }
    let gone = with_emptied(bytes, gone);
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').zip(1..);
    let kept = lines.filter(|(_, number)| !gone.contains(number));
    let after: Vec<u8> = kept.flat_map(|(line, _)| line).copied().collect();
    Some(sealed_again(bytes, after))
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
