//! Formats numbers, times and text for the page.

use base::{Day, Origin, Timestamp, TokenCount, Tz, day, redact, shortened_before, time_of_day};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// A time as people say it: `today at 09:30`, or `Friday, 4 December at 09:30`.
pub(super) fn minute(at: Timestamp, timezone: Tz, today: Day) -> String {
    let day = day_in_words(day(at, timezone), today);
    format!("{day} at {}", time_of_day(at, timezone))
}

/// A day as people say it: `today`, `tomorrow`, `yesterday`, or the weekday and date, with the year if it is another.
pub(super) fn day_in_words(day: Day, today: Day) -> String {
    let date = day.date();
    match date.signed_duration_since(today.date()).num_days() {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        -1 => "yesterday".to_owned(),
        _ if date.format("%Y").to_string() == today.date().format("%Y").to_string() => {
            date.format("%A, %-d %B").to_string()
        }
        _ => date.format("%A, %-d %B %Y").to_string(),
    }
}

/// A day where there is little room: `4 Dec 2026`.
pub(super) fn short_date(day: Day) -> String {
    day.date().format("%-d %b %Y").to_string()
}

/// A day within a sentence: `today`, or `on Friday, 4 December`.
pub(super) fn on_day(day: Day, today: Day) -> String {
    let words = day_in_words(day, today);
    if words.contains(' ') {
        format!("on {words}")
    } else {
        words
    }
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

/// A part of a whole in percent, rounded to the nearest.
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

/// The name of a heading of `MEMORY.md` on the page; the owner's own headings stay as they are.
pub(super) fn theme_in_words(heading: &str) -> &str {
    match heading {
        "About the Owner" => "You",
        "Standing Instructions" => "How to work with you",
        "Preferences" => "What you like",
        "Projects and People" => "Projects and people",
        "Decisions" => "What you decided",
        "USER.md" => "What you wrote about yourself",
        "Facts" | "MEMORY.md" => "Good to know",
        other => other,
    }
}

/// Who answers for a line or a candidate.
pub(super) fn origin_in_words(origin: Origin) -> &'static str {
    match origin {
        Origin::Owner => "You said it",
        Origin::Agent => "The assistant said it",
        Origin::System => "The program found it",
        Origin::Untrusted => "Somebody else may have said it",
    }
}

/// An error as a sentence: it begins with a capital, unless it begins with a path or command, and ends with a period.
pub(super) fn as_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let begun = letters.next().map(char::to_uppercase);
    let begun: String = begun.into_iter().flatten().chain(letters).collect();
    let is_ended = begun.ends_with(['.', '!', '?', '`']);
    if is_ended { begun } else { begun + "." }
}

/// A text percent-encoded for a URL.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// The beginning of a text, with an ellipsis if the text is longer.
pub(super) fn shortened(text: &str, chars_max: usize) -> String {
    base::shortened(text, chars_max).into_owned()
}

/// Splits a text at `quote` into the text before it, the quote, and the text after it, and shortens both ends. If the
/// quote is not found, the first part is the beginning of the text.
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
    fn error_is_shown_as_sentence() {
        assert_eq!(
            as_sentence("there is nothing at /x"),
            "There is nothing at /x."
        );
        assert_eq!(as_sentence("/x is empty?"), "/x is empty?");
        assert_eq!(as_sentence(""), ".");
    }

    #[test]
    fn days_near_today_are_named() {
        let today: Day = "2026-11-30".parse().unwrap();
        let words = |day: &str| day_in_words(day.parse().unwrap(), today);
        assert_eq!(on_day("2026-11-29".parse().unwrap(), today), "yesterday");
        assert_eq!(
            on_day("2026-12-04".parse().unwrap(), today),
            "on Friday, 4 December"
        );
        assert_eq!(
            [
                "2026-11-30",
                "2026-12-01",
                "2026-11-29",
                "2026-12-04",
                "2027-01-02"
            ]
            .map(words),
            [
                "today",
                "tomorrow",
                "yesterday",
                "Friday, 4 December",
                "Saturday, 2 January 2027"
            ]
        );
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
