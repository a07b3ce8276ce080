//! Dates in digits, moments as programs write them, and texts behind a colon.

use crate::Tz;
use crate::dates::{time_ahead, time_ahead_in};

/// Compares the time and the rest of texts, seen from 30 November 2026, 08:00.
fn check(cases: &[(&str, &str, &str)]) {
    for (text, when, rest) in cases {
        let read = time_ahead(text, "2026-11-30T08:00:00".parse().unwrap());
        let found = match read.when {
            Ok(None) => "none".to_owned(),
            Ok(Some(own)) => own.written(),
            Err(why) => format!("? {why}"),
        };
        assert_eq!(
            (found.as_str(), read.rest.as_str()),
            (*when, *rest),
            "{text}"
        );
    }
}

#[test]
fn dates_in_digits_and_text_behind_colon_are_read() {
    check(&[
        ("on 12/24/2026 pack", "2026-12-24", "pack"),
        ("on 24/12/2026 at 9 pack", "2026-12-24 09:00", "pack"),
        ("2026-12-24T18:00 pack", "2026-12-24 18:00", "pack"),
        ("pack at 2026-12-24t18:05:00.", "2026-12-24 18:05", "pack"),
        (
            "every 15th at 9 pay",
            "every month on the 15th at 09:00",
            "pay",
        ),
        (
            "tomorrow at 9: call Bob on Friday",
            "2026-12-01 09:00",
            "call Bob on Friday",
        ),
        (
            "every Monday at 10: read page 1/2",
            "every Monday at 10:00",
            "read page 1/2",
        ),
        (
            "on 01/02/2027 pack",
            "? it may mean 2027-01-02 or 2027-02-01",
            "pack",
        ),
        (
            "on 4 and 5 December at 9 water",
            "? it is unclear whether \"and\" belongs to the time",
            "on 4 and water",
        ),
        ("Friday: dinner at 8", "2026-12-04 08:00", "dinner"),
        (
            "a week from Friday at 9 call Bob",
            "2026-12-11 09:00",
            "call Bob",
        ),
        (
            "on Tuesday between 9 and 10 call Ben",
            "? it is unclear whether \"between\" belongs to the time",
            "between 9 and 10 call Ben",
        ),
        (
            "el martes entre las 9 y las 10 llamar",
            "? it is unclear whether \"entre\" belongs to the time",
            "entre las 9 y las 10 llamar",
        ),
        (
            "on the 32nd at 9 pay",
            "? it is unclear whether \"32nd\" belongs to the time",
            "on the 32nd pay",
        ),
        ("two days after tomorrow pay", "2026-12-03", "pay"),
        (
            "send it by Friday at 9",
            "? it is unclear whether \"by\" belongs to the time",
            "send it",
        ),
        ("every 31st pay", "? it does not name a single day", "pay"),
        ("2026-12-24T18:00Z pack", "none", "2026-12-24T18:00Z pack"),
    ]);
}

#[test]
fn first_of_every_month_in_words_is_a_repetition() {
    check(&[
        (
            "on the first of every month at 9 pay",
            "every month on the 1st at 09:00",
            "pay",
        ),
        (
            "ogni primo del mese alle 9 pagare",
            "every month on the 1st at 09:00",
            "pagare",
        ),
    ]);
}

#[test]
fn digits_around_colon_are_a_ratio_once_a_time_was_read() {
    check(&[
        (
            "tomorrow at 9 mix the paint 50:50",
            "2026-12-01 09:00",
            "mix the paint 50:50",
        ),
        (
            "mix the paint 50:50 tomorrow at 9",
            "2026-12-01 09:00",
            "mix the paint 50:50",
        ),
        (
            "tomorrow at 7 print the score 3:1",
            "2026-12-01 07:00",
            "print the score 3:1",
        ),
        ("in 20 minutes mix it 1:2", "2026-11-30 08:20", "mix it 1:2"),
        (
            "tomorrow mix it 1:2",
            "? it is unclear whether \"1\" belongs to the time",
            "mix it 1:2",
        ),
        ("tomorrow 25:00 pack", "? there is no 25:00", "pack"),
        ("tomorrow at 25:00 pack", "? there is no 25:00", "pack"),
    ]);
}

#[test]
fn time_in_the_clause_behind_the_day_is_unclear() {
    check(&[
        (
            "buy cake on Friday and the party starts at 7",
            "? it is unclear whether \"and\" belongs to the time",
            "buy cake and the party starts",
        ),
        (
            "call Ann on Friday. She leaves at 10",
            "? it is unclear whether \"She\" belongs to the time",
            "call Ann She leaves",
        ),
        (
            "on Friday call Ann and Bob at 10",
            "2026-12-04 10:00",
            "call Ann and Bob",
        ),
    ]);
}

#[test]
fn moment_with_offset_is_read_in_the_owners_zone() {
    let berlin = Tz::named("Europe/Berlin").unwrap();
    let now: chrono::DateTime<chrono::Utc> = "2026-11-30T08:00:00Z".parse().unwrap();
    for text in ["2026-12-24T18:00Z pack", "2026-12-24T13:00:00-05:00 pack"] {
        let read = time_ahead_in(text, now.with_timezone(&berlin));
        let when = read.when.unwrap().unwrap();
        assert_eq!(when.written(), "2026-12-24 19:00", "{text}");
        assert_eq!(read.rest, "pack");
    }
}
