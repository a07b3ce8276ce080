//! Relative dates, told from a Monday unless a test says otherwise.

use proptest::prelude::*;

use super::*;

const MONDAY: &str = "2026-04-20";

#[track_caller]
fn check(said_on: &str, text: &str, expected: &str) {
    assert_eq!(with_dates(text, said_on.parse().unwrap(), None), expected);
}

#[test]
fn days_weeks_and_months_become_absolute() {
    for (text, expected) in [
        ("see you tomorrow.", "see you tomorrow (2026-04-21)."),
        ("Tomorrow's demo", "Tomorrow's (2026-04-21) demo"),
        (
            "the day after tomorrow",
            "the day after tomorrow (2026-04-22)",
        ),
        (
            "we met yesterday, in Rome",
            "we met yesterday (2026-04-19), in Rome",
        ),
        ("3 months ago", "3 months ago (2026-01-20)"),
        (
            "this Friday or next Friday",
            "this Friday (2026-04-24) or next Friday (2026-05-01)",
        ),
        ("last Friday", "last Friday (2026-04-17)"),
        ("next week", "next week (week of 2026-04-27)"),
        ("next month", "next month (2026-05)"),
        ("last year", "last year (2025)"),
        (
            "tomorrow at nine or tomorrow at ten",
            "tomorrow (2026-04-21) at nine or tomorrow at ten",
        ),
        (
            "heute und \u{fc}bermorgen",
            "heute (2026-04-20) und \u{fc}bermorgen (2026-04-22)",
        ),
        ("La cita es hoy", "La cita es hoy (2026-04-20)"),
        (
            "\u{660e}\u{5929}\u{89c1}",
            "\u{660e}\u{5929} (2026-04-21)\u{89c1}",
        ),
    ] {
        check(MONDAY, text, expected);
    }
}

#[test]
fn a_relative_date_is_read_in_its_language() {
    for (language, text, expected) in [
        ("de", "vor drei Wochen", "vor drei Wochen (2026-03-30)"),
        ("de", "ich bin hier", "ich bin hier"),
        ("fr", "il y a deux ans", "il y a deux ans (2024)"),
        ("fr", "avant-hier", "avant-hier (2026-04-18)"),
        (
            "es",
            "la semana pasada",
            "la semana pasada (semana del 2026-04-13)",
        ),
        ("es", "por la ma\u{f1}ana", "por la ma\u{f1}ana"),
        ("nl", "vorige maand", "vorige maand (2026-03)"),
        (
            "ja",
            "\u{5148}\u{6708}\u{304b}\u{3089}",
            "\u{5148}\u{6708} (2026-03)\u{304b}\u{3089}",
        ),
        (
            "en",
            "see today.txt and next-week.md",
            "see today.txt and next-week.md",
        ),
    ] {
        let dated = with_dates(text, MONDAY.parse().unwrap(), Some(language));
        assert_eq!(dated, expected);
    }
}

#[test]
fn what_is_no_date_or_two_is_left_alone() {
    for text in [
        "tomorrow (2026-04-21)",
        "due this Thursday, 2026-04-23",
        "it moved from 2026-04-21 to tomorrow, 2026-04-21",
        "due next Friday, the 1st of May, at noon",
        "we meet next Friday on May 1",
        "I finished it in two weeks",
        "We fly in two weeks, on Tuesday",
        "over the last month",
        "Guten Morgen, heute morgen",
        "in two minutes",
        "next to it",
        "in 99999999999 days",
    ] {
        let expected = text.replace("heute", "heute (2026-04-20)");
        check(
            MONDAY,
            text,
            if text.starts_with("Guten") {
                &expected
            } else {
                text
            },
        );
    }
    check("2026-04-25", "last Friday", "last Friday");
}

#[test]
fn months_and_years_end_where_the_calendar_says() {
    check("2024-03-31", "a month ago", "a month ago (2024-02-29)");
    check("2026-12-31", "tomorrow", "tomorrow (2027-01-01)");
    check("2027-01-01", "last week", "last week (week of 2026-12-21)");
}

/// Takes away what stands in brackets and may be a date.
fn undated(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" (") {
        kept.push_str(before);
        let inner = after.split_once(')').filter(|(inner, _)| {
            let date = inner.strip_prefix("week of ").unwrap_or(inner);
            date.len() >= 4
                && date
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'-')
        });
        if inner.is_none() {
            kept.push_str(" (");
        }
        rest = inner.map_or(after, |(_, rest)| rest);
    }
    kept + rest
}

proptest! {
    #[test]
    fn i16_only_dates_are_added(text in "\\PC*|((in|next|last|two|week|friday|days|ago|tomorrow|,| )[ ]?){0,20}") {
        let dated = with_dates(&text, MONDAY.parse().unwrap(), None);
        prop_assert_eq!(undated(&dated), undated(&text));
    }
}
