//! Relative dates, said on a Monday unless a test says otherwise.

use proptest::prelude::*;

use super::*;

const MONDAY: &str = "2026-04-20";

/// Checks a text as it is dated; without the dates in brackets it is the original text.
#[track_caller]
fn check(said_on: &str, language: Option<&str>, dated: &str) {
    let found = with_dates(&undated(dated), said_on.parse().unwrap(), language);
    assert_eq!(found, dated);
}

#[test]
fn with_dates_resolves_relative_days_weeks_and_months() {
    for dated in [
        "see you tomorrow (2026-04-21).",
        "Tomorrow's (2026-04-21) demo",
        "the day after tomorrow (2026-04-22)",
        "we met yesterday (2026-04-19), in Rome",
        "3 months ago (2026-01-20)",
        "this Friday (2026-04-24) or next Friday (2026-05-01)",
        "last Friday (2026-04-17)",
        "next week (week of 2026-04-27)",
        "next month (2026-05)",
        "last year (2025)",
        "tomorrow (2026-04-21) at nine or tomorrow at ten",
        "heute (2026-04-20) und \u{fc}bermorgen (2026-04-22)",
        "La cita es hoy (2026-04-20)",
        "\u{660e}\u{5929} (2026-04-21)\u{89c1}",
        "Guten Morgen, heute (2026-04-20) morgen",
    ] {
        check(MONDAY, None, dated);
    }
}

#[test]
fn with_dates_reads_relative_dates_in_their_language() {
    for (language, dated) in [
        ("de", "vor drei Wochen (2026-03-30)"),
        ("de", "ich bin hier"),
        ("fr", "il y a deux ans (2024)"),
        ("fr", "avant-hier (2026-04-18)"),
        ("es", "la semana pasada (semana del 2026-04-13)"),
        ("es", "por la ma\u{f1}ana"),
        ("nl", "vorige maand (2026-03)"),
        ("ja", "\u{5148}\u{6708} (2026-03)\u{304b}\u{3089}"),
        ("en", "see today.txt and next-week.md"),
    ] {
        check(MONDAY, Some(language), dated);
    }
}

#[test]
fn with_dates_leaves_dated_vague_and_false_dates_alone() {
    for text in [
        "tomorrow (2026-04-21)",
        "due this Thursday, 2026-04-23",
        "it moved from 2026-04-21 to tomorrow, 2026-04-21",
        "due next Friday, the 1st of May, at noon",
        "we meet next Friday on May 1",
        "I finished it in two weeks",
        "We fly in two weeks, on Tuesday",
        "over the last month",
        "in two minutes",
        "next to it",
        "in 99999999999 days",
    ] {
        assert_eq!(with_dates(text, MONDAY.parse().unwrap(), None), text);
    }
    check("2026-04-25", None, "last Friday");
}

#[test]
fn with_dates_respects_ends_of_months_and_years() {
    check("2024-03-31", None, "a month ago (2024-02-29)");
    check("2026-12-31", None, "tomorrow (2027-01-01)");
    check("2027-01-01", None, "last week (week of 2026-12-21)");
}

/// Removes the parts in brackets that may be dates.
fn undated(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" (") {
        kept.push_str(before);
        let inner = after.split_once(')').filter(|(inner, _)| {
            let weeks = ["week of ", "semana del "].into_iter();
            let mut dates = weeks.filter_map(|week| inner.strip_prefix(week));
            let date = dates.next().unwrap_or(inner);
            let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'-';
            date.len() >= 4 && date.bytes().all(is_digit)
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
    fn i16_with_dates_only_adds_dates(text in "\\PC*|((in|next|last|two|week|friday|days|ago|tomorrow|,| )[ ]?){0,20}") {
        let dated = with_dates(&text, MONDAY.parse().unwrap(), None);
        prop_assert_eq!(undated(&dated), undated(&text));
    }
}
