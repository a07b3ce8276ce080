//! Reads the reply to a summary request.
//!
//! Rejects a reply that is not a summary, with the reason; repairs nothing.

use base::{Assistant, Message, StopReason, redact};

use super::check::{SummaryReplyError, check};
use super::plan::{Summary, SummaryBrief};
use super::render::render_summary;
use crate::audit::Audit;
use crate::rung::Rung;

/// Makes a summary from a reply, and adds the items that it lacks.
pub fn read_summary(
    reply: Assistant,
    brief: &SummaryBrief,
    audit: &Audit,
    rung: Rung,
) -> Result<Summary, SummaryReplyError> {
    let text = text_of(reply)?;
    let summary = render_summary(&text, brief, audit, rung)?;
    if !brief.plan.is_effective(&summary) {
        return Err(SummaryReplyError::FreesTooLittle);
    }
    Ok(Summary::new(summary, rung, audit))
}

/// Reads the reply for one part of a span.
pub fn read_part(reply: Assistant, brief: &SummaryBrief) -> Result<String, SummaryReplyError> {
    let text = text_of(reply)?;
    check(&text, brief)?;
    Ok(redact(&text).into_owned())
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
