//! Renders a reply as the summary that the window shows.
//!
//! Trusts nothing: the host writes the first and the last line, and no secret passes.

use base::{SUMMARY_SECTIONS, TokenCount, estimate_text, redact};

use super::request::PROMPT;
use super::{SummaryBrief, SummaryPlan};
use crate::markdown::{self, Line};
use crate::show::summary_tokens;
use crate::transcript::AsOf;
use crate::{leak, line, shorten};

const OPENING: &str = "[COMPACTED SUMMARY - as of ";
const CLOSING: &str = "[Stands for ";

/// How much of a summary each section is worth; the one that takes most for its worth is cut first.
const WORTH: [u64; SUMMARY_SECTIONS.len()] = [3, 1, 3, 2, 4, 3, 5];

/// The section of what happened when: there the oldest lines go first, elsewhere the last.
const TIMELINE: usize = 1;

/// What stands before any heading, or under one that was not asked for.
const CONTEXT: usize = 2;

/// One line takes at most this many hundredths of the reply.
const LINE_PERCENT: u64 = 50;

/// See [`reply_max`].
const REPLY_MIN: TokenCount = TokenCount(100);

/// A reply that is no summary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SummaryReplyError {
    /// The reply holds nothing, or headings alone.
    #[error("the reply to the summary request holds no content")]
    NoContent,
    /// The reply repeats its instructions.
    #[error("the reply to the summary request repeats its instructions")]
    PromptLeak,
}

/// Renders the summary: first a line with its time, then the sections, last a line that names the span.
///
/// What is too long loses its least important lines. Secrets are replaced.
///
/// # Errors
///
/// [`SummaryReplyError`] where the reply is no summary; the caller tries the next rung.
pub fn render_summary(reply: &str, brief: &SummaryBrief) -> Result<String, SummaryReplyError> {
    if leak::repeats(PROMPT, reply) {
        return Err(SummaryReplyError::PromptLeak);
    }
    // Redacted before it is cut: half a secret is not recognised.
    let reply = redact(reply);
    let mut sections = sections(&reply, reply_max(brief).percent(LINE_PERCENT));
    if sections.iter().all(Vec::is_empty) {
        return Err(SummaryReplyError::NoContent);
    }
    cut_to(&mut sections, reply_max(brief));
    let (first, last) = (first_line(brief.as_of), last_line(&brief.plan));
    Ok(format!("{first}\n\n{}\n\n{last}", body(&sections)))
}

/// The most that a reply may take, so that the summary keeps to its plan with our own lines around it.
///
/// Where a summary may hardly be longer than these lines, the reply gets this much all the same: the
/// effect check tells whether the summary is worth it.
pub(super) fn reply_max(brief: &SummaryBrief) -> TokenCount {
    let (first, last) = (first_line(brief.as_of), last_line(&brief.plan));
    let frame = format!("{first}\n\n\n\n{last}");
    brief
        .plan
        .output_max
        .saturating_sub(summary_tokens(&frame))
        .max(REPLY_MIN)
}

/// The summary without the lines that we put around it: they speak of another span.
pub(super) fn without_frame(summary: &str) -> String {
    let is_ours = |line: &&str| !line.starts_with(OPENING) && !line.starts_with(CLOSING);
    let lines: Vec<&str> = summary.lines().filter(is_ours).collect();
    lines.join("\n").trim().to_owned()
}

fn body(sections: &[Vec<String>; SUMMARY_SECTIONS.len()]) -> String {
    let parts: Vec<String> = SUMMARY_SECTIONS
        .iter()
        .zip(sections)
        .filter(|(_, lines)| !lines.is_empty())
        .map(|(heading, lines)| format!("## {heading}\n{}", lines.join("\n")))
        .collect();
    parts.join("\n\n")
}

/// The lines of each section, normalised.
fn sections(reply: &str, line_max: TokenCount) -> [Vec<String>; SUMMARY_SECTIONS.len()] {
    let mut sections: [Vec<String>; SUMMARY_SECTIONS.len()] = Default::default();
    let mut current = CONTEXT;
    for read in markdown::lines(reply, &SUMMARY_SECTIONS) {
        let text = match read {
            Line::Heading(known) => {
                current = known.unwrap_or(CONTEXT);
                continue;
            }
            Line::Bullet(text) | Line::Text(text) if says_something(&text) => {
                format!("- {}", line::single(&text))
            }
            Line::Code(code) if !code.trim().is_empty() => format!("  {code}"),
            Line::Bullet(_) | Line::Text(_) | Line::Code(_) => continue,
        };
        let text = short_line(text, line_max);
        if let Some(lines) = sections.get_mut(current)
            && !lines.contains(&text)
        {
            lines.push(text);
        }
    }
    sections
}

/// Our own first and last line, copied from an earlier summary, say nothing; nor does "None".
fn says_something(text: &str) -> bool {
    let is_frame = text.starts_with(OPENING) || text.starts_with(CLOSING);
    let words = markdown::same_words(text);
    !is_frame
        && !matches!(
            words.as_str(),
            "" | "none" | "n a" | "nothing" | "none so far"
        )
}

fn short_line(text: String, max: TokenCount) -> String {
    if estimate_text(&text) <= max {
        return text;
    }
    let n_chars = shorten::head_tokens(&text, max).chars().count();
    line::capped(&text, n_chars)
}

/// Takes lines away until all fit, each time from the section that takes most for its worth. The last
/// line of all stays.
fn cut_to(sections: &mut [Vec<String>; SUMMARY_SECTIONS.len()], max: TokenCount) {
    // Never more than what a line adds to the whole, so that the whole is counted only near the end.
    let at_least = |line: &String| estimate_text(line).0.saturating_sub(1);
    let mut tokens: Vec<u64> = sections
        .iter()
        .map(|lines| lines.iter().map(at_least).sum())
        .collect();
    let mut n_lines: usize = sections.iter().map(Vec::len).sum();
    while n_lines > 1
        && (tokens.iter().sum::<u64>() > max.0 || estimate_text(&body(sections)) > max)
    {
        let costs = sections.iter().zip(&tokens).zip(WORTH);
        let costs = costs.map(|((lines, tokens), worth)| {
            (!lines.is_empty()).then_some((tokens + 1).saturating_mul(60) / worth)
        });
        let Some((section, _)) = costs.enumerate().max_by_key(|(_, cost)| *cost) else {
            return;
        };
        let (Some(lines), Some(tokens)) = (sections.get_mut(section), tokens.get_mut(section))
        else {
            return;
        };
        let gone = if section == TIMELINE {
            lines.remove(0)
        } else {
            lines.pop().unwrap_or_default()
        };
        *tokens = tokens.saturating_sub(at_least(&gone));
        n_lines -= 1;
    }
}

fn first_line(as_of: AsOf) -> String {
    format!("{OPENING}{}] {}", as_of.time_of_day(), as_of.day())
}

/// The last line: which entries the summary stands for.
fn last_line(plan: &SummaryPlan) -> String {
    let n_messages = plan.n_messages();
    let span = match plan.ends() {
        Some((first, last)) if first == last => format!("1 message: entry {first}"),
        Some((first, last)) => format!("{n_messages} messages: entries {first}..{last}"),
        None => String::new(),
    };
    let before = plan
        .previous()
        .map(|(item, _)| format!(", and for the summary before them: entry {}", item.entry))
        .unwrap_or_default();
    format!("{CLOSING}{span}{before}. The transcript keeps them.]")
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
