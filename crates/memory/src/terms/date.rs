//! Words for dates and times.
//!
//! Never asks what day it is.

/// The months by their first three letters; longer spellings must be the whole name.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Words that place something in time, sorted.
const TIME_WORDS: [&str; 40] = [
    "afternoon",
    "ago",
    "birthday",
    "daily",
    "day",
    "days",
    "evening",
    "friday",
    "hour",
    "hours",
    "last",
    "later",
    "monday",
    "month",
    "monthly",
    "months",
    "morning",
    "next",
    "night",
    "recently",
    "saturday",
    "soon",
    "spring",
    "summer",
    "sunday",
    "thursday",
    "today",
    "tomorrow",
    "tonight",
    "tuesday",
    "wednesday",
    "week",
    "weekend",
    "weekly",
    "weeks",
    "winter",
    "year",
    "years",
    "yesterday",
    "yet",
];

/// The month that a lower-case word names, from 1.
pub(crate) fn month_of(word: &str) -> Option<u32> {
    let idx = MONTHS.iter().position(|month| {
        word == *month
            || (word.len() == 3 && month.starts_with(word))
            || (word == "sept" && *month == "september")
    })?;
    u32::try_from(idx + 1).ok()
}

/// Whether a lower-case word places something in time: such a word, a month or a year.
pub(crate) fn time_word(word: &str) -> bool {
    TIME_WORDS.binary_search(&word).is_ok() || month_of(word).is_some() || is_year(word)
}

/// Whether a word looks like a year of a living memory.
pub(crate) fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The day of a month that a word names: `7`, `7th`, `07`.
pub(crate) fn day_of_month(word: &str) -> Option<u32> {
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    if digits.is_empty() || digits.len() > 2 {
        return None;
    }
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

/// The one spelling of a day of any year, so that `7 May`, `May 7` and `2023-05-07` meet.
pub(crate) fn day_term(month: u32, day: u32) -> String {
    format!("@{month:02}-{day:02}")
}

/// Year, month and day of an ISO date.
pub(crate) fn iso_date(text: &str) -> Option<(i32, u32, u32)> {
    let (year, rest) = text.split_at_checked(4)?;
    let (month, day) = rest.strip_prefix('-')?.split_once('-')?;
    if !is_year(year) || month.len() != 2 || day.len() != 2 {
        return None;
    }
    let month = month
        .parse()
        .ok()
        .filter(|month| (1..=12).contains(month))?;
    Some((year.parse().ok()?, month, day_of_month(day)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_their_spellings() {
        assert!(TIME_WORDS.is_sorted());
        assert_eq!(
            ["may", "sept", "dec", "ma"].map(month_of),
            [Some(5), Some(9), Some(12), None]
        );
        assert_eq!(
            ["7", "31st", "07", "32", "th"].map(day_of_month),
            [Some(7), Some(31), Some(7), None, None]
        );
        assert_eq!(iso_date("2023-05-07"), Some((2023, 5, 7)));
        assert_eq!(
            ["2023-13-07", "2023-5-7", "12023-05-07"].map(iso_date),
            [None, None, None]
        );
    }
}
