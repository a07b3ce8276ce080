//! Renders a reply as the summary that the window shows.
//!
//! Takes over the model's text unchanged, except for secrets; writes the frame around it and adds the identifiers
//! that it lacks.

use base::{TokenCount, estimate_text, redact};

use super::check::{SummaryReplyError, check};
use super::frame::{EXACT_SEPARATOR, exact_part, framed, without_frame};
use super::plan::SummaryBrief;
use crate::audit::Audit;
use crate::rung::Rung;
use crate::shown::summary_tokens;

/// Largest share of a model's summary that the added part may take, in hundredths.
const ADDED_PERCENT: u64 = 5;

/// Size of a summary by the offline engine including the added part, in hundredths of the requested size. The engine
/// quotes sentences and leaves identifiers to the audit.
const OFFLINE_PERCENT: u64 = 160;

/// Smallest size to ask for. The check for effect decides whether such a summary is worth it.
const REPLY_MIN: TokenCount = TokenCount(100);

/// Renders the summary in the form of its strategy: the reply word for word, except for secrets and copied lines of
/// an earlier frame; then the audited identifiers that it lacks; then a line with the span and how to expand it.
pub fn render_summary(
    reply: &str,
    brief: &SummaryBrief,
    audit: &Audit,
    rung: Rung,
) -> Result<String, SummaryReplyError> {
    check(reply, brief)?;
    let text = without_frame(&redact(reply));
    if !text.contains(char::is_alphanumeric) {
        return Err(SummaryReplyError::NoContent);
    }
    let bare = framed(&text, brief);
    let room = room_for_part(brief, &bare, rung);
    let added = added_part(audit, &bare, (room, rung));
    let summary = framed(&format!("{text}{added}"), brief);
    Ok(match &brief.plan.carried {
        Some(carried) => format!("{carried}\n\n{summary}"),
        None => summary,
    })
}

/// The size of reply to ask for, so that the summary with frame and added part has the planned size.
pub(super) fn reply_max(brief: &SummaryBrief) -> TokenCount {
    let frame = summary_tokens(&framed("", brief));
    let room = brief.plan.output_max.percent(100 - ADDED_PERCENT);
    room.saturating_sub(frame).max(REPLY_MIN)
}

fn room_for_part(brief: &SummaryBrief, bare: &str, rung: Rung) -> TokenCount {
    let bare = estimate_text(bare);
    let share = TokenCount(bare.0 * ADDED_PERCENT / (100 - ADDED_PERCENT));
    if rung < Rung::Offline {
        return share;
    }
    let plan = &brief.plan;
    let max = plan.output_max.percent(OFFLINE_PERCENT);
    let max = max.min(plan.largest()).max(plan.output_max);
    max.saturating_sub(bare).max(share)
}

/// The last request and the identifiers that a summary lacks, most used first, as far as they fit into `room`.
///
/// The offline engine drops old lines when room is short, and quotes little of the assistant. Optional identifiers
/// therefore come last for its summaries.
fn added_part(audit: &Audit, summary: &str, (room, rung): (TokenCount, Rung)) -> String {
    let request = audit.missing_request(summary);
    let request = request.map(|request| format!("- Last request: {request}"));
    let fits = |lines: &[String], list: &str| estimate_text(&exact_part(lines, list)) <= room;
    let mut lines: Vec<String> = request.into_iter().collect();
    if !fits(&lines, "") {
        lines.clear();
    }
    let known = format!("{summary}{}", exact_part(&lines, ""));
    let mut list = String::new();
    let others = (rung >= Rung::Offline).then(|| audit.missing_others(&known));
    let others = others.into_iter().flatten();
    for identifier in audit.missing_identifiers(&known).chain(others) {
        let is_single = !identifier.contains(EXACT_SEPARATOR) && !identifier.contains('\n');
        let separator = if list.is_empty() { "" } else { EXACT_SEPARATOR };
        let longer = format!("{list}{separator}{identifier}");
        if is_single && fits(&lines, &longer) {
            list = longer;
        }
    }
    exact_part(&lines, &list)
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
