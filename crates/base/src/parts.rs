//! Separates what a person said from what a program added to the message.
//!
//! Knows no tag names: programs mark additions with XML tags, and invent new names for them.

use std::collections::HashMap;
use std::ops::Range;

use crate::{Block, Message, Origin};

/// The name under which a client's additions to a user's message are stored. Like any other name, it says that the
/// text is not the owner's.
pub const CLIENT_NAME: &str = "client";

/// The parts of an owner's message in the transcript of another program, in order, each with its origin.
pub fn parted(origin: Origin, message: Message) -> Vec<(Origin, Message)> {
    let Message::User { content, name } = message else {
        return vec![(origin, message)];
    };
    if origin != Origin::Owner {
        return vec![(origin, Message::User { content, name })];
    }
    let mut found: Vec<(Origin, Vec<Block>)> = Vec::new();
    for block in content {
        let pieces = match block {
            Block::Text(text) => pieces(&text),
            other @ (Block::Thinking(_)
            | Block::Image(_)
            | Block::ToolCall(_)
            | Block::Unknown { .. }) => vec![(Origin::Owner, other)],
        };
        for (origin, piece) in pieces {
            match found.last_mut().filter(|(last, _)| *last == origin) {
                Some((_, content)) => content.push(piece),
                None => found.push((origin, vec![piece])),
            }
        }
    }
    let parts = found.into_iter().map(|(origin, content)| {
        let name = name.clone();
        (origin, Message::User { content, name })
    });
    parts.collect()
}

/// The parts of a user's message that a client sent through the API, in order.
///
/// A client may add documents and instructions to a question: as further texts, or in tags on lines of their own.
/// Such a message is the owner's only in its one remaining text; without exactly one, no part of it is. Text with a
/// Markdown heading next to such tags is a template of the client.
pub fn sent_parts(message: Message) -> Vec<(Origin, Message)> {
    let Message::User {
        content,
        name: None,
    } = message
    else {
        let origin = Origin::of(&message, Origin::Owner);
        return vec![(origin, message)];
    };
    let is_text = |block: &&Block| matches!(block, Block::Text(text) if !text.trim().is_empty());
    let is_single = content.iter().filter(is_text).count() <= 1;
    let pieces: Vec<(Origin, Block)> = content.iter().cloned().flat_map(sent_pieces).collect();
    let is_mixed = !is_single || pieces.len() > content.len();
    let is_template = |block: &Block| matches!(block, Block::Text(text) if has_heading(text));
    let is_own = |(origin, block): &&(Origin, Block)| {
        *origin == Origin::Owner && is_text(&block) && !(is_mixed && is_template(block))
    };
    let n_own = pieces.iter().filter(is_own).count();
    let n_added = pieces.iter().filter(|it| !is_own(it) && is_text(&&it.1));
    match (n_own, n_added.count()) {
        (_, 0) if is_single => vec![(
            Origin::Owner,
            Message::User {
                content,
                name: None,
            },
        )],
        (1, _) => {
            let parts = pieces.iter().map(|piece| {
                let (origin, name) = match (is_own(&piece), is_text(&&piece.1)) {
                    (false, true) => (Origin::Untrusted, Some(CLIENT_NAME.to_owned())),
                    (true, _) | (_, false) => (Origin::Owner, None),
                };
                let content = vec![piece.1.clone()];
                (origin, Message::User { content, name })
            });
            parts.collect()
        }
        _ => vec![(
            Origin::Untrusted,
            Message::User {
                content,
                name: None,
            },
        )],
    }
}

fn sent_pieces(block: Block) -> Vec<(Origin, Block)> {
    match block {
        Block::Text(text) => split(&text, TagPlace::LineStart),
        other @ (Block::Thinking(_)
        | Block::Image(_)
        | Block::ToolCall(_)
        | Block::Unknown { .. }) => vec![(Origin::Owner, other)],
    }
}

/// The markup of a text that a program may have made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markup {
    /// The text outside of tags on lines of their own.
    pub outside: String,
    /// Whether it has a Markdown heading outside of such tags.
    pub has_heading: bool,
    /// Whether it has such tags, with an end.
    pub has_tags: bool,
}

/// Reads the markup of a text.
pub fn markup_of(text: &str) -> Markup {
    let mut outside = String::new();
    let (mut taken, mut has_tags) = (0, false);
    for tagged in tagged(text, TagPlace::LineStart) {
        outside.push_str(text.get(taken..tagged.start).unwrap_or_default());
        taken = tagged.end;
        has_tags = true;
    }
    outside.push_str(text.get(taken..).unwrap_or_default());
    Markup {
        has_heading: has_heading(&outside),
        outside,
        has_tags,
    }
}

/// Whether a line is a Markdown heading.
fn has_heading(text: &str) -> bool {
    text.lines().any(|line| {
        let title = line.trim_start().trim_start_matches('#');
        line.trim_start().starts_with('#') && title.starts_with(' ')
    })
}

/// Splits a text: parts in tags are not the owner's.
fn pieces(text: &str) -> Vec<(Origin, Block)> {
    split(text, TagPlace::Anywhere)
}

fn split(text: &str, place: TagPlace) -> Vec<(Origin, Block)> {
    let mut found = Vec::new();
    let mut taken = 0;
    for tagged in tagged(text, place) {
        found.push((Origin::Owner, text.get(taken..tagged.start)));
        taken = tagged.end;
        found.push((Origin::Untrusted, text.get(tagged)));
    }
    if found.is_empty() {
        return vec![(Origin::Owner, Block::Text(text.to_owned()))];
    }
    found.push((Origin::Owner, text.get(taken..)));
    let said = found.into_iter().filter_map(|(origin, piece)| {
        let text = piece?.trim().to_owned();
        (!text.is_empty()).then_some((origin, Block::Text(text)))
    });
    said.collect()
}

/// Where tags count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagPlace {
    /// Only with an end, and where nothing but blanks precedes them on their line; others are mentioned in a text that
    /// a person typed.
    LineStart,
    /// Anywhere; one that begins a line and has no end extends to the end of the text.
    Anywhere,
}

/// The ranges of the outermost XML tags of a text with their content, in order.
pub(crate) fn tagged(text: &str, place: TagPlace) -> Vec<Range<usize>> {
    let ends = last_ends(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices('<') {
        if found.last().is_none_or(|last| at >= last.end) {
            found.extend(tagged_at(text, (at, place), &ends));
        }
    }
    found
}

fn begins_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.trim_end_matches(|c: char| c != '\n' && c.is_whitespace());
    line.is_empty() || line.ends_with('\n')
}

/// The position after the last closing tag of each name. The last one counts, because the text in a block may
/// contain the same closing tag.
fn last_ends(text: &str) -> HashMap<&str, usize> {
    let closing = text.match_indices("</").filter_map(|(at, opening)| {
        let (_, rest) = text.split_at_checked(at + opening.len())?;
        let name = name_at(rest)?;
        let blank = rest.get(name.len()..)?.trim_start();
        let behind = blank.strip_prefix('>')?;
        Some((name, text.len() - behind.len()))
    });
    closing.collect()
}

/// The range of the tag that starts at this bracket; `None` if none counts here.
fn tagged_at(
    text: &str,
    (at, place): (usize, TagPlace),
    ends: &HashMap<&str, usize>,
) -> Option<Range<usize>> {
    let from = text.get(at..)?;
    let name = tag_name(from)?;
    let begins = begins_line(text, at);
    let closing = ends.get(name).copied().filter(|end| *end > at);
    let whole = || {
        let tag_end = from.find('>')?;
        let is_whole = from.get(..tag_end)?.ends_with('/');
        is_whole.then_some(at + tag_end + 1)
    };
    let end = match (place, begins) {
        (TagPlace::LineStart, false) => None,
        (TagPlace::LineStart, true) => closing.or_else(whole),
        (TagPlace::Anywhere, true) => closing.or_else(whole).or(Some(text.len())),
        // In the middle of a line, `Vec<String>` only looks like a tag; nothing closes it.
        (TagPlace::Anywhere, false) => closing,
    };
    end.map(|end| at..end)
}

fn tag_name(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let name = name_at(inner)?;
    let rest = inner.get(name.len()..)?;
    let ends =
        rest.starts_with('>') || rest.starts_with("/>") || rest.starts_with(char::is_whitespace);
    ends.then_some(name)
}

/// The tag name at the start of a text, with its namespace if any; `None` for an address in angle brackets.
fn name_at(text: &str) -> Option<&str> {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let n_bytes = text.find(|character| !is_of_name(character))?;
    let name = text.get(..n_bytes)?;
    let begins = |part: &str| part.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let (space, local) = name.split_once(':').unwrap_or((name, name));
    (begins(space) && begins(local) && !local.contains(':')).then_some(name)
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
