//! Additions for what a reply lacks: lines for decisions, open questions and the last request, a last part with exact
//! identifiers, and the room for both.
//!
//! Does not place the lines; the renderer of the strategy does.

use std::collections::BTreeSet;

use base::{TokenCount, estimate_text};

use super::plan::SummaryPlan;
use crate::audit::{Audit, ClaimKind};
use crate::shown::summary_tokens;

/// Largest share of the reply that added lines may take, in hundredths, unless the reply leaves more free:
/// the model's text is cut by no more than this for them.
pub(super) const MISSING_PERCENT: u64 = 20;

const ENTRY: &str = " (entry ";
const ENTRY_END: &str = "): ";

pub(super) struct MissingLine {
    pub(super) kind: ClaimKind,
    pub(super) text: String,
}

/// Lines for the claims that `reply` lacks, in order, as many as fit into `reply_max` beside the exact
/// identifiers.
///
/// Newer claims take precedence.
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

/// Strips the entry id from a line of [`missing_lines`]; returns other lines unchanged.
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

pub(crate) const EXACT_HEADING: &str = "Exact identifiers";

/// The separator between identifiers.
pub(crate) const EXACT_SEPARATOR: &str = "; ";

/// The guaranteed share of the part with exact identifiers, in hundredths of the reply.
pub(super) const EXACT_PERCENT: u64 = 30;

/// The part with exact identifiers for a summary with these sections: first those that the model listed, then
/// those that the audit misses, most used first, as far as `room` allows. Empty if there are none.
pub(super) fn exact_part(own: &[String], audit: &Audit, body: &str, room: TokenCount) -> String {
    let mut lines = format!("\n\n## {EXACT_HEADING}");
    for line in own {
        let with_line = format!("{lines}\n{line}");
        if estimate_text(&with_line) <= room {
            lines = with_line;
        }
    }
    let known = format!("{body}{lines}");
    let mut list = String::new();
    let used = estimate_text(&lines);
    for identifier in audit.missing_identifiers(&known) {
        let start = if list.is_empty() {
            "\n- "
        } else {
            EXACT_SEPARATOR
        };
        let is_single = !identifier.contains(EXACT_SEPARATOR) && !identifier.contains('\n');
        let longer = format!("{list}{start}{identifier}");
        // Plus one: the sum of two estimates can be less than the estimate of the whole.
        let fits = used + estimate_text(&longer) + TokenCount(1) <= room;
        if is_single && fits {
            list = longer;
        }
    }
    let part = format!("{lines}{list}");
    if part.trim() == format!("## {EXACT_HEADING}") {
        return String::new();
    }
    part
}

/// Tokens of `max` that the sections must leave free for the exact identifiers.
pub(super) fn exact_share(
    own: &[String],
    audit: &Audit,
    body: &str,
    max: TokenCount,
) -> TokenCount {
    let wanted = exact_part(own, audit, body, max);
    estimate_text(&wanted).min(max.percent(EXACT_PERCENT))
}

const REPLY_MIN: TokenCount = TokenCount(100);

/// The largest reply with which the summary, including its `frame`, stays within the plan.
///
/// At least `REPLY_MIN`, even if the frame alone nearly fills the plan: the check for effect decides whether
/// such a summary is worth it.
pub(super) fn room_for_reply(plan: &SummaryPlan, frame: &str) -> TokenCount {
    let frame = summary_tokens(frame);
    plan.output_max.saturating_sub(frame).max(REPLY_MIN)
}

/// How many times to shrink the room by the excess.
const CUTS_MAX: usize = 4;

/// How much of `max` the lines of a reply may take so that the additions for the cut ones fit as well;
/// `whole` returns the size of a summary for a given room.
pub(super) fn room_for_lines(
    max: TokenCount,
    whole: impl Fn(TokenCount) -> TokenCount,
) -> TokenCount {
    let mut room = max;
    for _ in 0..CUTS_MAX {
        let excess = whole(room).saturating_sub(max);
        if excess == TokenCount::ZERO {
            return room;
        }
        room = room.saturating_sub(excess);
    }
    max.percent(100 - MISSING_PERCENT - EXACT_PERCENT)
}
