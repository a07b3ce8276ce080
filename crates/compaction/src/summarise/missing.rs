//! What the host adds for what a reply lacks: lines for decisions, open questions and the last request, a last part with
//! exact identifiers, and the room for both.
//!
//! Puts nothing into its place: where a line stands is for the form of the summary.

use std::collections::BTreeSet;

use base::{TokenCount, estimate_text};

use super::plan::SummaryPlan;
use crate::audit::{Audit, ClaimKind};
use crate::shown::summary_tokens;

/// What is added takes this many hundredths of the reply at most, or what the reply leaves free: the text
/// that a model wrote gives way to no more than this.
pub(super) const MISSING_PERCENT: u64 = 20;

const ENTRY: &str = " (entry ";
const ENTRY_END: &str = "): ";

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

pub(crate) const EXACT_HEADING: &str = "Exact identifiers";

/// What stands between two identifiers.
pub(crate) const EXACT_SEPARATOR: &str = "; ";

/// What the part is sure of, in hundredths of the summary.
pub(super) const EXACT_PERCENT: u64 = 30;

/// The part of a summary whose sections are `body`: first what the model listed, then what the audit
/// misses, most used first, as far as `room` goes. Empty where nothing is missing.
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
        // One more than the parts take: a sum of estimates may be less than the estimate of the sum.
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

/// What the sections must leave of `max` so that the part finds its share.
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

/// The most that a reply may take, so that the summary keeps to its plan with the lines of `frame` around it.
///
/// Where a summary may hardly be longer than these lines, the reply gets a little all the same: the
/// effect check tells whether the summary is worth it.
pub(super) fn room_for_reply(plan: &SummaryPlan, frame: &str) -> TokenCount {
    let frame = summary_tokens(frame);
    plan.output_max.saturating_sub(frame).max(REPLY_MIN)
}

/// So many times the room is made smaller by what was too much.
const CUTS_MAX: usize = 4;

/// How much of `max` the lines of a reply may take so that what is added for those that were cut away fits
/// as well; `whole` tells what a summary takes whose lines have so much room.
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
