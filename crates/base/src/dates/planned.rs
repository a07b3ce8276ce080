//! Finds plans: a text that names a day later than the day on which it was said.
//!
//! Never decides whether a plan was carried out.

use std::collections::BTreeSet;

use super::absolute::times;
use super::span::{DaySpan, resolve};
use super::written::{WrittenDate, written_dates};
use crate::Day;

/// The single days that a text names, counted from the day on which it was said; a date without a year is the nearest
/// such day, before or after.
///
/// # Examples
///
/// ```
/// let said_on = "2026-04-20".parse().unwrap();
/// let days = base::dates::named_days("Dentist tomorrow, results on 4 May 2026", said_on);
/// let days: Vec<String> = days.iter().map(ToString::to_string).collect();
/// assert_eq!(days, ["2026-04-21", "2026-05-04"]);
/// ```
pub fn named_days(text: &str, said_on: Day) -> BTreeSet<Day> {
    let spans = times(text, None).into_iter();
    let spans = spans.filter_map(|(_, _, meaning)| resolve(meaning, said_on.date()));
    let (days, spans): (Vec<DaySpan>, Vec<DaySpan>) = spans.partition(|span| span.n_days() == 1);
    let dates = written_dates(text).into_iter();
    let today = said_on.date();
    let day_of = |date: WrittenDate| date.days().or_else(|| date.nearest_day(today));
    let dates = dates.filter_map(|date| date.day.and_then(|_| day_of(date)));
    let days = days.into_iter().chain(dates).map(|span| span.first);
    // A Monday written after a week phrase stands for the whole week.
    days.filter(|day| !spans.iter().any(|span| span.holds(*day)))
        .collect()
}

/// The first day for which a text plans something, if that day and all later ones it names have passed.
///
/// # Examples
///
/// ```
/// use base::dates::planned_for;
/// let day = |text: &str| text.parse().unwrap();
/// let planned = |today| planned_for("The dentist is on 2026-10-15", day("2026-10-01"), day(today));
/// assert_eq!(planned("2026-10-16"), Some(day("2026-10-15")));
/// assert_eq!(planned("2026-10-15"), None);
/// ```
pub fn planned_for(text: &str, said_on: Day, today: Day) -> Option<Day> {
    let named = named_days(text, said_on);
    let mut later = named.into_iter().filter(|day| *day > said_on).peekable();
    let first = later.peek().copied();
    first.filter(|_| later.all(|day| day < today))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the plan that a text of Monday, 20 April 2026, contains, seen from a later day.
    #[track_caller]
    fn check(text: &str, today: &str, expected: &str) {
        let day = |text: &str| text.parse().unwrap();
        let planned = planned_for(text, day("2026-04-20"), day(today));
        let shown = planned.map(|day| day.to_string()).unwrap_or_default();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn planned_day_that_has_passed_is_returned() {
        check("Trip to Lyon on 2026-05-02", "2026-06-01", "2026-05-02");
        check("Trip to Lyon on 2 May 2026", "2026-06-01", "2026-05-02");
        check("Trip to Lyon on 2 May", "2026-06-01", "2026-05-02");
        check("Zahnarzt am 2. Mai um 9", "2026-06-01", "2026-05-02");
        check("Dentist tomorrow", "2026-06-01", "2026-04-21");
        check("Zahnarzt morgen (2026-04-21)", "2026-06-01", "2026-04-21");
        check("From 2026-05-02 to 2026-05-09", "2026-06-01", "2026-05-02");
        check(
            "Ordered 2026-04-02, due 2026-05-02",
            "2026-05-03",
            "2026-05-02",
        );
    }

    #[test]
    fn named_days_reads_date_without_year_as_nearest_such_day() {
        for (text, said_on, expected) in [
            ("The tuner comes on 9 December", "2026-11-30", "2026-12-09"),
            ("We married on 9 December", "2026-12-20", "2026-12-09"),
            ("Back on January 4", "2026-12-30", "2027-01-04"),
            ("Sold on December 28", "2027-01-03", "2026-12-28"),
            ("Party on 29 February", "2027-12-30", "2028-02-29"),
        ] {
            let days = named_days(text, said_on.parse().unwrap());
            let days: Vec<String> = days.iter().map(ToString::to_string).collect();
            assert_eq!(days, [expected], "{text}");
        }
    }

    #[test]
    fn future_past_and_vague_days_are_not_passed_plans() {
        for text in [
            "Trip to Lyon on 2026-06-01",
            "From 2026-05-02 to 2026-06-09",
            "Bought on 2026-04-02",
            "Bought on 2 April",
            "Met Bea in May",
            "Noted today, 2026-04-20",
            "Fair in May 2026",
            "Guests next week (week of 2026-04-27)",
            "Call Anna",
        ] {
            check(text, "2026-06-01", "");
        }
    }
}
