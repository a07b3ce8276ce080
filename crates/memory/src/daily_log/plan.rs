//! Decides what one flush changes in a log.
//!
//! Pure.

use std::collections::BTreeSet;

use base::{EntryId, SessionId, Tz, day, scope_of};

use super::block::{FlushBlock, RenderedBlock, rendered};
use super::lines::{lines, same_length_text};
use super::statements::Statements;
use super::unfinished::Unfinished;
use crate::ledger::{Ledger, NoteRecord, holds_closed_block};
use crate::note;
use crate::note_text::NoteLine;

/// The change that one flush makes to a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BlockPlan {
    /// None: the log has a complete block of the same session and span.
    AlreadyThere,
    /// Append, or replace the log.
    Change(LogChange),
}

/// How a log changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LogChange {
    /// The records to commit first.
    pub(crate) records: Vec<NoteRecord>,
    /// The log without the remains of an earlier attempt, in the format of this version; `None` if that changes
    /// nothing.
    pub(crate) mended: Option<Vec<u8>>,
    /// Whether `mended` leaves out an unfinished block of an earlier attempt.
    pub(crate) has_unfinished: bool,
    /// The text to append in one write; empty if there is nothing to add.
    pub(crate) addition: String,
    /// The number of notes of the block.
    pub(crate) n_notes: usize,
}

/// Plans the write of `block` into the log `file` that contains `found`; empty for a missing log.
pub(crate) fn plan(
    ledger: &Ledger,
    (file, found): (&str, &[u8]),
    block: &FlushBlock,
    timezone: Tz,
) -> BlockPlan {
    let text = same_length_text(found);
    let raw = lines(&text);
    if holds(ledger, (file, &text), &block.session, &block.span) {
        return BlockPlan::AlreadyThere;
    }
    let (session, (first, _)) = (block.session.as_str(), &block.span);
    let begun = ledger.begun_at(file, session, first.as_str());
    let header = format!("# {}\n\n", day(block.at, timezone));
    // Of a log that is not even begun, its header is written again.
    let is_new = header.starts_with(&*text);
    let unfinished = Unfinished::of(if is_new { &[] } else { &raw }, &begun);
    let read = ledger.read(file, &text);
    let others = read.lines().iter().enumerate();
    let others = others.filter(|(idx, _)| !unfinished.holds(*idx));
    let scope = scope_of(session);
    let statements = statements(others.map(|(_, line)| line), scope);
    let whole = rendered(block, file, timezone, |_, text, note| {
        !statements.says(text, note.origin)
    });
    let own: BTreeSet<&str> = whole.records.iter().map(|own| own.id.as_str()).collect();
    let gone = unfinished.gone(if is_new { &[] } else { &raw }, &own);
    let kept = unfinished.marks_in(&own);
    if gone.stale.is_empty()
        && !is_new
        && let Some(rest) = rest_of(&text, &whole, &kept)
    {
        return BlockPlan::Change(LogChange {
            records: records(&begun, &whole, &kept),
            n_notes: whole.records.len(),
            addition: rest,
            ..LogChange::default()
        });
    }
    let has_unfinished = !gone.all.is_empty();
    let taken = ledger.taken_over(file, found, &gone.all);
    let is_changed = taken.bytes != found && (has_unfinished || !own.is_empty());
    let mended = is_changed.then(|| taken.bytes.clone());
    let before = same_length_text(mended.as_deref().unwrap_or(found));
    let rest = rest_of(&before, &whole, &kept).filter(|_| !is_new);
    let missing = match rest {
        Some(rest) => rest,
        // All notes are there, but a crash may have cut off the end of the last line.
        None if kept.len() == own.len() && !own.is_empty() => end_of_line(&before).to_owned(),
        None if own.is_empty() => String::new(),
        None if kept.is_empty() => addition(&before, &header, &whole.text),
        None => {
            let rest = rendered(block, file, timezone, |id, text, note| {
                !statements.says(text, note.origin) && !kept.contains(id.as_str())
            });
            addition(&before, &header, &rest.text)
        }
    };
    drop(before);
    let own = records(&begun, &whole, &kept);
    let taken = taken.records.into_iter().filter(|_| is_changed);
    BlockPlan::Change(LogChange {
        records: taken.chain(own).collect(),
        mended,
        has_unfinished,
        addition: missing,
        n_notes: whole.records.len(),
    })
}

/// The records to commit of a block; none if its last attempt committed the same. The records of notes that are in the
/// log come first: the last record is that of the note written last, so that this note proves the block complete.
fn records(
    begun: &[NoteRecord],
    block: &RenderedBlock,
    standing: &BTreeSet<String>,
) -> Vec<NoteRecord> {
    let (mut records, missing): (Vec<_>, Vec<_>) = block
        .records
        .iter()
        .cloned()
        .partition(|own| standing.contains(&own.id));
    records.extend(missing);
    let is_repeated =
        records.last() == begun.last() && records.iter().all(|own| begun.contains(own));
    if is_repeated { Vec::new() } else { records }
}

/// The rest of a block whose beginning is at the end of a log, if that beginning has all of the block's notes that are
/// in the log.
fn rest_of(log: &str, block: &RenderedBlock, standing: &BTreeSet<String>) -> Option<String> {
    let newline = newline_of(log);
    let block = block.text.replace('\n', newline);
    let starts = log.rmatch_indices('\n').map(|(at, _)| at + 1).chain([0]);
    let starts = starts.take_while(|start| log.len() - start <= block.len());
    let begun = starts.filter_map(|start| log.get(start..));
    let begun = begun
        .filter(|begun| !begun.trim().is_empty() && block.starts_with(begun))
        .last()?;
    let n_marks = lines(begun)
        .iter()
        .filter_map(|line| note::marked(line.text))
        .count();
    let rest = block.get(begun.len()..)?;
    (n_marks >= standing.len()).then(|| rest.to_owned())
}

/// Whether a log has the complete block of the session and span; the owner may have edited it since.
pub(crate) fn holds(
    ledger: &Ledger,
    (file, text): (&str, &str),
    session: &SessionId,
    span: &(EntryId, EntryId),
) -> bool {
    let (first, last) = span;
    let begun = ledger.begun_at(file, session.as_str(), first.as_str());
    let ends_there = |own: &&NoteRecord| {
        own.span
            .as_ref()
            .is_some_and(|(_, end)| end == last.as_str())
    };
    let newest = begun.iter().rfind(ends_there);
    let stands = |own: &NoteRecord| {
        let all = lines(text);
        let mut ended = all.iter().filter(|line| line.is_ended);
        ended.any(|line| note::marked(line.text).is_some_and(|(_, mark)| mark == own.id))
    };
    newest.is_some_and(stands) || holds_closed_block(text, session, span)
}

/// The statements of a log that are visible in `scope`: not those of other repositories.
pub(super) fn statements<'t>(
    lines: impl Iterator<Item = &'t NoteLine<'t>>,
    scope: Option<&str>,
) -> Statements {
    Statements::of(lines.filter(|line| {
        let session = line.record().and_then(|own| own.session.as_deref());
        let there = session.and_then(scope_of);
        there.is_none() || there == scope
    }))
}

/// What the last line of a text lacks at its end.
fn end_of_line(text: &str) -> &'static str {
    if text.ends_with('\n') {
        ""
    } else if text.ends_with('\r') {
        "\n"
    } else {
        newline_of(text)
    }
}

fn newline_of(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The text to append to a log so that a blank line separates the block from the rest.
///
/// If a crash left the start of the header or of the block, too short to tell whose it is, the addition
/// completes it.
pub(super) fn addition(before: &str, header: &str, block: &str) -> String {
    if let Some(rest_of_header) = header.strip_prefix(before) {
        return format!("{rest_of_header}{block}");
    }
    let newline = newline_of(before);
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
