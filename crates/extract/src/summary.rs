//! Writes the seven-section summary: what the span adds, behind what the earlier summary held.
//!
//! Cites nothing; what gives way first is old and weak. Exact identifiers are added by the audit of the caller.

use std::collections::BTreeSet;

use base::model::Excerpt;
use base::{SUMMARY_SECTIONS, TokenCount, n_words};

use crate::engine::Extract;
use crate::evidence::{Evidence, Statement, read};
use crate::head::Class;
use crate::paragraph::fold;
use crate::room::Room;
use crate::said::shortened;

/// Before what was asked last.
const LAST_REQUEST: &str = "Last request: ";
/// Before what was said last, where it asks nothing.
const LAST_MESSAGE: &str = "Last message: ";
/// Before the gist of the last reply.
const LAST_REPLY: &str = "Last reply: ";
/// Before the last calls of tools.
const LAST_TOOL_CALLS: &str = "Last tool calls: ";
/// Before the request with which work goes on.
const CONTINUE_WITH: &str = "Continue with: ";

/// The places of the sections in [`SUMMARY_SECTIONS`].
const GOALS: usize = 0;
const TIMELINE: usize = 1;
const CONTEXT: usize = 2;
const ACTIVE: usize = 4;
const OPEN: usize = 5;
const NEXT: usize = 6;

/// What each section is sure of, in hundredths of the room; the rest goes to the best of all.
const SHARES_PERCENT: [u64; 7] = [12, 18, 18, 8, 10, 10, 6];

/// The part of the room that is filled; identifiers that the audit adds take the rest.
const FILLED_PERCENT: u64 = 60;

/// What points of the earlier summary are worth: the oldest least, the newest most.
const OLDEST_SCORE: f32 = 0.4;
const NEWEST_SCORE: f32 = 0.8;

/// The most points that are taken over from it, and the most requests that are goals.
const POINTS_MAX: usize = 400;
const GOALS_MAX: usize = 8;

/// A request of fewer words depends on what stood before it.
const REQUEST_WORDS_MIN: usize = 5;

/// What closes the summary is worth more than anything.
const FIRST: f32 = 2.0;

/// A line that competes for room.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    section: usize,
    text: String,
    score: f32,
    order: (usize, usize),
}

impl Extract {
    /// The summary of the excerpts, in the sections of [`base::SUMMARY_SECTIONS`]; empty where they hold nothing.
    pub fn summary(&self, excerpts: &[Excerpt], room: TokenCount) -> String {
        summary(&read(self, excerpts), room)
    }
}

/// The whole summary; empty when there is nothing to say or no room for it.
fn summary(evidence: &Evidence, room: TokenCount) -> String {
    let mut lines = carried(&evidence.earlier);
    lines.extend(evidence.statements.iter().map(stated));
    lines.extend(goals(evidence));
    lines.extend(closing(evidence));
    rendered(&filled(lines, room.percent(FILLED_PERCENT)))
}

fn stated(statement: &Statement) -> Line {
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
    Line {
        section,
        text: statement.text.clone(),
        score: statement.score,
        order: (1, statement.excerpts.first().copied().unwrap_or(0)),
    }
}

/// The last requests that can be understood alone.
fn goals(evidence: &Evidence) -> Vec<Line> {
    let clear = evidence
        .requests
        .iter()
        .rev()
        .filter(|(_, text)| n_words(text) >= REQUEST_WORDS_MIN);
    let line = |(index, text): &(usize, String)| Line {
        section: GOALS,
        text: text.clone(),
        score: NEWEST_SCORE,
        order: (1, *index),
    };
    clear.take(GOALS_MAX).map(line).collect()
}

/// What was asked, said and called last, and what comes next.
fn closing(evidence: &Evidence) -> Vec<Line> {
    let asked = evidence.requests.last();
    let said = evidence.last_message.as_ref();
    let is_newest = asked.map(|it| it.0) >= said.map(|it| it.0);
    let message = if is_newest {
        asked.map(|(_, text)| format!("{LAST_REQUEST}{text}"))
    } else {
        said.map(|(_, text)| format!("{LAST_MESSAGE}{text}"))
    };
    let reply = evidence
        .last_reply
        .as_ref()
        .map(|(_, text)| format!("{LAST_REPLY}{text}"));
    let calls = evidence.last_tools.join("; ");
    let calls = (!calls.is_empty()).then(|| format!("{LAST_TOOL_CALLS}{calls}"));
    let task = evidence
        .statements
        .iter()
        .rev()
        .find(|it| it.class == Class::Task)
        .map(|it| (it.excerpts.last().copied(), &it.text));
    let request = evidence.open_request().map(|(at, text)| (Some(*at), text));
    let newest = task.into_iter().chain(request).max_by_key(|(at, _)| *at);
    let next = newest.map(|(_, text)| format!("{CONTINUE_WITH}{text}"));
    let active = [message, reply, calls]
        .into_iter()
        .flatten()
        .map(|text| (ACTIVE, text));
    let all = active.chain(next.map(|text| (NEXT, text)));
    let line = |(order, (section, text)): (usize, (usize, String))| Line {
        section,
        text,
        score: FIRST,
        order: (2, order),
    };
    all.enumerate().map(line).collect()
}

/// The points of an earlier summary, in their sections; what is no summary of ours is technical context.
fn carried(earlier: &str) -> Vec<Line> {
    let mut section = CONTEXT;
    let mut points = Vec::new();
    for line in earlier.lines().map(str::trim) {
        if let Some(heading) = line
            .strip_prefix('#')
            .map(|it| it.trim_start_matches('#').trim())
        {
            let known = SUMMARY_SECTIONS
                .iter()
                .position(|it| it.eq_ignore_ascii_case(heading));
            section = known.unwrap_or(CONTEXT);
            continue;
        }
        let text = shortened(&fold(line.strip_prefix("- ").unwrap_or(line)));
        // What closed the earlier summary has been answered since, or is asked again.
        let is_lasting = section != ACTIVE && section != NEXT;
        if is_lasting && text.chars().any(char::is_alphanumeric) && points.len() < POINTS_MAX {
            points.push((section, text));
        }
    }
    let n_points = points.len();
    let line = |(order, (section, text)): (usize, (usize, String))| Line {
        section,
        text,
        score: OLDEST_SCORE + (NEWEST_SCORE - OLDEST_SCORE) * share(order, n_points),
        order: (0, order),
    };
    points.into_iter().enumerate().map(line).collect()
}

fn share(part: usize, whole: usize) -> f32 {
    let hundredths = part * 100 / whole.max(1);
    f32::from(u8::try_from(hundredths).unwrap_or(100)) / 100.0
}

/// Gives each section its share, and the rest of the room to the best of what is left.
fn filled(mut lines: Vec<Line>, room: TokenCount) -> Vec<Line> {
    lines.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then(right.order.cmp(&left.order))
    });
    let mut seen = BTreeSet::new();
    lines.retain(|line| seen.insert((line.section, line.text.clone())));
    let mut all = Room::new(room);
    let mut shares = SHARES_PERCENT.map(|percent| Room::new(room.percent(percent)));
    let mut headed = BTreeSet::new();
    let mut take = |line: &Line| {
        let heading = SUMMARY_SECTIONS
            .get(line.section)
            .copied()
            .unwrap_or_default();
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

fn rendered(lines: &[Line]) -> String {
    let mut sections = Vec::new();
    for (section, heading) in SUMMARY_SECTIONS.iter().enumerate() {
        let own = lines.iter().filter(|line| line.section == section);
        let bullets: Vec<String> = own.map(|line| format!("- {}", line.text)).collect();
        if !bullets.is_empty() {
            sections.push(format!("## {heading}\n\n{}\n", bullets.join("\n")));
        }
    }
    sections.join("\n")
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
