//! Decides what one flush changes in a log.
//!
//! Pure: bytes and a block go in, a plan comes out.

use std::collections::BTreeSet;

use base::{EntryId, SessionId, Tz, day, scope_of};

use super::block::{FlushBlock, render_where};
use super::extent::{Extent, extents};
use super::leftover::{leftovers, own_lines};
use super::lines::{Line, lines, same_length_text};
use super::statements::Statements;
use crate::marks::spelled_out;

/// What one flush changes in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Nothing: a finished block of the same session and span stands there.
    AlreadyThere,
    /// Take out what was never finished, then add; either may be nothing.
    Change {
        /// The log without what was never finished; `None` where there is no such thing.
        mended: Option<Vec<u8>>,
        /// What is added at the end, in one piece; empty where there is nothing to add.
        addition: String,
        /// How many notes that holds.
        n_notes: usize,
    },
}

/// Decides what the block changes in a log that holds `found`; a missing log holds nothing.
pub(crate) fn plan(found: &[u8], block: &FlushBlock, timezone: Tz) -> Plan {
    let text = same_length_text(found);
    let spelled = spelled_out(&text);
    let (raw, lines) = (lines(&text), lines(&spelled));
    let extents = extents(&lines);
    if is_closed(&extents, &block.session, &block.span) {
        return Plan::AlreadyThere;
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
    Plan::Change {
        mended,
        addition,
        n_notes,
    }
}

/// Whether a log holds a finished block of the session and span; the owner may have edited it since.
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

/// What stands in a log for those who see what is known from this repository, or from none.
pub(super) fn standing_of(lines: &[Line<'_>], scope: Option<&str>) -> Statements {
    statements((lines, &extents(lines)), scope)
}

/// What was never finished says nothing yet: its own session will say it again. What is known from another repository
/// says nothing here.
fn statements((lines, extents): (&[Line<'_>], &[Extent]), scope: Option<&str>) -> Statements {
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

/// What has to be added to a log so that the block stands below the rest, a blank line between them.
///
/// Where a crash left the beginning of the header or of an opening mark, too little to tell whose it is,
/// the addition goes on from there.
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
        // The second half of a line end is missing; it ends a blank line or one with words.
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
