//! The lines that the host adds for what a reply lacks: decisions, open questions, the last request.
//!
//! Puts nothing into its place: where a line stands is for the form of the summary.

use std::collections::BTreeSet;

use base::{TokenCount, estimate_text};

use crate::Audit;
use crate::audit::ClaimKind;

/// What is added takes at most this many hundredths of the reply.
const PERCENT_MAX: u64 = 20;

/// One line, and what it is about.
pub(super) struct MissingLine {
    pub(super) kind: ClaimKind,
    pub(super) text: String,
}

/// What `reply` lacks, in the order in which it was said, as much as a reply of `reply_max` bears.
///
/// The last request is the last to be left out.
pub(super) fn missing_lines(audit: &Audit, reply: &str, reply_max: TokenCount) -> Vec<MissingLine> {
    let mut room = reply_max.percent(PERCENT_MAX);
    let mut added = Vec::new();
    let mut said = BTreeSet::new();
    for claim in audit.missing_claims(reply).into_iter().rev() {
        if !said.insert(claim.text.as_str()) {
            continue;
        }
        let opening = match claim.kind {
            ClaimKind::Decision => "Said",
            ClaimKind::OpenQuestion => "Asked",
            ClaimKind::LastRequest => "Last request",
        };
        let text = format!("- {opening} (entry {}): {}", claim.entry, claim.text);
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
