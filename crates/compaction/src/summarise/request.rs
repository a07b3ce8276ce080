//! Asks for a summary.
//!
//! Never shows the model more than its window takes.

use base::model::{Excerpt, MemoryReach, Purpose, Request};
use base::{Message, SUMMARY_SECTIONS, TokenCount, estimate_text};
use session::{ViewContent, ViewItem};

use super::SummaryBrief;
use super::render::{reply_max, without_frame};
use crate::{line, prompt, shorten, transcript};

const PROMPT: &str = include_str!("../prompts/summary.md");
const MERGE: &str = include_str!("../prompts/summary_merge.md");
const RETRY: &str = include_str!("../prompts/summary_retry.md");
const WISHES: &str = include_str!("../prompts/summary_wishes.md");

/// The prompts that a reply may not repeat.
pub(super) const PROMPTS: [&str; 3] = [PROMPT, MERGE, RETRY];

/// What a provider may add around the messages of the request.
const FRAME: TokenCount = TokenCount(64);

/// The most of the owner's instructions that is passed on.
const INSTRUCTIONS_CHARS_MAX: usize = 800;

/// Estimates are this much too small at times, in hundredths.
pub(super) const SAFETY_PERCENT: u64 = 120;

/// What the request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// The summary of what was said.
    Span,
    /// One summary of several.
    Merge,
}

/// Asks for a summary, of a model whose window is `window`.
pub fn summary_request(brief: &SummaryBrief, window: TokenCount) -> Request {
    request(brief, Ask::Span, window)
}

pub(super) fn request(brief: &SummaryBrief, ask: Ask, window: TokenCount) -> Request {
    let output_max = reply_max(brief);
    let system = system_prompt(brief, ask, output_max);
    let input_max = input_max(window, output_max, &system);
    let excerpts = excerpts(&brief.plan.span);
    let material = transcript::render(&excerpts, brief.as_of.timezone, input_max);
    Request {
        purpose: Purpose::Summarise,
        system,
        messages: vec![Message::user(shorten::head_tokens(&material, input_max))],
        excerpts,
        reach: MemoryReach::Whole,
        tools: Vec::new(),
        output_max,
    }
}

/// Asks once more, after `first` lacked what stands in `missing`.
///
/// The transcript is shown again, as far as the window takes it besides.
pub fn retry_request(
    brief: &SummaryBrief,
    first: &str,
    missing: &[String],
    window: TokenCount,
) -> Request {
    let bullets: Vec<String> = missing.iter().map(|text| format!("- {text}")).collect();
    let asked = prompt::fill(RETRY, &[("missing", &bullets.join("\n"))]);
    let again = [Message::assistant(first), Message::user(asked)];
    let taken: TokenCount = again.iter().map(base::estimate_message).sum();
    let mut request = request(brief, Ask::Span, window.saturating_sub(taken));
    request.messages.extend(again);
    request
}

/// Whether what is to be summarised fits into one request whole, with a margin for estimates that are
/// too small.
pub fn fits_whole(brief: &SummaryBrief, window: TokenCount) -> bool {
    let output_max = reply_max(brief);
    let system = system_prompt(brief, Ask::Span, output_max);
    let whole = TokenCount(u64::MAX / 4);
    let material = transcript::render(&excerpts(&brief.plan.span), brief.as_of.timezone, whole);
    estimate_text(&material).percent(SAFETY_PERCENT) <= input_max(window, output_max, &system)
}

fn input_max(window: TokenCount, output_max: TokenCount, system: &str) -> TokenCount {
    window
        .saturating_sub(output_max)
        .saturating_sub(estimate_text(system))
        .saturating_sub(FRAME)
}

/// The span as evidence; an earlier summary is evidence without an entry.
fn excerpts(span: &[ViewItem]) -> Vec<Excerpt> {
    let mut messages = transcript::excerpts(span).into_iter();
    let mut n_summaries = 0_u64;
    span.iter()
        .filter_map(|item| match &item.content {
            ViewContent::Message(_) => messages.next(),
            ViewContent::Summary(summary) => {
                n_summaries += 1;
                Some(Excerpt {
                    label: format!("s{n_summaries}"),
                    entry: None,
                    at: item.at,
                    origin: item.origin,
                    message: Message::user(without_frame(summary)),
                    recalled: None,
                })
            }
        })
        .collect()
}

fn system_prompt(brief: &SummaryBrief, ask: Ask, output_max: TokenCount) -> String {
    let as_of = brief.as_of;
    let wishes = brief.instructions.as_deref().map(wishes);
    let [goals, timeline, context, files, active, unresolved, next] = SUMMARY_SECTIONS;
    // English has about three words to four tokens.
    let n_words = output_max.percent(75).0;
    let instructions = prompt::fill(
        PROMPT,
        &[
            ("day", &as_of.day().to_string()),
            ("time", &as_of.time_of_day()),
            ("words_max", &n_words.to_string()),
            ("goals", goals),
            ("timeline", timeline),
            ("context", context),
            ("files", files),
            ("active", active),
            ("unresolved", unresolved),
            ("next", next),
        ],
    );
    let merge = (ask == Ask::Merge).then(|| prompt::fill(MERGE, &[]));
    let parts = [Some(instructions), merge, wishes].into_iter().flatten();
    parts.collect::<Vec<String>>().join("\n\n")
}

/// What the owner asks of this summary, on one line: it cannot pass for more of our own instructions.
fn wishes(instructions: &str) -> String {
    let instructions = line::capped(&line::single(instructions), INSTRUCTIONS_CHARS_MAX);
    prompt::fill(WISHES, &[("instructions", &instructions)])
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
