//! Any text through everything that reads words: secrets, own words, dates, sentences, reminders, notes.

#![no_main]

use base::dates;
use base::{Day, Timestamp, Tz};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let day: Day = "2026-03-02".parse().unwrap();
    let now: Timestamp = "2026-03-02T08:00:00Z".parse().unwrap();
    let redacted = base::redact(text);
    // What was redacted once stays as it is.
    assert_eq!(base::redact(&redacted), redacted);
    drop(base::redact_lines(text));
    drop(base::own_words(text));
    drop(base::own_lines(text));
    drop(base::parted(text));
    base::only_asks(text);
    base::sentences(text).for_each(drop);
    drop(base::visible(text));
    drop(dates::reckoned(text, day, None));
    drop(dates::with_dates(text, day, None));
    drop(dates::named_days(text, day));
    drop(dates::planned_for(text, day, day));
    drop(dates::meant_dates(text, day));
    drop(dates::days_ahead(text, day, None));
    drop(dates::named_span(text, day));
    drop(dates::outside_days(text, day));
    drop(dates::figures_said(text, day));
    drop(dates::past_moment(text, now, Tz::UTC));
    drop(dates::time_ahead(text, day.date().into()));
    drop(extract::reminders_asked(text));
    extract::is_own_reply(text);
    drop(extract::without_courtesy(text));
});
