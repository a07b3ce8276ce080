//! Tests of the lines of a span.

use super::*;

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn july() -> DaySpan {
    DaySpan {
        first: day("2026-07-01"),
        last: day("2026-07-31"),
    }
}

/// A line of a day of July, with its score.
fn result(day_of_month: u32, score: f64, text: &str) -> SearchResult {
    let on = format!("2026-07-{day_of_month:02}");
    SearchResult {
        path: format!("memory/{on}.md"),
        score,
        day: Some(day(&on)),
        ..crate::notes_kit::result(3, text)
    }
}

fn places(results: &[SearchResult]) -> Vec<(String, bool)> {
    let place = |it: &SearchResult| (it.day.unwrap().to_string(), it.is_of_span);
    results.iter().map(place).collect()
}

#[test]
fn span_lines_are_counted_and_best_ones_shown_in_order() {
    let mut results = vec![
        result(9, 3.0, "- Swam 900 m"),
        result(4, 2.0, "- Swam 400 m"),
        result(2, 1.0, "- Swam 200 m"),
        result(9, 2.5, "- How far did I swim?"),
        result(30, 0.5, "- Swam 300 m"),
        result(7, 2.2, "- Swam 700 m"),
    ];
    results[1].also.push(base::Locator {
        path: "memory/2026-07-04.md".into(),
        start_line: 8,
        end_line: 8,
    });
    results[0].renews = results[1].also.first().cloned();
    let (span, mut results) = counted_span(july(), results);
    assert!(results.iter().all(|it| it.renews.is_none()));
    let span = span.unwrap();
    let expected = SpanCount {
        days: july(),
        n_lines: 6,
        n_days: 5,
    };
    assert_eq!(span, expected);
    let of = |day: &str, is_of_span| (format!("2026-07-{day}"), is_of_span);
    let best_first = ["02", "30", "09", "07", "04"].map(|day| of(day, true));
    assert_eq!(places(&results)[..5], best_first);
    assert_eq!(places(&results)[5..], [of("09", false)]);
    in_order(&mut results);
    let ordered = ["02", "04", "07", "09", "30"].map(|day| of(day, true));
    assert_eq!(places(&results)[..5], ordered);
    assert_eq!(places(&results)[5..], [of("09", false)]);
    assert_eq!(
        span.in_words(&results),
        "6 lines on 5 days, 2026-07-01 to 2026-07-31, in order"
    );
    assert_eq!(
        span.in_words(&results[..2]),
        "6 lines on 5 days, 2026-07-01 to 2026-07-31; 3 of them, in order"
    );
}

#[test]
fn span_of_single_line_does_not_mention_order() {
    let (span, results) = counted_span(july(), vec![result(9, 2.5, "- Swam 900 m")]);
    let told = span.unwrap().in_words(&results);
    assert_eq!(told, "1 line on 1 day, 2026-07-01 to 2026-07-31");
}

#[test]
fn question_is_not_counted_as_line_of_span() {
    let asking = vec![result(9, 2.5, "- How far did I swim?")];
    let (span, results) = counted_span(july(), asking);
    assert_eq!(span, None);
    assert_eq!(places(&results), [("2026-07-09".to_owned(), false)]);
}

#[test]
fn results_without_span_stay_unchanged() {
    let mut results = vec![
        result(9, 1.0, "a"),
        result(2, 3.0, "b"),
        result(4, 2.0, "c"),
    ];
    let before = results.clone();
    ends_first(&mut results);
    in_order(&mut results);
    assert_eq!(results, before);
}
