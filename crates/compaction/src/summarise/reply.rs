//! Reads what a model answered to a request for a summary.
//!
//! Refuses what is no summary, with the reason; mends nothing.

use base::{Assistant, Message, SUMMARY_SECTIONS, StopReason, estimate_text, redact};

use super::render::render_summary;
use super::request::{PROMPTS, asks_for_sections};
use super::{Summary, SummaryBrief};
use crate::markdown::{self, Line};
use crate::{Audit, Rung};

/// A reply that is no summary, or none worth having.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SummaryReplyError {
    /// The reply was broken off.
    #[error("the reply to the summary request was broken off")]
    BrokenOff,
    /// The reply ended at the limit of its length.
    #[error("the reply to the summary request was cut at its length limit")]
    CutShort,
    /// The reply holds nothing, or headings alone.
    #[error("the reply to the summary request holds no content")]
    NoContent,
    /// The reply has none of the sections that were asked for.
    #[error("the reply to the summary request has none of the sections asked for")]
    NoSection,
    /// The reply repeats its instructions.
    #[error("the reply to the summary request repeats its instructions")]
    PromptLeak,
    /// The reply is larger than what it was to stand for.
    #[error("the reply to the summary request is larger than what it stands for")]
    LargerThanInput,
    /// The summary would free too little.
    #[error("the summary would free less than a fifth of what it replaces")]
    FreesTooLittle,
}

/// The summary that a reply gives, with what the audit misses added.
pub fn read_summary(
    reply: Assistant,
    brief: &SummaryBrief,
    audit: &Audit,
    rung: Rung,
) -> Result<Summary, SummaryReplyError> {
    let text = text_of(reply)?;
    let summary = render_summary(&text, brief, audit)?;
    if !brief.plan.is_effective(&summary) {
        return Err(SummaryReplyError::FreesTooLittle);
    }
    Ok(Summary::new(summary, rung, audit))
}

/// The text that a reply gives for a part of a span.
pub fn read_part(reply: Assistant, brief: &SummaryBrief) -> Result<String, SummaryReplyError> {
    let text = text_of(reply)?;
    check(&text, brief)?;
    Ok(redact(&text).into_owned())
}

/// Checks that a text can be a summary of the span.
pub(super) fn check(text: &str, brief: &SummaryBrief) -> Result<(), SummaryReplyError> {
    if PROMPTS.iter().any(|prompt| markdown::repeats(prompt, text)) {
        return Err(SummaryReplyError::PromptLeak);
    }
    let lines = markdown::lines(text, &SUMMARY_SECTIONS);
    let is_said = |line: &Line| !matches!(line, Line::Heading(_));
    if !lines.iter().any(is_said) {
        return Err(SummaryReplyError::NoContent);
    }
    let is_known = |line: &Line| matches!(line, Line::Heading(Some(_)));
    if asks_for_sections(&brief.plan.strategy) && !lines.iter().any(is_known) {
        return Err(SummaryReplyError::NoSection);
    }
    if estimate_text(text) > brief.plan.stored.max(brief.plan.output_max) {
        return Err(SummaryReplyError::LargerThanInput);
    }
    Ok(())
}

fn text_of(reply: Assistant) -> Result<String, SummaryReplyError> {
    match reply.stop {
        StopReason::Aborted | StopReason::Error => Err(SummaryReplyError::BrokenOff),
        StopReason::Length => Err(SummaryReplyError::CutShort),
        StopReason::Stop | StopReason::ToolUse => Ok(Message::Assistant(reply).text()),
    }
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
