//! Relative dates, told from a Monday unless a test says otherwise.

use proptest::prelude::*;

use super::*;

const MONDAY: &str = "2026-04-20";

#[track_caller]
fn check(said_on: &str, text: &str, expected: &str) {
    assert_eq!(absolute(text, said_on.parse().unwrap()), expected);
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
        ("due in two weeks", "due in two weeks (2026-05-04)"),
        ("3 months ago", "3 months ago (2026-01-20)"),
        ("in a year", "in a year (2027)"),
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
fn for_good_a_month_gets_its_year_where_a_verb_tells_which() {
    let said_on = "2026-11-21".parse().unwrap();
    for (text, expected) in [
        (
            "I moved to Szeged last month.",
            "I moved to Szeged last month (2026-10).",
        ),
        (
            "We are going to Lisbon in May.",
            "We are going to Lisbon in May (2027-05).",
        ),
        (
            "We're flying to Oslo in December",
            "We're flying to Oslo in December (2026-12)",
        ),
        (
            "I will retire in November",
            "I will retire in November (2026-11)",
        ),
        (
            "I started at Siemens in March",
            "I started at Siemens in March (2026-03)",
        ),
        (
            "I was promoted in December",
            "I was promoted in December (2025-12)",
        ),
        ("My birthday is in May", "My birthday is in May"),
        (
            "We are going to Lisbon in May 2028",
            "We are going to Lisbon in May 2028",
        ),
        ("I'm going, in may ways", "I'm going, in may ways"),
    ] {
        assert_eq!(absolute(text, said_on), expected);
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
    check("2024-01-31", "in a month", "in a month (2024-02-29)");
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
            let date = inner.strip_prefix(WEEK_OF).unwrap_or(inner);
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
        let dated = absolute(&text, MONDAY.parse().unwrap());
        prop_assert_eq!(undated(&dated), undated(&text));
    }
}

#[test]
fn the_weekday_of_a_task_is_the_next_one() {
    for (text, expected) in [
        (
            "I have to call the plumber on Tuesday",
            "I have to call the plumber on Tuesday (2026-04-21)",
        ),
        (
            "We need to hand in the form by Friday.",
            "We need to hand in the form by Friday (2026-04-24).",
        ),
        (
            "Remind me to water the plants on Sunday",
            "Remind me to water the plants on Sunday (2026-04-26)",
        ),
        (
            "I have an appointment at the vet on Thursday at 14:00",
            "I have an appointment at the vet on Thursday (2026-04-23) at 14:00",
        ),
    ] {
        check(MONDAY, text, expected);
    }
    check(
        "2026-04-23",
        "I must call the plumber on Tuesday",
        "I must call the plumber on Tuesday (2026-04-28)",
    );
    for same in [
        // Today, or in a week.
        "I have to call the plumber on Monday",
        "I had to call the plumber on Tuesday",
        "I called the plumber on Tuesday",
        "I have to call the plumber on Tuesdays",
        "I have to call the plumber every Tuesday",
        "I have to choose between Tuesday and Friday",
        "The bins are collected on Tuesday",
        "I have to work on Tuesday, 21 April",
    ] {
        check(MONDAY, same, same);
    }
}
