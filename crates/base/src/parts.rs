//! Separates the text that a person wrote in a message from text that a program added.
//!
//! Has no list of tag names: programs mark additions with XML tags, and new names appear all the time.

use std::collections::HashMap;
use std::ops::Range;

use crate::{Block, Message, Origin};

/// The name under which additions of a client to a user's message are stored. Any name marks the text as not the
/// owner's.
pub const CLIENT_NAME: &str = "client";

/// The tag in which a client's template encloses the question that the owner typed.
const QUESTION_TAG: &str = "user_query";

/// The beginning of a comment. It is treated like a tag; no real tag has this name.
const COMMENT: &str = "!--";

/// The end of a comment.
const COMMENT_END: &str = "-->";

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
/// A client may add documents and instructions to a question: as further texts, or in tags on lines of their own. The
/// owner's part of such a message is its one remaining text; if there is not exactly one, no part is the owner's.
/// From a Markdown heading on, text next to such tags belongs to the client's template. If a template encloses the
/// question in `QUESTION_TAG`, the owner's part is the question.
pub fn sent_parts(message: Message) -> Vec<(Origin, Message)> {
    let Message::User {
        content,
        name: None,
    } = message
    else {
        let origin = Origin::of(&message, Origin::Owner);
        return vec![(origin, message)];
    };
    let pieces = sent_pieces(&content);
    let is_own = |(origin, block): &&(Origin, Block)| *origin == Origin::Owner && is_text(block);
    let n_own = pieces.iter().filter(is_own).count();
    let n_added = pieces.iter().filter(|it| !is_own(it) && is_text(&it.1));
    match (n_own, n_added.count()) {
        (_, 0) if has_one_text(&content) => vec![(
            Origin::Owner,
            Message::User {
                content,
                name: None,
            },
        )],
        (1, _) => {
            let parts = pieces.iter().map(|piece| {
                let (origin, name) = match (is_own(&piece), is_text(&piece.1)) {
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

fn has_one_text(content: &[Block]) -> bool {
    content.iter().filter(|it| is_text(it)).count() <= 1
}

fn is_text(block: &Block) -> bool {
    matches!(block, Block::Text(text) if !text.trim().is_empty())
}

/// The pieces of a client's message: those that may be the owner's, and those that the client added.
fn sent_pieces(content: &[Block]) -> Vec<(Origin, Block)> {
    let mut pieces = Vec::new();
    for block in content {
        match block {
            Block::Text(text) => pieces.extend(split(text, TagPlace::LineStart)),
            other @ (Block::Thinking(_)
            | Block::Image(_)
            | Block::ToolCall(_)
            | Block::Unknown { .. }) => pieces.push((Origin::Owner, other.clone())),
        }
    }
    if has_one_text(content) && pieces.len() <= content.len() {
        return pieces;
    }
    let mut wrapped = pieces.iter().enumerate().filter_map(|(at, piece)| {
        let question = question_in(piece)?;
        Some((at, question.to_owned()))
    });
    let question = wrapped.next().filter(|_| wrapped.next().is_none());
    // A template around the tag begins with a heading or another tag, and may repeat the question. Beside other text that
    // may be typed, the tag may be pasted, and nothing tells which of them is the owner's.
    if let Some((_, question)) = &question
        && pieces.iter().any(|piece| may_be_typed(piece, question))
    {
        let pieces = pieces.into_iter();
        return pieces
            .map(|(_, block)| (Origin::Untrusted, block))
            .collect();
    }
    if let Some((asked, question)) = question {
        let pieces = pieces.into_iter().enumerate().map(|(at, (_, block))| {
            if at == asked {
                return (Origin::Owner, Block::Text(question.clone()));
            }
            (Origin::Untrusted, block)
        });
        return pieces.collect();
    }
    pieces.into_iter().flat_map(without_template).collect()
}

/// Whether a piece has text that may be typed and is not this question.
fn may_be_typed(piece: &(Origin, Block), question: &str) -> bool {
    let pieces = without_template(piece.clone()).into_iter();
    let mut typed = pieces.filter(|(origin, _)| *origin == Origin::Owner);
    typed.any(|(_, block)| matches!(&block, Block::Text(text) if !text.trim().is_empty() && text.trim() != question))
}

/// The owner's question inside the tag of the client's template.
fn question_in((origin, block): &(Origin, Block)) -> Option<&str> {
    let Block::Text(text) = block else {
        return None;
    };
    let is_wrapped = *origin == Origin::Untrusted && tag_name(text) == Some(QUESTION_TAG);
    let (_, inner) = text.split_once('>').filter(|_| is_wrapped)?;
    let (question, _) = inner.rsplit_once("</")?;
    // If the tag occurs inside as well, it is unclear where the question begins.
    Some(question.trim()).filter(|it| !it.is_empty() && !it.contains(QUESTION_TAG))
}

/// Splits a text that may be the owner's at its first heading, where a template begins.
fn without_template((origin, block): (Origin, Block)) -> Vec<(Origin, Block)> {
    let Block::Text(text) = &block else {
        return vec![(origin, block)];
    };
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len(), line)
    });
    let heading = lines.find(|(_, line)| is_heading(line));
    let Some((at, _)) = heading.filter(|_| origin == Origin::Owner) else {
        return vec![(origin, block)];
    };
    let (own, template) = text.split_at(at);
    let parts = [(Origin::Owner, own), (Origin::Untrusted, template)].into_iter();
    let parts = parts.filter(|(_, text)| !text.trim().is_empty());
    let parts = parts.map(|(origin, text)| (origin, Block::Text(text.trim().to_owned())));
    parts.collect()
}

/// The markup of a text that a program may have made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markup {
    /// The text outside of tags that are on lines of their own.
    pub outside: String,
    /// The text after the last such tag; the whole text if there is none.
    pub behind: String,
    /// The names of the outermost such tags that are closed, in order.
    pub tags: Vec<String>,
}

/// Reads the markup of a text.
pub fn markup_of(text: &str) -> Markup {
    let mut outside = String::new();
    let (mut taken, mut tags) = (0, Vec::new());
    for tagged in tagged(text, TagPlace::LineStart) {
        outside.push_str(text.get(taken..tagged.start).unwrap_or_default());
        let name = text.get(tagged.clone()).and_then(tag_name);
        tags.extend(name.map(str::to_owned));
        taken = tagged.end;
    }
    let behind = text.get(taken..).unwrap_or_default().to_owned();
    outside.push_str(&behind);
    Markup {
        outside,
        behind,
        tags,
    }
}

/// Whether a line is a Markdown heading.
pub fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
}

/// Splits a text. Parts inside tags are not the owner's.
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

/// The places where tags are recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagPlace {
    /// Only tags that are closed, and that have only blanks before them on their line. Other tags are mentions in a
    /// text that a person typed.
    LineStart,
    /// Tags at any place. A tag that begins a line and is not closed extends to the end of the text.
    Anywhere,
}

/// The ranges of the outermost XML tags in a text, including their content, in order.
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

/// The position after the last closing tag of each name. The last one is used because the text inside a block may
/// contain the same closing tag.
fn last_ends(text: &str) -> HashMap<&str, usize> {
    let closing = text.match_indices("</").filter_map(|(at, opening)| {
        let (_, rest) = text.split_at_checked(at + opening.len())?;
        let name = name_at(rest)?;
        let blank = rest.get(name.len()..)?.trim_start();
        let behind = blank.strip_prefix('>')?;
        Some((name, text.len() - behind.len()))
    });
    let comment = text.rfind(COMMENT_END);
    let comment = comment.map(|at| (COMMENT, at + COMMENT_END.len()));
    closing.chain(comment).collect()
}

/// The range of the tag that begins at this bracket; `None` if it is not recognised here.
fn tagged_at(
    text: &str,
    (at, place): (usize, TagPlace),
    ends: &HashMap<&str, usize>,
) -> Option<Range<usize>> {
    let from = text.get(at..)?;
    if from.starts_with("<!--") {
        return comment_at(text, at, ends);
    }
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
        // In the middle of a line, `Vec<String>` only looks like a tag; it is never closed.
        (TagPlace::Anywhere, false) => closing,
    };
    end.map(|end| at..end)
}

/// The range of a comment that begins a line at this bracket.
fn comment_at(text: &str, at: usize, ends: &HashMap<&str, usize>) -> Option<Range<usize>> {
    let has_end = begins_line(text, at) && ends.get(COMMENT).is_some_and(|end| *end > at);
    let inside = text.get(at..).filter(|_| has_end)?;
    let n_bytes = inside.find(COMMENT_END)? + COMMENT_END.len();
    Some(at..at + n_bytes)
}

fn tag_name(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('<')?;
    let name = name_at(inner)?;
    let rest = inner.get(name.len()..)?;
    let ends =
        rest.starts_with('>') || rest.starts_with("/>") || rest.starts_with(char::is_whitespace);
    ends.then_some(name)
}

/// The tag name at the beginning of a text, with its namespace if it has one; `None` for an address in angle
/// brackets.
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
