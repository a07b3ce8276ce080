//! A daily log as it was: without the sections that were added later, and with the same line numbers.

use base::disk::{DiskError, read_all};
use base::{Day, Timestamp, Tz, day, time_of_day};

use crate::Workspace;
use crate::daily_log::LOG_BYTES_MAX;
use crate::daily_log::lines::lines;

/// The text of a log as it was at a moment; empty if nothing was there yet, and `None` if all of it was.
pub(super) fn past_log(
    present: &Workspace,
    of: Day,
    at: Timestamp,
    timezone: Tz,
) -> Result<Option<String>, DiskError> {
    let today = day(at, timezone);
    if of < today {
        return Ok(None);
    }
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
    Ok(Some(until(
        &String::from_utf8_lossy(&bytes),
        now.as_deref(),
    )))
}

/// The text with the lines below headings of a later time blank. Text above the first heading with a time counts from
/// the beginning of the day.
fn until(text: &str, now: Option<&str>) -> String {
    let mut is_there = true;
    let mut kept = String::with_capacity(text.len());
    for line in lines(text) {
        if line.text.starts_with("## ") {
            is_there = time_in(line.text).is_none_or(|time| now.is_some_and(|now| time <= now));
        }
        if is_there {
            kept.push_str(text.get(line.bytes).unwrap_or_default());
        } else {
            kept.push('\n');
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
