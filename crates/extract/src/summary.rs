//! Writes the seven-section summary: the earlier summary, then what the span adds.
//!
//! Cites nothing; drops old and weak lines first. The caller's audit adds exact identifiers.

use std::collections::BTreeSet;

use base::model::Excerpt;
use base::{SUMMARY_SECTIONS, TokenCount, n_words};

use crate::engine::Extract;
use crate::evidence::{ExcerptEvidence, Statement, read};
use crate::head::Class;
use crate::paragraph::fold;
use crate::room::Room;
use crate::said::shortened;

/// Precedes the last request.
const LAST_REQUEST: &str = "Last request: ";
/// Precedes the last message if it is newer than the last request.
const LAST_MESSAGE: &str = "Last message: ";
/// Precedes the gist of the last reply.
const LAST_REPLY: &str = "Last reply: ";
/// Precedes the last tool calls.
const LAST_TOOL_CALLS: &str = "Last tool calls: ";
/// Precedes the next step.
const CONTINUE_WITH: &str = "Continue with: ";

/// Indexes into [`SUMMARY_SECTIONS`].
const GOALS: usize = 0;
const TIMELINE: usize = 1;
const CONTEXT: usize = 2;
const ACTIVE: usize = 4;
const OPEN: usize = 5;
const NEXT: usize = 6;

/// Guaranteed share of each section, in percent; the best lines of all sections get the rest.
const SHARES_PERCENT: [u64; 7] = [12, 18, 18, 8, 10, 10, 6];

/// Percentage of the budget that is filled; the rest is left for identifiers that the audit adds.
const FILLED_PERCENT: u64 = 60;

/// Scores of the earlier summary's points, from the oldest to the newest.
const OLDEST_SCORE: f32 = 0.4;
const NEWEST_SCORE: f32 = 0.8;

/// Most points carried over from it, and most requests listed as goals.
const POINTS_MAX: usize = 400;
const GOALS_MAX: usize = 8;

/// Shorter requests, in words, depend on their context.
const REQUEST_WORDS_MIN: usize = 5;

/// Score of the closing lines, above all others.
const FIRST: f32 = 2.0;

/// A line competing for the budget.
#[derive(Debug, Clone, PartialEq)]
struct SummaryLine {
    section: usize,
    text: String,
    score: f32,
    order: (usize, usize),
}

impl Extract {
    /// Summarises the excerpts in the sections of [`base::SUMMARY_SECTIONS`]; empty if they hold nothing.
    pub fn summary(&self, excerpts: &[Excerpt], room: TokenCount) -> String {
        summary(&read(self, excerpts), room)
    }
}

/// The whole summary; empty if there is nothing to say or no room.
fn summary(evidence: &ExcerptEvidence, room: TokenCount) -> String {
    let mut lines = carried(&evidence.earlier);
    lines.extend(evidence.statements.iter().map(stated));
    lines.extend(goals(evidence));
    lines.extend(closing(evidence));
    rendered(&filled(lines, room.percent(FILLED_PERCENT)))
}

fn stated(statement: &Statement) -> SummaryLine {
    let section = match statement.class {
        Class::Task => TIMELINE,
        Class::Issue => OPEN,
        Class::Fact
        | Class::Wish
        | Class::Decision
        | Class::Chatter
        | Class::Request
        | Class::Question
        | Class::Unreal => CONTEXT,
    };
    SummaryLine {
        section,
        text: statement.text.clone(),
        score: statement.score,
        order: (1, statement.excerpts.first().copied().unwrap_or(0)),
    }
}

/// The last requests that are clear without context.
fn goals(evidence: &ExcerptEvidence) -> Vec<SummaryLine> {
    let requests = evidence.requests.iter().rev();
    let clear = requests.filter(|(_, text)| n_words(text) >= REQUEST_WORDS_MIN);
    let line = |(index, text): &(usize, String)| SummaryLine {
        section: GOALS,
        text: text.clone(),
        score: NEWEST_SCORE,
        order: (1, *index),
    };
    clear.take(GOALS_MAX).map(line).collect()
}

/// The closing lines: the last request or message, reply and tool calls, and the next step.
fn closing(evidence: &ExcerptEvidence) -> Vec<SummaryLine> {
    let asked = evidence.requests.last();
    let said = evidence.last_message.as_ref();
    let is_newest = asked.map(|it| it.0) >= said.map(|it| it.0);
    let message = if is_newest {
        asked.map(|(_, text)| format!("{LAST_REQUEST}{text}"))
    } else {
        said.map(|(_, text)| format!("{LAST_MESSAGE}{text}"))
    };
    let reply = evidence.last_reply.as_ref();
    let reply = reply.map(|(_, text)| format!("{LAST_REPLY}{text}"));
    let calls = evidence.last_tools.join("; ");
    let calls = (!calls.is_empty()).then(|| format!("{LAST_TOOL_CALLS}{calls}"));
    let mut statements = evidence.statements.iter();
    let task = statements.rfind(|it| it.class == Class::Task);
    let task = task.map(|it| (it.excerpts.last().copied(), &it.text));
    let request = evidence.open_request().map(|(at, text)| (Some(*at), text));
    let newest = task.into_iter().chain(request).max_by_key(|(at, _)| *at);
    let next = newest.map(|(_, text)| format!("{CONTINUE_WITH}{text}"));
    let active = [message, reply, calls].into_iter().flatten();
    let active = active.map(|text| (ACTIVE, text));
    let all = active.chain(next.map(|text| (NEXT, text)));
    let line = |(order, (section, text)): (usize, (usize, String))| SummaryLine {
        section,
        text,
        score: FIRST,
        order: (2, order),
    };
    all.enumerate().map(line).collect()
}

/// The points of an earlier summary by section; text under unknown headings is put under technical context.
fn carried(earlier: &str) -> Vec<SummaryLine> {
    let mut section = CONTEXT;
    let mut points = Vec::new();
    for line in earlier.lines().map(str::trim) {
        if line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim();
            let mut sections = SUMMARY_SECTIONS.iter();
            let known = sections.position(|it| it.eq_ignore_ascii_case(heading));
            section = known.unwrap_or(CONTEXT);
            continue;
        }
        let text = shortened(&fold(line.strip_prefix("- ").unwrap_or(line)));
        // The earlier closing lines are outdated or will be repeated.
        let is_lasting = section != ACTIVE && section != NEXT;
        if is_lasting && text.chars().any(char::is_alphanumeric) && points.len() < POINTS_MAX {
            points.push((section, text));
        }
    }
    let points = oldest_first(points);
    let n_points = points.len();
    let line = |(order, (section, text)): (usize, (usize, String))| SummaryLine {
        section,
        text,
        score: OLDEST_SCORE + (NEWEST_SCORE - OLDEST_SCORE) * share(order, n_points),
        order: (0, order),
    };
    points.into_iter().enumerate().map(line).collect()
}

/// The points with those of technical context in order of time: a summary puts the newest first there.
fn oldest_first(points: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let context = points.iter().filter(|(section, _)| *section == CONTEXT);
    let mut newest_first: Vec<String> = context.map(|(_, text)| text.clone()).collect();
    let in_order = points.into_iter().map(|(section, text)| {
        let is_context = section == CONTEXT;
        let oldest = is_context.then(|| newest_first.pop()).flatten();
        (section, oldest.unwrap_or(text))
    });
    in_order.collect()
}

fn share(part: usize, whole: usize) -> f32 {
    let hundredths = part * 100 / whole.max(1);
    f32::from(u8::try_from(hundredths).unwrap_or(100)) / 100.0
}

/// Fills each section's share, then gives the rest of the budget to the best remaining lines.
fn filled(mut lines: Vec<SummaryLine>, room: TokenCount) -> Vec<SummaryLine> {
    lines.sort_by(|left, right| {
        let by_score = right.score.total_cmp(&left.score);
        by_score.then(right.order.cmp(&left.order))
    });
    let mut seen = BTreeSet::new();
    lines.retain(|line| seen.insert((line.section, line.text.clone())));
    let mut all = Room::new(room);
    let mut shares = SHARES_PERCENT.map(|percent| Room::new(room.percent(percent)));
    let mut headed = BTreeSet::new();
    let mut take = |line: &SummaryLine| {
        let heading = SUMMARY_SECTIONS.get(line.section);
        let heading = heading.copied().unwrap_or_default();
        let is_new = !headed.contains(&line.section);
        let text = if is_new {
            format!("## {heading}\n\n- {}\n", line.text)
        } else {
            format!("- {}", line.text)
        };
        let is_taken = all.take(&text);
        if is_taken {
            headed.insert(line.section);
        }
        is_taken
    };
    let mut kept = Vec::new();
    let mut left = Vec::new();
    for line in lines {
        let has_share = shares
            .get_mut(line.section)
            .is_some_and(|share| share.take(&line.text));
        if has_share && take(&line) {
            kept.push(line);
        } else {
            left.push(line);
        }
    }
    kept.extend(left.into_iter().filter(|line| take(line)));
    kept.sort_by_key(|line| (line.section, line.order));
    kept
}

fn rendered(lines: &[SummaryLine]) -> String {
    let mut sections = Vec::new();
    for (section, heading) in SUMMARY_SECTIONS.iter().enumerate() {
        let own = lines.iter().filter(|line| line.section == section);
        let mut bullets: Vec<String> = own.map(|line| format!("- {}", line.text)).collect();
        if section == CONTEXT {
            // Of two decisions about the same thing the newer stands first.
            bullets.reverse();
        }
        if !bullets.is_empty() {
            sections.push(format!("## {heading}\n\n{}\n", bullets.join("\n")));
        }
    }
    sections.join("\n")
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
