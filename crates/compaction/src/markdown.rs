//! Reads the Markdown of a reply with patience: headings, bullets and text however they are marked.
//!
//! Knows no section by itself; the caller names those that it asked for.

/// A line of a reply, without its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// A heading: which of the sections asked for, or none of them.
    Heading(Option<usize>),
    /// A list item with the lines that continue it.
    Bullet(String),
    /// Any other text.
    Text(String),
    /// A line of code inside a fence.
    Code(String),
}

/// Reads a reply that should hold `sections`.
pub(crate) fn lines(reply: &str, sections: &[&str]) -> Vec<Line> {
    let raw: Vec<&str> = reply.lines().map(str::trim_end).collect();
    let transparent = transparent_fences(&raw, sections);
    let mut lines = Vec::new();
    let mut code = false;
    for (number, line) in raw.iter().enumerate() {
        let trimmed = line.trim_start();
        if is_fence(trimmed) {
            code = !code && !transparent.contains(&number);
        } else if code {
            lines.push(Line::Code((*line).to_owned()));
        } else if trimmed.is_empty() {
            // An empty line ends nothing: bullets are often set apart by one.
        } else {
            read(line, trimmed, sections, &mut lines);
        }
    }
    lines
}

fn read(line: &str, trimmed: &str, sections: &[&str], lines: &mut Vec<Line>) {
    let bullet = bullet(trimmed);
    if let Some((section, rest)) = known_heading(bullet.unwrap_or(trimmed), sections) {
        lines.push(Line::Heading(Some(section)));
        if !rest.is_empty() {
            lines.push(Line::Bullet(rest.to_owned()));
        }
    } else if trimmed.starts_with('#') || (bullet.is_none() && is_bold(trimmed)) {
        lines.push(Line::Heading(None));
    } else if let Some(text) = bullet {
        lines.push(Line::Bullet(text.to_owned()));
    } else if let (true, Some(Line::Bullet(text))) =
        (line.starts_with([' ', '\t']), lines.last_mut())
    {
        text.push(' ');
        text.push_str(trimmed);
    } else {
        lines.push(Line::Text(trimmed.to_owned()));
    }
}

/// The openings of fences around a part of the reply itself rather than around code.
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
    // A fence that is never closed hides nothing.
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

/// The text of a list item: `-`, `*`, `+`, a round bullet or a number before it.
fn bullet(trimmed: &str) -> Option<&str> {
    let after_mark = |mark: &str| trimmed.strip_prefix(mark);
    let text = ["- ", "* ", "+ ", "\u{2022} ", "\u{2022}", "\u{2013} "]
        .into_iter()
        .find_map(after_mark)
        .or_else(|| numbered(trimmed))?;
    Some(text.trim_start()).filter(|text| !text.is_empty())
}

fn numbered(trimmed: &str) -> Option<&str> {
    let after = trimmed.trim_start_matches(|character: char| character.is_ascii_digit());
    let n_digits = trimmed.len() - after.len();
    let is_number = (1..=3).contains(&n_digits);
    let text = after
        .strip_prefix(". ")
        .or_else(|| after.strip_prefix(") "))?;
    is_number.then_some(text)
}

/// The section that a line names, and what follows the name on the same line.
///
/// A line that merely mentions a section is none: the name must stand alone, or in bold or before a
/// colon at the front.
fn known_heading<'a>(trimmed: &'a str, sections: &[&str]) -> Option<(usize, &'a str)> {
    let marked = trimmed.trim_start_matches('#').trim_start();
    let is_marked = marked.len() < trimmed.len();
    let text = numbered(marked).unwrap_or(marked);
    let (name, rest) = match text
        .strip_prefix("**")
        .and_then(|text| text.split_once("**"))
    {
        Some((name, rest)) => (name, rest),
        None => text.split_once(':').unwrap_or((text, "")),
    };
    let rest = rest.trim_start_matches([':', '*', ' ']);
    let name = plain(name);
    let position = sections.iter().position(|section| {
        let section = plain(section);
        name == section || (is_marked && name.contains(&section))
    })?;
    Some((position, rest))
}

/// Lower case, words parted by single spaces, without marks.
fn plain(text: &str) -> String {
    let words: Vec<String> = text
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ").replace(" & ", " and ")
}

/// The text with letters and digits alone, to tell whether two lines say the same.
pub(crate) fn same_words(text: &str) -> String {
    plain(text)
}
