//! Separates what a user said from what a program added to the message.
//!
//! Knows no tag names: programs mark additions with XML tags, and invent new names for them.

use std::collections::HashMap;

use base::{Block, Message, Origin};

/// The parts of an owner's message, in order, each with its origin.
pub(super) fn parted(origin: Origin, message: Message) -> Vec<(Origin, Message)> {
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

/// Splits a text: parts in tags are not the owner's.
fn pieces(text: &str) -> Vec<(Origin, Block)> {
    let ends = last_ends(text);
    let mut found = Vec::new();
    let mut taken = 0;
    for (at, _) in text.match_indices('<') {
        if at < taken {
            continue;
        }
        if let Some(end) = end_of_block(text, at, &ends) {
            found.push((Origin::Owner, text.get(taken..at)));
            found.push((Origin::Untrusted, text.get(at..end)));
            taken = end;
        }
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

/// The end of the block that starts at this bracket; `None` if none starts here.
fn end_of_block(text: &str, at: usize, ends: &HashMap<&str, usize>) -> Option<usize> {
    let (before, from) = text.split_at_checked(at)?;
    let name = tag_name(from)?;
    let end = ends.get(name).copied().filter(|end| *end > at);
    let line = before.trim_end_matches(|c: char| c != '\n' && c.is_whitespace());
    if !line.is_empty() && !line.ends_with('\n') {
        // In the middle of a line, `Vec<String>` only looks like a tag; nothing closes it.
        return end;
    }
    let tag_end = from.find('>').unwrap_or_default();
    let is_whole = from.get(..tag_end).is_some_and(|tag| tag.ends_with('/'));
    // An unclosed block extends to the end.
    let whole = is_whole.then_some(at + tag_end + 1);
    end.or(whole).or(Some(text.len()))
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
#[path = "proven_tests.rs"]
mod tests;
