//! Tests of `read`.

use super::*;

/// Checks the days that a question names on Thursday, 29 February 2024.
#[track_caller]
fn check(text: &str, expected: &str) {
    let today = "2024-02-29".parse().unwrap();
    let found = named_span(text, today);
    let shown = found.map(|span| format!("{}..{}", span.first, span.last));
    assert_eq!(shown.unwrap_or_default(), expected, "{text}");
}

#[test]
fn relative_days_are_counted_from_today() {
    check("what happened yesterday?", "2024-02-28..2024-02-28");
    check("the trip last week", "2024-02-19..2024-02-25");
    check("LAST  weekend", "2024-02-24..2024-02-25");
    check("costs of last month", "2024-01-01..2024-01-31");
    check("last year", "2023-01-01..2023-12-31");
    check("two weeks ago", "2024-02-15..2024-02-15");
    check("a couple of days ago", "2024-02-26..2024-02-28");
    check("a few months ago", "2023-10-02..2023-12-31");
    check("in 3 days", "2024-03-03..2024-03-03");
}

#[test]
fn dates_without_year_mean_most_recent() {
    check("on 2023-05-07", "2023-05-07..2023-05-07");
    check("on 01/15/2024", "2024-01-15..2024-01-15");
    check("in May 2023", "2023-05-01..2023-05-31");
    check("May 7th, 2023", "2023-05-07..2023-05-07");
    check("the talk of March 3rd", "2023-03-03..2023-03-03");
    check("in February", "2024-02-01..2024-02-29");
    check("in december", "2023-12-01..2023-12-31");
}

#[test]
fn date_spans_are_read_with_both_ends() {
    check("swims between 3 and 9 May", "2023-05-03..2023-05-09");
    check("from the 3rd to the 9th of May", "2023-05-03..2023-05-09");
    check("from May 3 to May 9, 2022", "2022-05-03..2022-05-09");
    check("3 to 9 May 2022", "2022-05-03..2022-05-09");
    check("28 December to 3 January", "2023-12-28..2024-01-03");
    check("between March and May 2023", "2023-03-01..2023-05-31");
    check("between November and February", "2023-11-01..2024-02-29");
    check("from 2023-05-03 to 2023-05-09", "2023-05-03..2023-05-09");
    check("vom 3. bis 9. Mai", "2023-05-03..2023-05-09");
    check("zwischen dem 3. und dem 9. Mai", "2023-05-03..2023-05-09");
    check("entre le 3 et le 9 mai 2022", "2022-05-03..2022-05-09");
    // No word says that it is a span.
    check("on 2023-05-03 and on 2023-05-09", "2023-05-03..2023-05-03");
    check("from May 9 2023 to May 3 2023", "2023-05-09..2023-05-09");
}

#[test]
fn outside_days_removes_only_date_phrases() {
    let today = "2024-02-29".parse().unwrap();
    for (text, expected) in [
        ("How often did I swim last week?", "How often did I swim ?"),
        ("swims between 3 and 9 May 2023", "swims"),
        ("swims in May 2023", "swims in"),
        ("swims", "swims"),
    ] {
        let left = outside_days(text, today);
        let left: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(left.join(" "), expected);
    }
}

#[test]
fn dates_are_read_in_other_languages() {
    check("qu'ai-je fait hier", "2024-02-28..2024-02-28");
    check("la semaine derni\u{e8}re", "2024-02-19..2024-02-25");
    check("el a\u{f1}o pasado", "2023-01-01..2023-12-31");
    check("vor 5 Tagen", "2024-02-24..2024-02-24");
    check("am 3. M\u{e4}rz 2025", "2025-03-03..2025-03-03");
    check("на прошлой неделе", "2024-02-19..2024-02-25");
    check("上周做了什么", "2024-02-19..2024-02-25");
    check("三天前", "2024-02-26..2024-02-26");
    check("２０２４年３月", "2024-03-01..2024-03-31");
}

#[test]
fn lookalikes_of_dates_are_not_read() {
    for text in [
        "",
        "may I ask a question",
        "the march of time",
        "0000-00-00",
        "2020-13-45",
        "一百万年前",
        "十万年前",
        "tonight",
        "上海的天气",
        "99999999999 days ago",
        "mar",
    ] {
        check(text, "");
    }
}
