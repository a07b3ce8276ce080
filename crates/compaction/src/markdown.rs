//! A lenient Markdown parser for replies: headings, bullets and text in any style. Also detects replies that repeat
//! their instructions.
//!
//! Has no section names of its own; the caller passes those that it asked for.

/// A line of a reply, without its Markdown marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReplyLine {
    /// A heading: the index of a requested section, or `None` for any other.
    Heading(Option<usize>),
    /// A list item with its continuation lines.
    Bullet(String),
    /// Any other text.
    Text(String),
    /// A line of a code block.
    Code(String),
}

/// Parses a reply that should contain `sections`.
pub(crate) fn lines(reply: &str, sections: &[&str]) -> Vec<ReplyLine> {
    let raw: Vec<&str> = reply.lines().map(str::trim_end).collect();
    let transparent = transparent_fences(&raw, sections);
    let mut lines = Vec::new();
    let mut fence = CodeFence::Closed;
    for (number, line) in raw.iter().enumerate() {
        let trimmed = line.trim_start();
        if is_fence(trimmed) {
            fence = match fence {
                CodeFence::Closed if transparent.contains(&number) => CodeFence::Transparent,
                CodeFence::Closed => CodeFence::Code,
                CodeFence::Code | CodeFence::Transparent => CodeFence::Closed,
            };
        } else if fence == CodeFence::Code {
            lines.push(ReplyLine::Code((*line).to_owned()));
        } else if !trimmed.is_empty() {
            // Empty lines are skipped, because models often put them between bullets.
            read(line, trimmed, sections, &mut lines);
        }
    }
    lines
}

/// The state of code fences. A transparent fence surrounds a part of the reply that is not code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodeFence {
    Closed,
    Code,
    Transparent,
}

fn read(line: &str, trimmed: &str, sections: &[&str], lines: &mut Vec<ReplyLine>) {
    let bullet = bullet(trimmed);
    if let Some((section, rest)) = known_heading(bullet.unwrap_or(trimmed), sections) {
        lines.push(ReplyLine::Heading(Some(section)));
        if !rest.is_empty() {
            lines.push(ReplyLine::Bullet(rest.to_owned()));
        }
    } else if trimmed.starts_with('#') || (bullet.is_none() && is_bold(trimmed)) {
        lines.push(ReplyLine::Heading(None));
    } else if let Some(text) = bullet {
        lines.push(ReplyLine::Bullet(text.to_owned()));
    } else if let (true, Some(ReplyLine::Bullet(text))) =
        (line.starts_with([' ', '\t']), lines.last_mut())
    {
        text.push(' ');
        text.push_str(trimmed);
    } else {
        lines.push(ReplyLine::Text(trimmed.to_owned()));
    }
}

/// The opening lines of fences that surround a part of the reply that is not code.
fn transparent_fences(raw: &[&str], sections: &[&str]) -> Vec<usize> {
    let mut openings = Vec::new();
    let mut open: Option<usize> = None;
    let mut holds_section = false;
    for (number, line) in raw.iter().enumerate() {
        if !is_fence(line.trim_start()) {
            holds_section |= known_heading(line.trim_start(), sections).is_some();
            continue;
        }
        match open.take() {
            None => {
                open = Some(number);
                holds_section = false;
            }
            Some(opening) if holds_section => openings.push(opening),
            Some(_) => {}
        }
    }
    // A fence that is never closed is ignored.
    openings.extend(open);
    openings
}

fn is_fence(trimmed: &str) -> bool {
    trimmed.starts_with("```") || trimmed.starts_with("~~~")
}

fn is_bold(trimmed: &str) -> bool {
    let inner = trimmed.trim_end_matches(':');
    inner.len() > 4 && inner.starts_with("**") && inner.ends_with("**")
}

/// The text of a list item after `-`, `*`, `+`, a bullet character, a dash or a number.
fn bullet(trimmed: &str) -> Option<&str> {
    let after_mark = |mark: &str| trimmed.strip_prefix(mark);
    let text = ["- ", "* ", "+ ", "\u{2022} ", "\u{2022}", "\u{2013} "]
        .into_iter()
        .find_map(after_mark)
        .or_else(|| base::numbered(trimmed))?;
    Some(text.trim_start()).filter(|text| !text.is_empty())
}

/// The requested section that a line names, and the rest of the line.
///
/// A mere mention is not a heading: the name must be the whole line, or in bold or before a colon at the beginning.
/// Only a line marked as a heading may contain other words.
fn known_heading<'a>(trimmed: &'a str, sections: &[&str]) -> Option<(usize, &'a str)> {
    let marked = trimmed.trim_start_matches('#').trim_start();
    let text = base::numbered(marked).unwrap_or(marked);
    let bold = text
        .strip_prefix("**")
        .and_then(|text| text.split_once("**"));
    let (name, rest) = bold.unwrap_or_else(|| text.split_once(':').unwrap_or((text, "")));
    let rest = rest.trim_start_matches([':', '*', ' ']);
    let is_heading = marked.len() < trimmed.len() || (bold.is_some() && rest.is_empty());
    let name = same_words(name);
    let position = sections.iter().position(|section| {
        let section = same_words(section);
        name == section || (is_heading && name.contains(&section))
    })?;
    Some((position, rest))
}

/// A normal form for comparing lines: words in lower case, joined by single spaces.
pub(crate) fn same_words(text: &str) -> String {
    let text = text.replace('&', " and ");
    let words: Vec<String> = base::words(&text).map(str::to_lowercase).collect();
    words.join(" ")
}

/// Prompt lines with fewer words are ignored: a reply can match them by chance, and it must repeat the headings.
const N_WORDS_MIN: usize = 8;

pub(crate) fn repeats(prompt: &str, reply: &str) -> bool {
    let reply = format!(" {} ", same_words(reply));
    prompt
        .lines()
        .filter(|line| !line.contains("{{"))
        .map(same_words)
        .filter(|line| line.split(' ').count() >= N_WORDS_MIN)
        .any(|line| reply.contains(&format!(" {line} ")))
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
