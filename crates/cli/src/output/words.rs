//! Formats numbers, sizes and times.

use std::time::Duration;

use base::{Timestamp, TokenCount, Tz, day, time_of_day};
use chrono::SecondsFormat;

/// Date and time to the minute, for people.
pub fn minute(at: Timestamp, timezone: Tz) -> String {
    format!("{} {}", day(at, timezone), time_of_day(at, timezone))
}

/// A time for programs: RFC 3339 in UTC, with milliseconds.
pub fn instant(at: Timestamp) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The beginning of a text on one line, with an ellipsis if the text was truncated.
pub fn shortened(text: &str, chars_max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    base::shortened(&line, chars_max).into_owned()
}

/// A duration for programs, in milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A number with thousands separators.
pub fn grouped(number: u64) -> String {
    TokenCount(number).to_string()
}

/// A number of bytes for people; 1 kB is 1,024 bytes.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes.saturating_mul(10) / 1024;
    let mut unit = "kB";
    for larger in UNITS.iter().skip(1) {
        if tenths < 10_240 {
            break;
        }
        tenths /= 1024;
        unit = larger;
    }
    format!("{}.{} {unit}", grouped(tenths / 10), tenths % 10)
}

/// The change relative to `before` in percent, in parentheses.
pub fn change(before: TokenCount, after: TokenCount) -> String {
    let (sign, difference) = if after > before {
        ('+', after.saturating_sub(before))
    } else {
        ('-', before.saturating_sub(after))
    };
    let percent = u128::from(difference.0) * 100 / u128::from(before.0.max(1));
    format!(" ({sign}{percent}%)")
}

/// The share in percent, rounded to the nearest.
pub fn percent(part: TokenCount, whole: TokenCount) -> u128 {
    let whole = u128::from(whole.0.max(1));
    (u128::from(part.0) * 100 + whole / 2) / whole
}

/// Adds a line to a text.
#[macro_export]
macro_rules! add_line {
    ($text:expr, $($said:tt)*) => {{
        use std::fmt::Write as _;
        // Writing to a `String` cannot fail.
        writeln!($text, $($said)*).unwrap_or_default();
    }};
}

pub use add_line;
