//! The lines that openclaw writes around a model's text in a summary, in the form of each strategy.
//!
//! Never changes the model's text.

use super::plan::{SummaryBrief, SummaryPlan};
use crate::shown::CONTEXT_OPENING;
use crate::strategy::{CONTEXT_CLOSING, STACKED, SummaryFrame};
use crate::transcript::AsOf;

const OPENING: &str = "[COMPACTED SUMMARY - as of ";
const CLOSING: &str = "[Stands for ";

/// The heading above the identifiers that the text lacks, and the words around their line.
const EXACT_HEADING: &str = "## Exact identifiers";
const EXACT_OPENING: &str = "[Copied exactly: ";
const EXACT_CLOSING: &str = "]";

/// The separator between identifiers.
pub(crate) const EXACT_SEPARATOR: &str = "; ";

/// A text inside its frame, without earlier summaries.
pub(super) fn framed(text: &str, brief: &SummaryBrief) -> String {
    let (first_line, last_line) = (first_line(brief.as_of), last_line(&brief.plan));
    brief.plan.strategy.rules().framed(&SummaryFrame {
        text,
        first_line: &first_line,
        last_line: &last_line,
        last_request: brief.plan.last_request.as_deref(),
    })
}

/// A text without the lines of a frame. Those of an earlier summary describe another span, and a model may copy them.
pub(crate) fn without_frame(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.trim().starts_with(EXACT_OPENING) {
            // The heading belongs to the removed line.
            if lines.last().is_some_and(|it| it.trim() == EXACT_HEADING) {
                lines.pop();
            }
            continue;
        }
        let trimmed = line.trim();
        let is_ours = line.starts_with(OPENING)
            || line.starts_with(CLOSING)
            || matches!(trimmed, CONTEXT_OPENING | CONTEXT_CLOSING);
        if !is_ours {
            lines.push(line.strip_prefix(STACKED).unwrap_or(line));
        }
    }
    lines.join("\n").trim().to_owned()
}

/// The part with `lines` and a list of identifiers; empty if there are neither.
pub(super) fn exact_part(lines: &[String], list: &str) -> String {
    let mut part = String::new();
    if !lines.is_empty() || !list.is_empty() {
        part.push_str("\n\n");
        part.push_str(EXACT_HEADING);
    }
    for line in lines {
        part.push('\n');
        part.push_str(line);
    }
    if !list.is_empty() {
        part.push('\n');
        part.push_str(EXACT_OPENING);
        part.push_str(list);
        part.push_str(EXACT_CLOSING);
    }
    part
}

/// The list of identifiers that was added to a summary. Ignores everything after the last line of the frame, such as
/// the user's request, because it may contain any text.
pub(crate) fn added_identifiers(summary: &str) -> Option<&str> {
    let own = summary
        .lines()
        .take_while(|line| !line.starts_with(CLOSING));
    let lists = own.filter_map(|line| {
        line.strip_prefix(EXACT_OPENING)?
            .strip_suffix(EXACT_CLOSING)
    });
    lists.last()
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
