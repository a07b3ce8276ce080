//! The lines that the host adds for what a reply lacks: decisions, open questions, the last request.
//!
//! Puts nothing into its place: where a line stands is for the form of the summary.

use std::collections::BTreeSet;

use base::{TokenCount, estimate_text};

use super::exact::EXACT_PERCENT;
use crate::Audit;
use crate::audit::ClaimKind;

/// What is added takes this many hundredths of the reply at most, or what the reply leaves free: the text
/// that a model wrote gives way to no more than this.
pub(super) const MISSING_PERCENT: u64 = 20;

/// What stands around the entry of a line.
const ENTRY: &str = " (entry ";
const ENTRY_END: &str = "): ";

/// One line, and what it is about.
pub(super) struct MissingLine {
    pub(super) kind: ClaimKind,
    pub(super) text: String,
}

/// What `reply` lacks, in the order in which it was said, as much as a reply of `reply_max` bears beside its
/// exact identifiers.
///
/// The last request is the last to be left out.
pub(super) fn missing_lines(audit: &Audit, reply: &str, reply_max: TokenCount) -> Vec<MissingLine> {
    let free = reply_max
        .percent(100 - EXACT_PERCENT)
        .saturating_sub(estimate_text(reply));
    let mut room = reply_max.percent(MISSING_PERCENT).max(free);
    let mut added = Vec::new();
    let mut said = BTreeSet::new();
    for claim in audit.missing_claims(reply).into_iter().rev() {
        if !said.insert(claim.text.as_str()) {
            continue;
        }
        let (opening, text) = (opening(claim.kind), &claim.text);
        let text = format!("- {opening}{ENTRY}{}{ENTRY_END}{text}", claim.entry);
        let tokens = estimate_text(&text) + TokenCount(1);
        if tokens <= room {
            room = room.saturating_sub(tokens);
            added.push(MissingLine {
                kind: claim.kind,
                text,
            });
        }
    }
    added.reverse();
    added
}

fn opening(kind: ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Decision => "Said",
        ClaimKind::OpenQuestion => "Asked",
        ClaimKind::LastRequest => "Last request",
    }
}

/// A line without the entry that it names, where it is one of these.
pub(super) fn without_entry(line: &str) -> String {
    let kinds = [
        ClaimKind::Decision,
        ClaimKind::OpenQuestion,
        ClaimKind::LastRequest,
    ];
    let short = kinds.into_iter().find_map(|kind| {
        let opening = opening(kind);
        let rest = line.strip_prefix("- ")?.strip_prefix(opening)?;
        let (_, said) = rest.strip_prefix(ENTRY)?.split_once(ENTRY_END)?;
        Some(format!("- {opening}: {said}"))
    });
    short.unwrap_or_else(|| line.to_owned())
}
