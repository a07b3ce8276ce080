//! What a text says in figures, dates and denials, by the reader of dates and the data of the offline engine.
//!
//! Judges nothing; dreams and flushes ask it when they check what a model wrote.

use std::collections::BTreeSet;

use base::Day;
use base::dates::{DaySpan, named_span};
use chrono::Datelike;
use dreaming::Reading;

/// The readers that are part of the program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfflineReading;

/// A span longer than this names no date that anybody would copy.
const SPAN_DAYS_MAX: i64 = 400;

impl Reading for OfflineReading {
    fn figures(&self, text: &str, said_on: Day) -> BTreeSet<String> {
        let mut found = self.dates(text, said_on);
        // A year is often added to a day that was said without one.
        let year = said_on.date().year();
        found.extend((year - 1..=year + 1).map(|year| year.to_string()));
        found
    }

    fn dates(&self, text: &str, said_on: Day) -> BTreeSet<String> {
        let parts = base::sentences(text);
        let clauses = parts
            .iter()
            .flat_map(|part| part.split([',', ';', '(', ')']));
        let spans = clauses.filter_map(|clause| named_span(clause, said_on));
        let spans = spans.filter(|span| span.n_days() <= SPAN_DAYS_MAX);
        spans.flat_map(|span| numbers(&span)).collect()
    }

    fn is_calendar_word(&self, word: &str) -> bool {
        let Ok(day) = "2001-01-01".parse::<Day>() else {
            return false;
        };
        named_span(word, day).is_some()
            || named_span(&format!("1 {word} 2001"), day).is_some_and(|span| span.n_days() == 1)
    }

    fn denies(&self, text: &str) -> bool {
        extract::denies(text)
    }
}

/// Year, month and day of a span, as far as it tells them.
fn numbers(span: &DaySpan) -> Vec<String> {
    let (first, last) = (span.first.date(), span.last.date());
    let mut found = vec![first.year(), last.year()];
    if span.n_days() <= 31 {
        found.extend([first.month(), last.month()].map(|own| own as i32));
    }
    if span.n_days() <= 7 {
        found.extend([first.day(), last.day()].map(|own| own as i32));
    }
    found.iter().map(i32::to_string).collect()
}
