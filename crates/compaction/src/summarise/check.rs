//! The prompts for a summary, and the checks of a reply.
//!
//! Rejects a reply that is not a summary, with the reason; repairs nothing.

use base::{SUMMARY_SECTIONS, estimate_text};

use super::plan::SummaryBrief;
use crate::markdown::{self, ReplyLine};
use crate::strategy::{MIDDLE_PROMPT, SECTIONS_PROMPT, TIERED_PROMPT};

pub(super) const MERGE: &str = include_str!("../prompts/summary_merge.md");
pub(super) const RETRY: &str = include_str!("../prompts/summary_retry.md");
pub(super) const WISHES: &str = include_str!("../prompts/summary_wishes.md");

/// The prompts that a reply must not repeat.
pub(super) const PROMPTS: [&str; 5] = [SECTIONS_PROMPT, MERGE, RETRY, TIERED_PROMPT, MIDDLE_PROMPT];

/// The reason why a reply is not a usable summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SummaryReplyError {
    /// The reply was interrupted.
    #[error("the reply to the summary request was interrupted")]
    BrokenOff,
    /// The reply was cut off at its length limit.
    #[error("the reply to the summary request was cut off at its length limit")]
    CutShort,
    /// The reply is empty or contains only headings.
    #[error("the reply to the summary request has no content")]
    NoContent,
    /// The reply has none of the requested sections.
    #[error("the reply to the summary request has none of the requested sections")]
    NoSection,
    /// The reply repeats its instructions.
    #[error("the reply to the summary request repeats its instructions")]
    PromptLeak,
    /// The reply is larger than the span.
    #[error("the reply to the summary request is larger than what it replaces")]
    LargerThanInput,
    /// The summary would free too little, or is too large to be shown whole.
    #[error(
        "the summary would free less than a fifth of what it replaces, or is too large to be shown whole"
    )]
    FreesTooLittle,
}

pub(super) fn check(text: &str, brief: &SummaryBrief) -> Result<(), SummaryReplyError> {
    if PROMPTS.iter().any(|prompt| markdown::repeats(prompt, text)) {
        return Err(SummaryReplyError::PromptLeak);
    }
    let lines = markdown::lines(text, &SUMMARY_SECTIONS);
    let is_said = |line: &ReplyLine| !matches!(line, ReplyLine::Heading(_));
    if !lines.iter().any(is_said) {
        return Err(SummaryReplyError::NoContent);
    }
    let is_known = |line: &ReplyLine| matches!(line, ReplyLine::Heading(Some(_)));
    if brief.plan.strategy.rules().has_sections() && !lines.iter().any(is_known) {
        return Err(SummaryReplyError::NoSection);
    }
    if estimate_text(text) > brief.plan.stored.max(brief.plan.output_max) {
        return Err(SummaryReplyError::LargerThanInput);
    }
    Ok(())
}
