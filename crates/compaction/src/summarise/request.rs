//! Asks for a summary.
//!
//! Never shows the model more than its window takes.

use base::model::{Excerpt, Purpose, Request};
use base::{Message, SUMMARY_SECTIONS, TokenCount, estimate_text};
use session::{ViewContent, ViewItem};

use super::SummaryBrief;
use super::render::{reply_max, without_frame};
use crate::{line, prompt, shorten, transcript};

pub(super) const PROMPT: &str = include_str!("../prompts/summary.md");
const WISHES: &str = include_str!("../prompts/summary_wishes.md");

/// The most of the owner's instructions that is passed on.
const INSTRUCTIONS_CHARS_MAX: usize = 800;

/// What a provider may add around the two messages of the request.
const FRAME: TokenCount = TokenCount(64);

/// Asks for a summary, of a model whose window is `window`.
pub fn summary_request(brief: &SummaryBrief, window: TokenCount) -> Request {
    let output_max = reply_max(brief);
    let system = system_prompt(brief, output_max);
    let input_max = window
        .saturating_sub(output_max)
        .saturating_sub(estimate_text(&system))
        .saturating_sub(FRAME);
    let excerpts = excerpts(&brief.plan.span);
    let material = transcript::render(&excerpts, brief.as_of.timezone, input_max);
    Request {
        purpose: Purpose::Summarise,
        system,
        messages: vec![Message::user(shorten::head_tokens(&material, input_max))],
        excerpts,
        tools: Vec::new(),
        output_max,
    }
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

fn system_prompt(brief: &SummaryBrief, output_max: TokenCount) -> String {
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
    match wishes {
        Some(wishes) => format!("{instructions}\n\n{wishes}"),
        None => instructions,
    }
}

/// What the owner asks of this summary, on one line: it cannot pass for more of our own instructions.
fn wishes(instructions: &str) -> String {
    let instructions = line::capped(&line::single(instructions), INSTRUCTIONS_CHARS_MAX);
    prompt::fill(WISHES, &[("instructions", &instructions)])
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
