//! Renders a prose reply as a summary, for the strategies without sections: `tiered` and `middle`.
//!
//! Trusts nothing: redacts secrets and adds what the audit misses.

use base::{TokenCount, estimate_text, redact};

use super::check::{SummaryReplyError, check};
use super::missing::{exact_part, exact_share, missing_lines, room_for_lines, room_for_reply};
use super::plan::SummaryBrief;
use crate::audit::Audit;
use crate::shorten;
use crate::shown::CONTEXT_OPENING;

/// The opening of a summary by `tiered`.
const STACKED: &str = "[Compaction Summary]: ";

/// The last line of a summary by `middle`.
const CONTEXT_CLOSING: &str = "[END CONTEXT SUMMARY]";

/// Renders a summary by `tiered`, behind the carried ones.
pub(super) fn stacked(
    reply: &str,
    brief: &SummaryBrief,
    audit: &Audit,
    last_line: &str,
) -> Result<String, SummaryReplyError> {
    let text = text(reply, brief, audit, &format!("{STACKED}\n\n{last_line}"))?;
    let summary = format!("{STACKED}{text}\n\n{last_line}");
    Ok(match &brief.plan.carried {
        Some(carried) => format!("{carried}\n\n{summary}"),
        None => summary,
    })
}

/// Renders a summary by `middle`, which is later merged into the first user message.
pub(super) fn in_context(
    reply: &str,
    brief: &SummaryBrief,
    audit: &Audit,
    last_line: &str,
) -> Result<String, SummaryReplyError> {
    let frame = format!("{CONTEXT_OPENING}\n\n\n{last_line}\n{CONTEXT_CLOSING}");
    let text = text(reply, brief, audit, &frame)?;
    Ok(format!(
        "{CONTEXT_OPENING}\n{text}\n\n{last_line}\n{CONTEXT_CLOSING}"
    ))
}

/// Strips the marks of these strategies from a line; `None` if the line is only a mark.
pub(super) fn without_marks(line: &str) -> Option<&str> {
    let is_mark = matches!(line.trim(), CONTEXT_OPENING | CONTEXT_CLOSING);
    (!is_mark).then(|| line.strip_prefix(STACKED).unwrap_or(line))
}

fn text(
    reply: &str,
    brief: &SummaryBrief,
    audit: &Audit,
    frame: &str,
) -> Result<String, SummaryReplyError> {
    check(reply, brief)?;
    // Redact before cutting: half a secret is not recognised.
    let reply = redact(reply);
    let max = room_for_reply(&brief.plan, frame);
    let lines = lines(&reply);
    if lines.is_empty() {
        return Err(SummaryReplyError::NoContent);
    }
    let said = |room: TokenCount| {
        let mut said = cut_to(lines.clone(), room);
        let missing = missing_lines(audit, &said.join("\n"), max);
        said.extend(missing.into_iter().map(|claim| claim.text));
        said.join("\n")
    };
    let body = said(room_for_lines(max, |room| {
        let body = said(room);
        estimate_text(&body) + exact_share(&[], audit, &body, max)
    }));
    let room = max.saturating_sub(estimate_text(&body));
    let exact = exact_part(&[], audit, &body, room);
    Ok(format!("{body}{exact}"))
}

/// The non-empty lines of a reply; a heading becomes a line that ends in a colon.
fn lines(reply: &str) -> Vec<String> {
    let lines = reply.trim().lines().filter_map(|text| {
        let text = without_marks(text)?.trim_end();
        let heading = text.trim_start_matches('#');
        if heading.len() < text.len() && heading.starts_with(' ') {
            let heading = shorten::single(heading);
            return (!heading.is_empty()).then(|| format!("{heading}:"));
        }
        (!text.is_empty()).then(|| text.to_owned())
    });
    lines.collect()
}

/// The first lines that fit, and as much of the next one as fits.
fn cut_to(lines: Vec<String>, max: TokenCount) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut left = max;
    for text in lines {
        let tokens = estimate_text(&text) + TokenCount(1);
        if tokens > left {
            let n_chars = shorten::head_tokens(&text, left).chars().count();
            let part = shorten::capped(&text, n_chars);
            if kept.is_empty() || part.chars().any(char::is_alphanumeric) {
                kept.push(part);
            }
            break;
        }
        left = left.saturating_sub(tokens);
        kept.push(text);
    }
    kept
}

#[cfg(test)]
#[path = "prose_tests.rs"]
mod tests;
