//! A daily log as it was: without the sections that were added later, and with the same line numbers.

use std::collections::BTreeSet;

use base::disk::{DiskError, read_all};
use base::{Day, Timestamp, Tz, day, time_of_day};

use crate::Workspace;
use crate::daily_log::LOG_BYTES_MAX;
use crate::daily_log::lines::lines;
use crate::note_text::{NoteLine, NoteText};

/// The flushes of conversations whose notes had been written at a moment.
#[derive(Debug, Clone, Default)]
pub struct PastFlushes {
    /// The ids of the conversations that are known.
    pub sessions: BTreeSet<String>,
    /// The conversation, the first and the last entry of each flush.
    pub spans: BTreeSet<(String, String, String)>,
}

impl PastFlushes {
    /// Whether the line of a note had been written; `None` if its flush is not known.
    fn wrote(&self, line: &NoteLine<'_>) -> Option<bool> {
        let record = line.record()?;
        let (session, (first, last)) = (record.session.clone()?, record.span.clone()?);
        let is_known = self.sessions.contains(&session);
        is_known.then(|| self.spans.contains(&(session, first, last)))
    }
}

/// The text of a log as it was at a moment; empty if nothing was there yet, and `None` if all of it was.
pub(super) fn past_log(
    present: &Workspace,
    of: Day,
    flushes: &PastFlushes,
    (at, timezone): (Timestamp, Tz),
) -> Result<Option<String>, DiskError> {
    let today = day(at, timezone);
    if of > today {
        return Ok(Some(String::new()));
    }
    let path = present.log_path(of).under(present.root());
    let bytes = read_all(present.disk(), &path, LOG_BYTES_MAX)?;
    // A minute counts once it has ended.
    let minute = chrono::TimeDelta::milliseconds(59_999);
    let now = at
        .checked_sub_signed(minute)
        .filter(|it| day(*it, timezone) == of);
    let now = now.map(|it| time_of_day(it, timezone));
    let is_by_then = |time: &str| of < today || now.as_deref().is_some_and(|now| time <= now);
    let text = String::from_utf8_lossy(&bytes);
    let note = present.read_note(present.log_path(of).as_str(), &text);
    let hidden = later_lines(&note, flushes, &is_by_then);
    if hidden.is_empty() {
        return Ok(None);
    }
    let left = without_lines(&text, &hidden);
    // The title alone was written with the first section.
    let is_title = left.trim() == format!("# {of}");
    Ok(Some(if is_title { String::new() } else { left }))
}

/// The lines of the sections that were added later. A section of a flush counts from the moment at which the flush
/// ended, any other one from the time in its heading, and text above the first heading from the beginning of the day.
fn later_lines(
    note: &NoteText<'_>,
    flushes: &PastFlushes,
    is_by_then: &dyn Fn(&str) -> bool,
) -> BTreeSet<usize> {
    let lines: Vec<(usize, &NoteLine<'_>)> = note.numbered().collect();
    let mut hidden = BTreeSet::new();
    let sections = lines.chunk_by(|_, (_, next)| !next.text().starts_with("## "));
    for section in sections {
        let written = section.iter().find_map(|(_, line)| flushes.wrote(line));
        let heading = section.first().map_or("", |(_, line)| line.text());
        let is_there = written.unwrap_or_else(|| time_in(heading).is_none_or(is_by_then));
        if !is_there {
            hidden.extend(section.iter().map(|(number, _)| *number));
        }
    }
    hidden
}

/// The text with these lines blank, and without blank lines at its end.
fn without_lines(text: &str, hidden: &BTreeSet<usize>) -> String {
    let mut kept = String::with_capacity(text.len());
    for (line, number) in lines(text).into_iter().zip(1..) {
        if hidden.contains(&number) {
            kept.push('\n');
        } else {
            kept.push_str(text.get(line.bytes).unwrap_or_default());
        }
    }
    let n_bytes = kept.trim_end().len();
    kept.truncate(n_bytes);
    if n_bytes > 0 {
        kept.push('\n');
    }
    kept
}

/// The time at the beginning of a heading, as `HH:MM`.
fn time_in(heading: &str) -> Option<&str> {
    let time = heading.strip_prefix("## ")?.get(..5)?;
    let is_digit = |at: usize| time.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let is_time = [0, 1, 3, 4].into_iter().all(is_digit) && time.as_bytes().get(2) == Some(&b':');
    is_time.then_some(time)
}
