//! Builds the request for a summary.
//!
//! Never exceeds the model's window.

use base::model::{Excerpt, Purpose, Request, Sampling};
use base::{Block, Message, SUMMARY_SECTIONS, TokenCount, estimate_text, head};
use session::ViewItem;

use super::check::{MERGE, RETRY, WISHES};
use super::frame::without_frame;
use super::plan::SummaryBrief;
use super::render::reply_max;
use crate::pairing::clean;
use crate::{shorten, transcript};

/// Allowance for the tokens that a provider adds around the messages of a request.
const FRAME: TokenCount = TokenCount(64);

/// A model may write this many tokens beyond the requested summary...
const SPARE_MAX: TokenCount = TokenCount(6_000);

/// ...but at most one eighth of its window.
const SPARE_WINDOW_PART: u64 = 8;

/// Maximum length of the owner's instructions in a request, in characters.
const INSTRUCTIONS_CHARS_MAX: usize = 800;

/// Words per token of dense text, in hundredths: figures, names and paths take several tokens each.
const WORDS_PERCENT: u64 = 50;

/// Safety factor, in hundredths, because estimates can be too small.
pub(super) const SAFETY_PERCENT: u64 = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SummaryAsk {
    /// The request is for a summary of the span.
    Span,
    /// The request is for one summary of several summaries.
    Merge,
}

/// Requests a summary from a model with this window.
pub fn summary_request(brief: &SummaryBrief, window: TokenCount) -> Request {
    request(brief, SummaryAsk::Span, window)
}

pub(super) fn request(brief: &SummaryBrief, ask: SummaryAsk, window: TokenCount) -> Request {
    let output_max = output_max(brief);
    let system = system_prompt(brief, ask);
    let input_max = input_max(window, output_max, &system);
    let material = material(brief, &summary_evidence(brief), input_max);
    let shown = Message::user(shorten::head_tokens(&material, input_max));
    let mut request = Request::new(Purpose::Summarise, system, vec![shown], output_max);
    if brief.plan.strategy.asks_once() {
        request.sampling = Sampling::Likeliest;
    }
    request
}

/// Renders the excerpts. For `middle`, shortens tool calls and results and limits the total length.
fn material(brief: &SummaryBrief, excerpts: &[Excerpt], max: TokenCount) -> String {
    let timezone = brief.as_of.timezone;
    if brief.plan.strategy.asks_once() {
        bounded(&transcript::render(&previews(excerpts), timezone, max))
    } else {
        transcript::render(excerpts, timezone, max)
    }
}

fn output_max(brief: &SummaryBrief) -> TokenCount {
    let rules = brief.plan.strategy.rules();
    rules.output_max().unwrap_or_else(|| reply_max(brief))
}

/// Room for output beyond the requested summary: a model may think or miscount words. A reply that is cut off at its
/// limit is lost, while a long one can be shortened.
pub fn spare_room(window: TokenCount) -> TokenCount {
    SPARE_MAX.min(TokenCount(window.0 / SPARE_WINDOW_PART))
}

/// Repeats a request whose reply `first` lacked the texts in `missing`.
///
/// Shows the same material again, as far as the window has room for it next to the reply and the correction.
pub fn retry_request(
    request: impl Fn(TokenCount) -> Request,
    (first, missing): (&str, &[String]),
    window: TokenCount,
) -> Request {
    let bullets: Vec<String> = missing.iter().map(|text| format!("- {text}")).collect();
    let asked = transcript::fill(RETRY, &[("missing", &bullets.join("\n"))]);
    let again = [Message::assistant(first), Message::user(asked)];
    let taken: TokenCount = again.iter().map(base::estimate_message).sum();
    let mut request = request(window.saturating_sub(taken));
    request.messages.extend(again);
    request
}

/// Whether the whole span fits into one request, with a margin for estimates that are too small.
pub fn fits_whole(brief: &SummaryBrief, window: TokenCount) -> bool {
    let system = system_prompt(brief, SummaryAsk::Span);
    let whole = TokenCount(u64::MAX / 4);
    let material = material(brief, &summary_evidence(brief), whole);
    let input_max = input_max(window, output_max(brief), &system);
    estimate_text(&material).percent(SAFETY_PERCENT) <= input_max
}

fn input_max(window: TokenCount, output_max: TokenCount, system: &str) -> TokenCount {
    window.saturating_sub(output_max + estimate_text(system) + FRAME)
}

/// The span as evidence. If the strategy replaces everything, the span is first completed to a well-formed
/// conversation.
pub fn summary_evidence(brief: &SummaryBrief) -> Vec<Excerpt> {
    let plan = &brief.plan;
    if plan.strategy.replaces_everything() {
        excerpts_of(&clean(&plan.span))
    } else {
        excerpts_of(&plan.span)
    }
}

/// The items as evidence; an earlier summary becomes evidence without an entry.
fn excerpts_of(span: &[ViewItem]) -> Vec<Excerpt> {
    let mut messages = transcript::excerpts(span).into_iter();
    let mut n_summaries = 0_u64;
    let excerpts = span.iter().filter_map(|item| {
        let Some(summary) = item.summary() else {
            return messages.next();
        };
        n_summaries += 1;
        Some(Excerpt {
            label: format!("s{n_summaries}"),
            entry: None,
            at: item.at,
            origin: item.origin,
            message: Message::user(without_frame(summary)),
            recalled: None,
        })
    });
    excerpts.collect()
}

fn system_prompt(brief: &SummaryBrief, ask: SummaryAsk) -> String {
    let as_of = brief.as_of;
    let wishes = brief.instructions.as_deref().map(wishes);
    let [goals, timeline, context, files, active, unresolved, next] = SUMMARY_SECTIONS;
    let n_words = reply_max(brief).percent(WORDS_PERCENT).0;
    let instructions = transcript::fill(
        brief.plan.strategy.rules().prompt(),
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
    let merge = (ask == SummaryAsk::Merge).then(|| transcript::fill(MERGE, &[]));
    let parts = [Some(instructions), merge, wishes].into_iter().flatten();
    parts.collect::<Vec<String>>().join("\n\n")
}

/// The owner's instructions, on one line so that they cannot look like lines of the prompt.
fn wishes(instructions: &str) -> String {
    let instructions = shorten::capped(&shorten::single(instructions), INSTRUCTIONS_CHARS_MAX);
    transcript::fill(WISHES, &[("instructions", &instructions)])
}

/// Number of characters shown of a call's arguments.
const INPUT_CHARS: usize = 200;

/// Number of characters shown of a result: from its beginning...
const RESULT_HEAD_CHARS: usize = 500;

/// ...and from its end.
const RESULT_TAIL_CHARS: usize = 200;

/// Maximum length of the material of a request by `middle`, in characters.
const MATERIAL_CHARS_MAX: usize = 100_000;

/// Room for the line that says how much was left out.
const MARKER_CHARS: usize = 60;

/// Shortens the arguments of calls and the texts of results.
pub(super) fn previews(excerpts: &[Excerpt]) -> Vec<Excerpt> {
    let mut excerpts = excerpts.to_vec();
    for excerpt in &mut excerpts {
        let is_result = matches!(excerpt.message, Message::ToolResult(_));
        for block in excerpt.message.content_mut() {
            match block {
                Block::ToolCall(call) => call.arguments = input(&call.arguments),
                Block::Text(text) if is_result => *text = result(text),
                Block::Text(_) | Block::Thinking(_) | Block::Image(_) | Block::Unknown { .. } => {}
            }
        }
    }
    excerpts
}

/// Cuts the middle out of a text that is too long.
pub(super) fn bounded(text: &str) -> String {
    if text.chars().count() <= MATERIAL_CHARS_MAX {
        return text.to_owned();
    }
    let n_each = (MATERIAL_CHARS_MAX - MARKER_CHARS) / 2;
    ends(text, n_each, n_each)
}

fn ends(text: &str, n_head: usize, n_tail: usize) -> String {
    let marker = |n_hidden| format!("[... {n_hidden} characters left out ...]");
    shorten::ends(text, (n_head, n_tail), marker)
}

fn input(arguments: &str) -> String {
    let shown = head(arguments, INPUT_CHARS);
    if shown.len() == arguments.len() {
        return arguments.to_owned();
    }
    format!("{shown}...")
}

fn result(text: &str) -> String {
    if text.chars().count() <= RESULT_HEAD_CHARS + RESULT_TAIL_CHARS {
        return text.to_owned();
    }
    ends(text, RESULT_HEAD_CHARS, RESULT_TAIL_CHARS)
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
