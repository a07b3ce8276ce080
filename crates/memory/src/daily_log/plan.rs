//! Decides what one flush changes in a log.
//!
//! Pure.

use std::collections::BTreeSet;

use base::{EntryId, SessionId, Tz, day, scope_of};

use super::block::{FlushBlock, render_where};
use super::extent::{Extent, extents};
use super::leftover::{leftovers, own_lines};
use super::lines::{LogLine, lines, same_length_text};
use super::statements::Statements;
use crate::marks::spelled_out;

/// The change that one flush makes to a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BlockPlan {
    /// None: the log has a complete block of the same session and span.
    AlreadyThere,
    /// Remove leftovers, then append; either may be empty.
    Change {
        /// The log without the leftovers of unfinished flushes; `None` if there are none.
        mended: Option<Vec<u8>>,
        /// The text to append in one write; empty if there is nothing to add.
        addition: String,
        /// The number of notes in `addition`.
        n_notes: usize,
    },
}

/// Plans the write of `block` into a log that contains `found`; empty for a missing log.
pub(crate) fn plan(found: &[u8], block: &FlushBlock, timezone: Tz) -> BlockPlan {
    let text = same_length_text(found);
    let spelled = spelled_out(&text);
    let (raw, lines) = (lines(&text), lines(&spelled));
    let extents = extents(&lines);
    if is_closed(&extents, &block.session, &block.span) {
        return BlockPlan::AlreadyThere;
    }
    let statements = statements((&lines, &extents), scope_of(block.session.as_str()));
    let (rendered, n_notes) = render_where(block, timezone, |text, note| {
        !statements.says(text, note.origin)
    });
    let replaced = leftovers(&lines, &extents, &block.session, &block.span);
    let mended = (!replaced.is_empty()).then(|| {
        let kept = raw
            .iter()
            .enumerate()
            .filter(|(idx, _)| !replaced.contains(idx));
        kept.filter_map(|(_, line)| found.get(line.bytes.clone()))
            .flatten()
            .copied()
            .collect::<Vec<u8>>()
    });
    let header = format!("# {}\n\n", day(block.at, timezone));
    let addition = if n_notes == 0 {
        String::new()
    } else {
        let before = same_length_text(mended.as_deref().unwrap_or(found));
        addition(&before, &header, &rendered)
    };
    BlockPlan::Change {
        mended,
        addition,
        n_notes,
    }
}

/// Whether a log has a complete block of the session and span; the owner may have edited it since.
pub(crate) fn holds(found: &[u8], session: &SessionId, span: &(EntryId, EntryId)) -> bool {
    let text = same_length_text(found);
    is_closed(&extents(&lines(&text)), session, span)
}

fn is_closed(extents: &[Extent], session: &SessionId, span: &(EntryId, EntryId)) -> bool {
    extents.iter().any(|extent| {
        let opening = &extent.opening;
        extent.closing_hash.is_some() && opening.session == *session && opening.span == *span
    })
}

/// The statements of a log that are visible in `scope`.
pub(super) fn standing_of(lines: &[LogLine<'_>], scope: Option<&str>) -> Statements {
    statements((lines, &extents(lines)), scope)
}

/// Skips unfinished blocks, because their session will write them again, and blocks of other repositories.
fn statements((lines, extents): (&[LogLine<'_>], &[Extent]), scope: Option<&str>) -> Statements {
    let silent: BTreeSet<usize> = extents
        .iter()
        .flat_map(|extent| {
            let there = scope_of(extent.opening.session.as_str());
            if extent.closing_hash.is_none() {
                own_lines(extent, lines)
            } else if there.is_some() && there != scope {
                extent.lines.clone().collect()
            } else {
                BTreeSet::new()
            }
        })
        .collect();
    let heard = lines.iter().enumerate();
    Statements::of(
        heard
            .filter(|(idx, _)| !silent.contains(idx))
            .map(|(_, line)| line),
    )
}

/// The text to append to a log so that a blank line separates the block from the rest.
///
/// If a crash left the start of the header or of the block, too short to tell whose it is, the addition
/// completes it.
pub(super) fn addition(before: &str, header: &str, block: &str) -> String {
    if let Some(rest_of_header) = header.strip_prefix(before) {
        return format!("{rest_of_header}{block}");
    }
    let newline = if before.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let block = block.replace('\n', newline);
    let last_line = before.rsplit('\n').next().unwrap_or_default();
    let rest_of_block = block.strip_prefix(last_line);
    if let Some(rest) = rest_of_block.filter(|_| !last_line.is_empty()) {
        return rest.to_owned();
    }
    let ended = before.strip_suffix('\r').unwrap_or(before);
    let gap = match before.strip_suffix(newline) {
        // The `\n` of a final `\r\n` is missing, after a blank line or after text.
        None if before.ends_with('\r') && ended.ends_with('\n') => "\n".to_owned(),
        None if before.ends_with('\r') => format!("\n{newline}"),
        None => newline.repeat(2),
        Some(line) if line.ends_with('\n') => String::new(),
        Some(_) => newline.to_owned(),
    };
    format!("{gap}{block}")
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
