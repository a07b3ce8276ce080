//! Builds memories of several sizes and searches them.
//!
//! Works in a directory that vanishes.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base::disk::{DiskError, MemoryDisk, OsDisk};
use base::{Clock, Disk, Embedder, SystemClock, Timestamp};
use chrono::{Days, NaiveDate};
use memory::index::Scan;
use memory::sync::{Corpus, sync};
use memory::{Index, IndexError, SearchOptions, Workspace, search};
use models::BundledEmbedder;

use super::made_up::{MadeUp, SECTION_PASSAGES, Section};

/// Arguments of `bench scale`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many passages, one size after the other
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [10_000, 100_000, 1_000_000])]
    passages: Vec<usize>,
    /// How many questions of each size
    #[arg(long, value_name = "N", default_value_t = 200)]
    questions: usize,
    /// How many of them are asked once more with every vector compared exactly
    #[arg(long, value_name = "N", default_value_t = 40)]
    exact: usize,
}

/// A measurement failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScaleError {
    /// The index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A file or stream failed.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The words to make texts of are missing.
    #[error("the embedder knows no words")]
    NoWords,
}

/// Sections of one day.
const DAY_SECTIONS: usize = 10;

/// Questions are about this many of the sections, spread over all.
const ASKED_SECTIONS: usize = 200;

/// How many results are compared.
const FIRST: usize = 10;

/// Runs `bench scale`.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), ScaleError> {
    for n_passages in &arguments.passages {
        let line = measure(*n_passages, arguments)?;
        writeln!(out, "{line}")?;
        out.flush()?;
    }
    Ok(())
}

fn measure(n_passages: usize, arguments: &Arguments) -> Result<String, ScaleError> {
    let embedder = Arc::new(BundledEmbedder::new().ok_or(ScaleError::NoWords)?);
    let words = embedder.words().ok_or(ScaleError::NoWords)?;
    let mut made_up = MadeUp::new(words).ok_or(ScaleError::NoWords)?;
    let (disk, asked) = notes(&mut made_up, n_passages)?;
    let questions: Vec<String> = asked
        .iter()
        .cycle()
        .take(arguments.questions)
        .map(|section| made_up.question(section))
        .collect();
    let directory = tempfile::tempdir()?;
    let clock = SystemClock::new();
    let workspace = Workspace::new(disk, "/w".into(), "/locks".into(), "/quarantine".into());
    let corpus = Corpus {
        workspace: &workspace,
        sessions: None,
    };
    let path = directory.path().join("index");
    let index = Index::open(Arc::new(OsDisk), &path)?.with_embedder(Some(embedder));
    let began_at = clock.monotonic();
    sync(&index, &corpus, Timestamp::MAX_UTC, &mut |_| ())?;
    let built = clock.monotonic().saturating_sub(began_at);

    let options = SearchOptions {
        limit: FIRST,
        ..SearchOptions::default()
    };
    let mut took: Vec<Duration> = Vec::with_capacity(questions.len());
    let mut quick = Vec::with_capacity(questions.len());
    for question in &questions {
        let began_at = clock.monotonic();
        let answer = search(&index, question, &options)?;
        took.push(clock.monotonic().saturating_sub(began_at));
        quick.push(places(answer.results));
    }
    let index = index.with_scan(Scan::Exact);
    let mut shares = Vec::new();
    for (question, quick) in questions.iter().zip(&quick).take(arguments.exact) {
        let exact = places(search(&index, question, &options)?.results);
        let n_found = exact.iter().filter(|place| quick.contains(place)).count();
        shares.push(real(n_found) / real(exact.len().max(1)));
    }
    took.sort_unstable();
    let quantile = |share: f64| quantile(&took, share).as_secs_f64() * 1e3;
    let mut line = String::new();
    // Writing to a String cannot fail.
    write!(
        line,
        "{n_passages:>9} passages  built in {:.1} s, {:.0} a second  {:.1} MB  p50 {:.2} ms  p99 {:.2} ms  recall {:.4} of {}",
        built.as_secs_f64(),
        real(n_passages) / built.as_secs_f64(),
        real(n_bytes(&OsDisk, &path)?) / 1e6,
        quantile(0.5),
        quantile(0.99),
        shares.iter().sum::<f64>() / real(shares.len().max(1)),
        shares.len(),
    )
    .unwrap_or_default();
    Ok(line)
}

/// Notes of so many passages, and the sections that are asked about.
fn notes(
    made_up: &mut MadeUp,
    n_passages: usize,
) -> Result<(Arc<dyn Disk>, Vec<Section>), ScaleError> {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/w/memory"))?;
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
            let path = format!("/w/memory/{}.md", day.format("%Y-%m-%d"));
            disk.append(Path::new(&path), text.as_bytes())?;
            text.clear();
            day = day.checked_add_days(Days::new(1)).unwrap_or(day);
        }
    }
    Ok((Arc::new(disk), asked))
}

fn places(results: Vec<memory::SearchResult>) -> Vec<(String, usize)> {
    let places = results.into_iter();
    places.map(|found| (found.path, found.start_line)).collect()
}

/// The value below which such a share of sorted durations lies.
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

/// Counts here are far below the point where this loses anything.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
fn real(count: usize) -> f64 {
    count as f64
}
