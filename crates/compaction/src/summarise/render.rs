//! Renders a reply as the summary that the window shows.
//!
//! Trusts nothing: the host writes the first and the last line, and no secret passes.

use base::{SUMMARY_SECTIONS, TokenCount, estimate_text, redact};

use super::SummaryPlan;
use super::request::PROMPT;
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

/// One line takes at most this many hundredths of the summary.
const LINE_PERCENT: u64 = 25;

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
pub fn render_summary(
    reply: &str,
    plan: &SummaryPlan,
    as_of: AsOf,
) -> Result<String, SummaryReplyError> {
    if leak::repeats(PROMPT, reply) {
        return Err(SummaryReplyError::PromptLeak);
    }
    // Redacted before it is cut: half a secret is not recognised.
    let reply = redact(reply);
    let mut sections = sections(&reply, plan.output_max.percent(LINE_PERCENT));
    if sections.iter().all(Vec::is_empty) {
        return Err(SummaryReplyError::NoContent);
    }
    let first = format!("{OPENING}{}] {}", as_of.time_of_day(), as_of.day());
    let last = span_line(plan);
    let frame = summary_tokens(&first) + estimate_text(&last) + TokenCount(2);
    cut_to(&mut sections, plan.output_max.saturating_sub(frame));

    let mut summary = first;
    for (heading, lines) in SUMMARY_SECTIONS.iter().zip(&sections) {
        if !lines.is_empty() {
            summary.push_str("\n\n## ");
            summary.push_str(heading);
        }
        for line in lines {
            summary.push('\n');
            summary.push_str(line);
        }
    }
    summary.push_str("\n\n");
    summary.push_str(&last);
    Ok(summary)
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
    let line_tokens = |line: &String| estimate_text(line).0 + 1;
    let mut tokens: Vec<u64> = sections
        .iter()
        .zip(SUMMARY_SECTIONS)
        .map(|(lines, heading)| match lines.as_slice() {
            [] => 0,
            lines => lines.iter().map(line_tokens).sum::<u64>() + heading_tokens(heading),
        })
        .collect();
    let mut n_lines: usize = sections.iter().map(Vec::len).sum();
    while tokens.iter().sum::<u64>() > max.0 && n_lines > 1 {
        let costs = tokens
            .iter()
            .zip(WORTH)
            .map(|(tokens, worth)| tokens * 60 / worth);
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
        n_lines -= 1;
        *tokens = if lines.is_empty() {
            0
        } else {
            tokens.saturating_sub(line_tokens(&gone))
        };
    }
}

/// A heading with the empty line before it.
fn heading_tokens(heading: &str) -> u64 {
    estimate_text(heading).0 + 2
}

/// The last line: which entries the summary stands for.
fn span_line(plan: &SummaryPlan) -> String {
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
