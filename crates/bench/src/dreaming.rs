//! Dreams through a year of made-up notes on a disk in memory, and tells what comes of it and how long it takes.
//!
//! Asks no model but the offline engine.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use agent::{Backfill, Begin, DreamError, DreamOutcome, DreamRequest, Models, Runtime, dream};
use base::disk::MemoryDisk;
use base::{Clock, Day, FixedClock, Origin, SystemClock, TokenCount, Tz};
use dreaming::{Promotion, Settings};
use memory::candidates::{Desk, DeskError, Review};
use memory::curated::memory_lines;
use memory::{LogError, Note, add_note};
use models::OfflineEngine;

use crate::home::runtime;

/// Arguments of `bench dreaming`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many days
    #[arg(long, value_name = "N", default_value_t = 365)]
    days: u32,
    /// How many notes a day
    #[arg(long, value_name = "N", default_value_t = 20)]
    notes: u32,
}

/// The dreams could not be measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DreamingError {
    /// A note could not be written.
    #[error(transparent)]
    Note(#[from] LogError),
    /// A dream failed.
    #[error(transparent)]
    Dream(#[from] DreamError),
    /// Memory could not be read.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// There is no such day.
    #[error("the days do not fit into the calendar")]
    Calendar,
    /// The runtime or the output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What a year came to.
#[derive(Debug, Default)]
struct Year {
    n_nights: u64,
    n_read: usize,
    n_promoted: usize,
    n_staged: usize,
    n_archived: usize,
    refused: BTreeMap<&'static str, usize>,
    took: Vec<Duration>,
    chars_most: usize,
}

/// Runs `bench dreaming`.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), DreamingError> {
    let executor = tokio::runtime::Builder::new_current_thread().build()?;
    let clock = Arc::new(FixedClock::new(base::Timestamp::default()));
    let offline = Arc::new(OfflineEngine::new(Tz::UTC));
    let models = Models::new(Arc::clone(&offline) as _, offline);
    let runtime = runtime(
        &MemoryDisk::new(),
        Arc::clone(&clock) as Arc<dyn Clock>,
        models,
        compaction::Settings::default(),
    );
    let mut year = Year::default();
    let first: Day = "2026-01-01".parse().map_err(|_| DreamingError::Calendar)?;
    let mut today = first;
    for number in 0..arguments.days {
        clock.set(today.noon(Tz::UTC));
        for note in 0..arguments.notes {
            let note = Note {
                text: made_up(number, note),
                evidence: Vec::new(),
                origin: Origin::Owner,
            };
            add_note(&runtime.workspace, &note, runtime.clock.now(), Tz::UTC)?;
        }
        executor.block_on(night(&runtime, &mut year))?;
        let next = today.date().succ_opt().ok_or(DreamingError::Calendar)?;
        today = Day::from(next);
    }
    tell(&mut year, &memory_of(&runtime)?, out)?;
    Ok(())
}

async fn night(runtime: &Runtime, year: &mut Year) -> Result<(), DreamingError> {
    let settings = Settings {
        triggers: Vec::new(),
        lookback_days: 7,
        promotion: Promotion::Gated,
        daily_tokens: TokenCount::ZERO,
    };
    let request = DreamRequest {
        begin: Begin::Now,
        backfill: Backfill::Logs,
    };
    let clock = SystemClock::new();
    let began = clock.monotonic();
    let outcome = dream(runtime, &settings, request, &mut |_| {}).await?;
    year.took.push(clock.monotonic().saturating_sub(began));
    year.n_nights += 1;
    if let DreamOutcome::Dreamt { report, .. } = outcome {
        year.n_read += report.n_read;
        year.n_promoted += report.promoted.len();
        year.n_staged += report.staged.len();
        year.n_archived += report.n_archived;
        for (refusal, _text) in report.refused {
            *year.refused.entry(refusal.as_str()).or_default() += 1;
        }
    }
    let shown = memory::daily_log::without_comments(&memory_of(runtime)?);
    year.chars_most = year.chars_most.max(shown.chars().count());
    Ok(())
}

fn memory_of(runtime: &Runtime) -> Result<String, DeskError> {
    let desk = Desk::open(&runtime.workspace, runtime.clock.now(), Review::LeaveAsIs)?;
    Ok(desk.memory().to_owned())
}

/// What somebody may note: mostly what happened, sometimes a rule or a preference, some of them again.
fn made_up(day: u32, note: u32) -> String {
    const THINGS: [&str; 12] = [
        "invoices", "recipes", "letters", "meetings", "tests", "drawings", "trips", "lessons",
        "reports", "photos", "repairs", "songs",
    ];
    const WAYS: [&str; 9] = [
        "in the morning",
        "without colours",
        "in one page",
        "with a table first",
        "in metric units",
        "with dates in full",
        "before noon",
        "with the sums below",
        "in short sentences",
    ];
    let lot = day.wrapping_mul(31).wrapping_add(note.wrapping_mul(17));
    let pick = |list: &[&'static str], salt: u32| {
        let index = usize::try_from(lot.wrapping_mul(salt) / 7).unwrap_or(0) % list.len().max(1);
        list.get(index).copied().unwrap_or_default()
    };
    let (thing, way) = (pick(&THINGS, 13), pick(&WAYS, 29));
    match lot % 16 {
        0 => format!("Always show {thing} {way}."),
        1 => format!("I prefer {thing} {way}."),
        2 => format!("We decided to keep {thing} {way} because it saves time."),
        3 => format!("How are the {thing} today?"),
        _ => format!("The {thing} of day {day} took {note} minutes."),
    }
}

fn tell(year: &mut Year, memory: &str, out: &mut dyn Write) -> io::Result<()> {
    year.took.sort();
    let at = |percent: usize| {
        let index = year.took.len().saturating_sub(1) * percent / 100;
        year.took
            .get(index)
            .copied()
            .unwrap_or_default()
            .as_secs_f64()
            * 1_000.0
    };
    let lines = memory_lines(memory);
    let mut texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    texts.sort_unstable();
    let n_all = texts.len();
    texts.dedup();
    writeln!(out, "nights                {}", year.n_nights)?;
    writeln!(out, "notes read            {}", year.n_read)?;
    writeln!(out, "promoted              {}", year.n_promoted)?;
    writeln!(out, "staged                {}", year.n_staged)?;
    writeln!(out, "archived              {}", year.n_archived)?;
    for (reason, count) in &year.refused {
        writeln!(out, "refused {reason:<13} {count}")?;
    }
    writeln!(
        out,
        "lines at the end      {n_all}, repeated {}",
        n_all - texts.len()
    )?;
    writeln!(out, "characters at most    {}", year.chars_most)?;
    writeln!(out, "ms a night, p50 p99   {:.1} {:.1}", at(50), at(99))
}
