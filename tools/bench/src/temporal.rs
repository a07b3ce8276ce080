//! Scores the parsing of dates in questions, on cases with a reference date and an expected interval.
//!
//! Compares only days, because memory stores no times of day.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use base::Day;
use base::dates::named_span;

use crate::Result;
use crate::retrieval::set::record;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The cases: an object of reference date, unit separator and text, each with an interval or null
    #[arg(long, value_name = "FILE")]
    cases: PathBuf,
    /// How many of the misread cases to print
    #[arg(long, value_name = "N", default_value_t = 0)]
    wrong: usize,
}

/// Separates the reference date from the text.
const SEPARATOR: char = '\u{1f}';

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let cases: BTreeMap<String, Option<(String, String)>> = record(&arguments.cases)?;
    // Pairs of (total, right): first for the cases without an interval, then for those with one.
    let mut counted = [(0, 0); 2];
    let mut n_told = 0;
    for (case, expected) in &cases {
        let Some((today, text)) = case.split_once(SEPARATOR) else {
            continue;
        };
        let day = |text: &str| text.get(..10).and_then(|day| day.parse::<Day>().ok());
        let Some(today) = day(today) else { continue };
        let found = named_span(text, today).map(|span| (span.first, span.last));
        let wanted = expected
            .as_ref()
            .map(|(first, last)| (day(first), day(last)));
        let is_right = found.map(|(first, last)| (Some(first), Some(last))) == wanted;
        let [without, with] = &mut counted;
        let (n_all, n_right) = if expected.is_some() { with } else { without };
        *n_all += 1;
        *n_right += u32::from(is_right);
        if !is_right && n_told < arguments.wrong {
            n_told += 1;
            writeln!(out, "{today} {text:?}: {found:?}, expected {expected:?}")?;
        }
    }
    let [(n_without, n_without_right), (n_with, n_with_right)] = counted;
    writeln!(
        out,
        "{} of {} right; {n_with_right} of {n_with} with an interval, {n_without_right} of {n_without} without",
        n_with_right + n_without_right,
        n_with + n_without
    )?;
    Ok(())
}
