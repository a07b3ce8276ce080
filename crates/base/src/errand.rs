//! Tells who left for an hour from who left for good: `left Bosch and took the bus home`.
//!
//! Sees the words behind what was left; knows neither the verb nor its subject.

/// What somebody does who left for an hour.
#[rustfmt::skip]
const WAYS: &[&str] = &[
    "took", "went", "drove", "walked", "rode", "cycled", "caught", "bought", "ate", "headed", "ran", "came", "grabbed",
    "waited",
];

/// What makes something else of it: `and took a job in Graz`.
#[rustfmt::skip]
const CAREERS: &[&str] = &[
    "job", "position", "role", "post", "offer", "year", "sabbatical", "freelance", "abroad", "university", "college",
    "school",
];

/// How somebody is who leaves for a day.
#[rustfmt::skip]
const UNWELL: &[&str] = &[
    "sick", "ill", "unwell", "dizzy", "tired", "hungry", "thirsty", "late", "cold", "faint", "nauseous", "headache",
    "migraine", "appointment",
];

/// More words tell of something else.
const WORDS_MAX: usize = 5;

/// Whether words in lower case, behind what somebody left or joined, make an errand of a day of it.
///
/// # Examples
///
/// ```
/// assert!(base::is_errand(&["and", "took", "the", "bus"]));
/// assert!(!base::is_errand(&["and", "took", "a", "job", "in", "graz"]));
/// ```
pub fn is_errand(behind: &[&str]) -> bool {
    let near = |n_before: usize, list: &[&str]| {
        let mut words = behind.iter().skip(n_before).take(WORDS_MAX);
        words.any(|word| list.contains(word))
    };
    match behind {
        ["and", way, ..] => WAYS.contains(way) && !near(2, CAREERS),
        ["because", ..] => near(2, UNWELL),
        _ => false,
    }
}
