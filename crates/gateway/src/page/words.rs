//! Formats numbers, times and text for the page.

use base::{Timestamp, TokenCount, Tz, day, redact, shortened_before, time_of_day};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Day and time of day in a time zone.
pub(super) fn minute(at: Timestamp, timezone: Tz) -> String {
    format!("{} {}", day(at, timezone), time_of_day(at, timezone))
}

/// A number with thousands separators.
pub(super) fn grouped(number: u64) -> String {
    TokenCount(number).to_string()
}

/// A size in bytes, in a readable unit.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} kB", bytes / 1_024),
        _ => format!("{} MB", grouped(bytes / 1_048_576)),
    }
}

/// A part of a whole as a percentage, rounded to the nearest.
pub(super) fn percent(part: u64, whole: u64) -> u64 {
    let whole = u128::from(whole.max(1));
    let percent = (u128::from(part) * 100 + whole / 2) / whole;
    u64::try_from(percent).unwrap_or(u64::MAX)
}

/// A part of a whole in thousandths, at most 1,000, for drawings.
pub(super) fn thousandths(part: u64, whole: u64) -> u64 {
    let thousandths = u128::from(part) * 1_000 / u128::from(whole.max(1));
    u64::try_from(thousandths.min(1_000)).unwrap_or(1_000)
}

/// A text with secrets redacted.
pub(super) fn safe(text: &str) -> String {
    redact(text).into_owned()
}

/// A text percent-encoded for a URL.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// The beginning of a text, with an ellipsis if it is cut.
pub(super) fn shortened(text: &str, chars_max: usize) -> String {
    base::shortened(text, chars_max).into_owned()
}

/// Splits a text at `quote`: what is before it, the quote, and what is after it, both ends shortened. Without the
/// quote, the first part is the beginning of the text.
pub(super) fn around(text: &str, quote: &str, chars_max: usize) -> (String, String, String) {
    let quote = quote.trim_end_matches(&[' ', '\u{2026}'][..]);
    let found = text.split_once(quote).filter(|_| !quote.is_empty());
    let Some((before, after)) = found else {
        return (shortened(text, chars_max * 2), String::new(), String::new());
    };
    let shown = shortened_before(before, chars_max).into_owned();
    (shown, quote.to_owned(), shortened(after, chars_max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_shares_are_rounded_for_reading() {
        assert_eq!(
            [0, 1_023, 2_048, 3_500_000].map(size),
            ["0 B", "1023 B", "2 kB", "3 MB"]
        );
        assert_eq!(
            [(1, 3), (2, 3), (5, 0)].map(|(part, whole)| percent(part, whole)),
            [33, 67, 500]
        );
        assert_eq!(thousandths(9, 3), 1_000);
    }

    #[test]
    fn around_splits_text_at_matched_words() {
        let parts = around("one two three four five", "three", 7);
        assert_eq!(
            parts,
            (
                "\u{2026} two ".into(),
                "three".into(),
                " four \u{2026}".into()
            )
        );
        assert_eq!(
            around("one two", "six", 9),
            ("one two".into(), String::new(), String::new())
        );
    }
}
