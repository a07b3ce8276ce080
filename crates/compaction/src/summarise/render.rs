//! Renders a reply as the summary that the window shows.
//!
//! Trusts nothing: writes the first and last line itself, and redacts secrets.

use base::{SUMMARY_SECTIONS, TokenCount, estimate_text, redact};

use super::check::{SummaryReplyError, check};
use super::missing::{
    EXACT_HEADING, exact_part, exact_share, missing_lines, room_for_lines, room_for_reply,
    without_entry,
};
use super::plan::{SummaryBrief, SummaryPlan};
use super::prose;
use crate::audit::{Audit, ClaimKind};
use crate::markdown::{self, ReplyLine};
use crate::shorten;
use crate::strategy::{Strategy, last_request};
use crate::transcript::AsOf;

const OPENING: &str = "[COMPACTED SUMMARY - as of ";
const CLOSING: &str = "[Stands for ";

/// The worth of each section; the one with the most tokens for its worth is cut first.
const WORTH: [u64; SUMMARY_SECTIONS.len()] = [3, 1, 3, 2, 4, 3, 5];

/// The timeline section: it loses its first lines, which are the oldest; other sections lose their last.
const TIMELINE: usize = 1;

/// The section for lines before any heading, or under an unknown one.
const CONTEXT: usize = 2;

/// Sections to which missing requests and questions are added.
const ACTIVE: usize = 4;
const UNRESOLVED: usize = 5;

/// The lines of each section.
type Sections = [Vec<String>; SUMMARY_SECTIONS.len()];

#[derive(Default)]
struct ReadReply {
    sections: Sections,
    /// Its lines under exact identifiers.
    exact: Vec<String>,
}

/// Largest share of the reply that one line may take, in hundredths.
const LINE_PERCENT: u64 = 50;

/// Renders the summary in the form of its strategy.
///
/// Redacts secrets and cuts the least important lines of a long reply. Adds decisions, questions and
/// requests that the reply lacks, then the missing identifiers, and a line with the span and how to expand
/// it.
pub fn render_summary(
    reply: &str,
    brief: &SummaryBrief,
    audit: &Audit,
) -> Result<String, SummaryReplyError> {
    let last = last_line(&brief.plan);
    match brief.plan.strategy {
        Strategy::Handoff | Strategy::Off => {
            let body = in_sections(reply, brief, audit)?;
            Ok(format!("{}\n\n{body}\n\n{last}", first_line(brief.as_of)))
        }
        Strategy::Replace(_) => {
            let body = in_sections(reply, brief, audit)?;
            let request = last_request(&brief.plan).map(|request| format!("\n\n{request}"));
            Ok(format!("{body}\n\n{last}{}", request.unwrap_or_default()))
        }
        Strategy::Tiered(_) => prose::stacked(reply, brief, audit, &last),
        Strategy::Middle(_) => prose::in_context(reply, brief, audit, &last),
    }
}

/// The sections of a reply and the exact identifiers.
fn in_sections(
    reply: &str,
    brief: &SummaryBrief,
    audit: &Audit,
) -> Result<String, SummaryReplyError> {
    check(reply, brief)?;
    // Redact before cutting: half a secret is not recognised.
    let reply = redact(reply);
    let max = reply_max(brief);
    let ReadReply { sections, exact } = sections(&reply, max.percent(LINE_PERCENT));
    if sections.iter().all(Vec::is_empty) {
        return Err(SummaryReplyError::NoContent);
    }
    let share = |sections: &Sections| exact_share(&exact, audit, &body(sections), max);
    let said = |room: TokenCount| {
        let mut said = sections.clone();
        cut_to(&mut said, room);
        add_missing(&mut said, audit, max);
        said
    };
    let mut sections = said(room_for_lines(max, |room| {
        let said = said(room);
        estimate_text(&body(&said)) + share(&said)
    }));
    let share = share(&sections);
    cut_to(&mut sections, max.saturating_sub(share));
    let body = body(&sections);
    let room = max.saturating_sub(estimate_text(&body));
    let exact = exact_part(&exact, audit, &body, room);
    Ok(format!("{body}{exact}"))
}

/// Adds what the audit misses at the front of the matching section.
fn add_missing(sections: &mut Sections, audit: &Audit, max: TokenCount) {
    let missing = missing_lines(audit, &body(sections), max);
    for line in missing.into_iter().rev() {
        let section = match line.kind {
            ClaimKind::Decision => CONTEXT,
            ClaimKind::OpenQuestion => UNRESOLVED,
            ClaimKind::LastRequest => ACTIVE,
        };
        if let Some(lines) = sections.get_mut(section) {
            lines.insert(0, line.text);
        }
    }
}

/// The largest reply in sections.
pub(super) fn reply_max(brief: &SummaryBrief) -> TokenCount {
    let (first, last) = (first_line(brief.as_of), last_line(&brief.plan));
    room_for_reply(&brief.plan, &format!("{first}\n\n\n\n{last}"))
}

/// The summary without our frame, which describes another span, and without the entry ids of our added lines,
/// which are not part of the conversation.
pub(crate) fn without_frame(summary: &str) -> String {
    let is_ours = |line: &&str| !line.starts_with(OPENING) && !line.starts_with(CLOSING);
    let lines = summary.lines().filter(is_ours);
    let lines = lines.filter_map(prose::without_marks).map(without_entry);
    let lines: Vec<String> = lines.collect();
    lines.join("\n").trim().to_owned()
}

fn body(sections: &Sections) -> String {
    let parts: Vec<String> = SUMMARY_SECTIONS
        .iter()
        .zip(sections)
        .filter(|(_, lines)| !lines.is_empty())
        .map(|(heading, lines)| format!("## {heading}\n{}", lines.join("\n")))
        .collect();
    parts.join("\n\n")
}

fn sections(reply: &str, line_max: TokenCount) -> ReadReply {
    let headings: Vec<&str> = SUMMARY_SECTIONS
        .into_iter()
        .chain([EXACT_HEADING])
        .collect();
    let mut read = ReadReply::default();
    let mut current = CONTEXT;
    for line in markdown::lines(reply, &headings) {
        let text = match line {
            ReplyLine::Heading(known) => {
                current = known.unwrap_or(CONTEXT);
                continue;
            }
            ReplyLine::Bullet(text) | ReplyLine::Text(text) if says_something(&text) => {
                format!("- {}", shorten::single(&text))
            }
            ReplyLine::Code(code) if !code.trim().is_empty() => format!("  {code}"),
            ReplyLine::Bullet(_) | ReplyLine::Text(_) | ReplyLine::Code(_) => continue,
        };
        let text = short_line(text, line_max);
        let lines = read.sections.get_mut(current).unwrap_or(&mut read.exact);
        if !lines.contains(&text) {
            lines.push(text);
        }
    }
    read
}

/// Whether a line has content: not "None", and not our first or last line copied from an earlier summary.
fn says_something(text: &str) -> bool {
    let is_frame = text.starts_with(OPENING) || text.starts_with(CLOSING);
    let nothing = ["", "none", "n a", "nothing", "none so far"];
    !is_frame && !nothing.contains(&markdown::same_words(text).as_str())
}

fn short_line(text: String, max: TokenCount) -> String {
    if estimate_text(&text) <= max {
        return text;
    }
    let n_chars = shorten::head_tokens(&text, max).chars().count();
    shorten::capped(&text, n_chars)
}

/// Removes lines until the rest fits, each time from the section with the most tokens for its worth. Always
/// keeps one line.
fn cut_to(sections: &mut Sections, max: TokenCount) {
    // A lower bound of what a line adds to the whole, so that the whole is estimated only near the end.
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
    format!("{CLOSING}{span}{before}. The transcript keeps them; session_expand brings them back.]")
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
