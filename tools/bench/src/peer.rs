//! Compares two programs on the same questions about the same notes, in turn, with one process per question.
//!
//! The peer is the TypeScript OpenClaw, or any program that has `memory index --force` and `memory search --json` and
//! reads notes in `.openclaw/workspace/memory` below its home directory. Both start with an empty home in a temporary
//! directory. The peer gets no setting except a minimum score of 0, because the comparison is between the programs
//! without an API key and without a network.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::disk::OsDisk;
use base::{Clock, Disk, SystemClock};
use chrono::{Days, NaiveDate};
use serde::Deserialize;

use crate::Result;
use crate::called::CalledProgram;
use crate::scale::{MadeUp, MadeUpSection};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Our program
    #[arg(long, value_name = "FILE", default_value = "target/release/openclaw")]
    program: PathBuf,
    /// The other program
    #[arg(long, value_name = "FILE")]
    peer: PathBuf,
    /// How many notes, of 20 lines each
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = crate::scale::at_least_one())]
    notes: usize,
    /// How many questions, each about one line of one note
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = crate::scale::at_least_one())]
    questions: usize,
}

/// One of the programs, with its home.
#[derive(Debug)]
struct PeerSide {
    program: CalledProgram,
    /// The folder of its daily logs.
    logs: PathBuf,
    index: &'static [&'static str],
    search: &'static [&'static str],
}

#[derive(Debug, Default)]
struct Measured {
    indexed: Duration,
    searches: Vec<Duration>,
    /// The number of questions whose first result is from the right note.
    n_first_right: usize,
}

/// The part of an answer that is the same in both programs.
#[derive(Debug, Deserialize)]
struct PeerAnswer {
    results: Vec<ResultPlace>,
}

#[derive(Debug, Deserialize)]
struct ResultPlace {
    path: String,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let ours = PeerSide::ours(&arguments.program, &directory.path().join("ours"));
    let theirs = PeerSide::theirs(&arguments.peer, &directory.path().join("theirs"));
    let asked = write_notes(arguments, [&ours.logs, &theirs.logs])?;

    let mut measured = [Measured::default(), Measured::default()];
    for (side, measured) in [&ours, &theirs].into_iter().zip(&mut measured) {
        (_, measured.indexed) = side.program.run(side.index, "")?;
    }
    for (question, log) in &asked {
        for (side, measured) in [&ours, &theirs].into_iter().zip(&mut measured) {
            let search = [side.search, &[question]].concat();
            let (said, took) = side.program.run(&search, "")?;
            measured.searches.push(took);
            measured.n_first_right += usize::from(side.is_first(&said, log)?);
        }
    }
    write_table(&ours, &theirs, &mut measured, out)
}

impl PeerSide {
    fn ours(program: &Path, home: &Path) -> Self {
        Self {
            program: CalledProgram::ours(program, home),
            logs: home.join("workspace/memory"),
            index: &["memory", "index"],
            search: &["memory", "search", "--json"],
        }
    }

    fn theirs(program: &Path, home: &Path) -> Self {
        Self {
            program: CalledProgram {
                path: program.to_owned(),
                home: ("HOME", home.to_owned()),
            },
            logs: home.join(".openclaw/workspace/memory"),
            index: &["memory", "index", "--force"],
            // The peer's default minimum score would hide most results, because scores are low without vectors.
            search: &["memory", "search", "--json", "--min-score", "0"],
        }
    }

    fn is_first(&self, said: &[u8], log: &OsStr) -> Result<bool> {
        let answer: PeerAnswer = serde_json::from_slice(said).map_err(|error| {
            let path = self.program.path.display();
            format!("{path} returned an invalid result: {error}")
        })?;
        let first = answer.results.first();
        Ok(first.is_some_and(|place| Path::new(&place.path).file_name() == Some(log)))
    }
}

/// Writes the same notes into each directory, one per day up to yesterday.
///
/// Returns the questions, each with the file name of its note.
fn write_notes(arguments: &Arguments, directories: [&Path; 2]) -> Result<Vec<(String, OsString)>> {
    let mut made_up = MadeUp::new()?;
    let n_days = u64::try_from(arguments.notes).unwrap_or(u64::MAX);
    let first = SystemClock::new()
        .now()
        .date_naive()
        .checked_sub_days(Days::new(n_days))
        .unwrap_or_default();
    let mut sections: Vec<(MadeUpSection, OsString)> = Vec::new();
    for directory in directories {
        OsDisk.create_dir(directory)?;
    }
    for day in first.iter_days().take(arguments.notes) {
        let section = made_up.section();
        let name = format!("{}.md", day.format("%Y-%m-%d"));
        let text = note(day, &section);
        for directory in directories {
            OsDisk.append(&directory.join(&name), text.as_bytes())?;
        }
        sections.push((section, name.into()));
    }
    let asked = sections.iter().cycle().take(arguments.questions);
    Ok(asked
        .map(|(section, name)| (made_up.question(section), name.clone()))
        .collect())
}

fn note(day: NaiveDate, section: &MadeUpSection) -> String {
    let lines = section.passages.iter().map(|line| format!("- {line}\n"));
    format!("# {day}\n\n{}", lines.collect::<String>())
}

fn write_table(
    ours: &PeerSide,
    theirs: &PeerSide,
    measured: &mut [Measured; 2],
    out: &mut dyn Write,
) -> Result<()> {
    let mut medians = Vec::new();
    for (side, measured) in [ours, theirs].into_iter().zip(measured) {
        measured.searches.sort_unstable();
        let at = |share: f64| crate::scale::quantile(&measured.searches, share).as_secs_f64();
        medians.push(at(0.5));
        writeln!(
            out,
            "{}: indexed in {:.3} s; a search in {:.1} ms (fastest {:.1}, slowest {:.1}); first result right {} of {}",
            side.program.path.display(),
            measured.indexed.as_secs_f64(),
            at(0.5) * 1e3,
            at(0.0) * 1e3,
            at(1.0) * 1e3,
            measured.n_first_right,
            measured.searches.len(),
        )?;
    }
    if let [ours, theirs] = medians.as_slice() {
        writeln!(out, "ratio of the medians {:.0}", theirs / ours)?;
    }
    Ok(())
}
