//! Builds memories of several sizes and searches them.
//!
//! Prints CPU time next to elapsed time, to distinguish slow work from a busy machine.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base::disk::{DiskError, MemoryDisk, OsDisk};
use base::{Disk, EmbedRole, Timestamp};
use chrono::{Days, NaiveDate};
use clap::builder::RangedU64ValueParser;
use search::{Corpus, Index, IndexError, SearchOptions, VectorScan, search, sync};

use super::machine::{machine, peak, processor_time};
use super::made_up::{MadeUp, MadeUpSection, SECTION_PASSAGES};
use crate::Result;
use crate::called;
use crate::home::{bundled, workspace};
use crate::retrieval::measure::real;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The numbers of passages to measure, one after the other
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [10_000, 100_000, 1_000_000], value_parser = at_least_one())]
    passages: Vec<usize>,
    /// How many questions per size
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = at_least_one())]
    questions: usize,
    /// How many of them to ask again with an exact vector scan
    #[arg(long, value_name = "N", default_value_t = 40)]
    exact: usize,
}

/// Parses a count of at least 1, because nothing can be measured with none.
pub(crate) fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// Number of sections per day.
const DAY_SECTIONS: usize = 10;

/// Number of sections that the questions are about, spread evenly.
const ASKED_SECTIONS: usize = 200;

/// The number of first results that are compared.
const FIRST: usize = 10;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", machine(&OsDisk))?;
    writeln!(out, "{}", embedded()?)?;
    out.flush()?;
    for n_passages in &arguments.passages {
        measure(*n_passages, arguments, out)?;
    }
    writeln!(out, "{}; peak {}", machine(&OsDisk), peak(&OsDisk))?;
    Ok(())
}

/// Elapsed time and CPU time.
#[derive(Debug, Clone, Copy)]
struct Times {
    passed: Duration,
    processor: Duration,
}

fn timed<T>(act: impl FnOnce() -> T) -> (T, Times) {
    let began_at = processor_time(&OsDisk);
    let (passed, done) = called::timed(act);
    let processor = processor_time(&OsDisk).saturating_sub(began_at);
    (done, Times { passed, processor })
}

/// The number of passages for measuring the embedder alone.
const EMBEDDED: usize = 100_000;

/// Measures the embedder by itself, on one thread.
fn embedded() -> Result<String> {
    let embedder = bundled().ok_or("the program was built without its embedder")?;
    let mut made_up = MadeUp::new()?;
    let sections = (0..EMBEDDED.div_ceil(SECTION_PASSAGES)).map(|_| made_up.section());
    let passages: Vec<String> = sections.flat_map(|section| section.passages).collect();
    let texts: Vec<&str> = passages.iter().map(String::as_str).collect();
    let (vectors, took) = timed(|| embedder.embed(EmbedRole::Passage, &texts));
    Ok(format!(
        "{} passages embedded by one thread: {:.0} per second, {:.1} us of CPU time each",
        vectors?.len(),
        real(passages.len()) / took.passed.as_secs_f64(),
        took.processor.as_secs_f64() * 1e6 / real(passages.len()),
    ))
}

fn measure(n_passages: usize, arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let index = Index::open(Arc::new(OsDisk), directory.path())?.with_embedder(bundled());
    let mut made_up = MadeUp::new()?;
    let disk = MemoryDisk::new();
    let asked = notes(&mut made_up, &disk, Path::new("/w/memory"), n_passages)?;
    let asked = asked.iter().cycle().take(arguments.questions);
    let questions: Vec<String> = asked.map(|section| made_up.question(section)).collect();
    let corpus = Corpus {
        notes: &workspace(Arc::new(disk)),
        sessions: None,
    };
    let (done, took) = timed(|| sync(&index, &corpus, Timestamp::MAX_UTC, &mut |_| ()));
    done?;
    write!(
        out,
        "{n_passages:>9} passages  built in {:.1} s, {:.0} per second, {:.1} us of CPU time each",
        took.passed.as_secs_f64(),
        real(n_passages) / took.passed.as_secs_f64(),
        took.processor.as_secs_f64() * 1e6 / real(n_passages),
    )?;
    let megabytes = real(n_bytes(&OsDisk, directory.path())?) / 1e6;
    write!(out, "  {megabytes:.1} MB")?;
    out.flush()?;
    let found = ask_all(index, &questions, arguments.exact)?;
    writeln!(out, "  {found}")?;
    out.flush()?;
    Ok(())
}

/// Asks all questions, and the first `n_exact` again with an exact vector scan to measure recall.
fn ask_all(index: Index, questions: &[String], n_exact: usize) -> Result<String> {
    let options = SearchOptions {
        limit: FIRST,
        ..SearchOptions::default()
    };
    let mut took: Vec<Duration> = Vec::with_capacity(questions.len());
    let (quick, times) = timed(|| -> Result<Vec<_>, IndexError> {
        let mut quick = Vec::with_capacity(questions.len());
        for question in questions {
            let (passed, answer) = called::timed(|| search(&index, question, &options));
            took.push(passed);
            quick.push(places(answer?.results));
        }
        Ok(quick)
    });
    let quick = quick?;
    let index = index.with_scan(VectorScan::Exact);
    let mut shares = Vec::new();
    for (question, quick) in questions.iter().zip(&quick).take(n_exact) {
        let exact = places(search(&index, question, &options)?.results);
        let n_found = exact.iter().filter(|place| quick.contains(place)).count();
        shares.push(real(n_found) / real(exact.len().max(1)));
    }
    took.sort_unstable();
    let quantile = |share: f64| quantile(&took, share).as_secs_f64() * 1e3;
    Ok(format!(
        "p50 {:.2} ms  p99 {:.2} ms  {:.2} ms of CPU time each  recall {:.4} of {}",
        quantile(0.5),
        quantile(0.99),
        times.processor.as_secs_f64() * 1e3 / real(questions.len().max(1)),
        shares.iter().sum::<f64>() / real(shares.len().max(1)),
        shares.len(),
    ))
}

/// Writes daily logs with `n_passages` passages into a folder; returns the sections to ask about.
pub(crate) fn notes(
    made_up: &mut MadeUp,
    disk: &dyn Disk,
    folder: &Path,
    n_passages: usize,
) -> Result<Vec<MadeUpSection>> {
    disk.create_dir(folder)?;
    let n_sections = n_passages.div_ceil(SECTION_PASSAGES);
    let step = n_sections.div_ceil(ASKED_SECTIONS).max(1);
    let mut asked = Vec::new();
    let mut day = NaiveDate::from_ymd_opt(1990, 1, 1).unwrap_or_default();
    let mut text = String::new();
    for number in 0..n_sections {
        let section = made_up.section();
        // Writing to a String cannot fail.
        write!(text, "\n## {:02}:00 Notes\n\n", number % DAY_SECTIONS).unwrap_or_default();
        for passage in &section.passages {
            writeln!(text, "- {passage}").unwrap_or_default();
        }
        if number % step == 0 {
            asked.push(section);
        }
        if number % DAY_SECTIONS == DAY_SECTIONS - 1 || number + 1 == n_sections {
            let path = folder.join(format!("{}.md", day.format("%Y-%m-%d")));
            disk.append(&path, text.as_bytes())?;
            text.clear();
            day = day.checked_add_days(Days::new(1)).unwrap_or(day);
        }
    }
    Ok(asked)
}

fn places(results: Vec<search::SearchResult>) -> Vec<(String, usize)> {
    let places = results.into_iter();
    places.map(|found| (found.path, found.start_line)).collect()
}

/// The given quantile of sorted durations, rounded to the nearest rank.
pub(crate) fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let at = (real(sorted.len().saturating_sub(1)) * share).round();
    let found = sorted.iter().enumerate().find(|(idx, _)| real(*idx) >= at);
    found.map_or(Duration::ZERO, |(_, took)| *took)
}

fn n_bytes(disk: &dyn Disk, directory: &Path) -> Result<usize, DiskError> {
    let mut sum = 0;
    for name in disk.list(directory)? {
        let path = directory.join(name);
        match disk.stat(&path)? {
            Some(stat) if stat.is_dir => sum += n_bytes(disk, &path)?,
            Some(stat) => sum += usize::try_from(stat.len).unwrap_or(0),
            None => {}
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use clap::error::ErrorKind;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        _arguments: Arguments,
    }

    #[test]
    fn scale_rejects_zero_passages_and_zero_questions() {
        for wrong in [
            ["scale", "--passages", "0"],
            ["scale", "--passages", "1000,0"],
            ["scale", "--questions", "0"],
        ] {
            let error = Line::try_parse_from(wrong).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ValueValidation, "{wrong:?}");
        }
        assert!(Line::try_parse_from(["scale", "--passages", "1"]).is_ok());
    }
}
