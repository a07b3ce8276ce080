//! Compares two programs on the same questions about the same notes, in turn, with one process per question.
//!
//! The peer is the TypeScript OpenClaw, or any program that has `memory index --force` and `memory search --json` and
//! reads notes in `.openclaw/workspace/memory` below its home directory.
//! Both start with an empty home in a temporary directory. The peer gets no setting except a minimum score of 0: the
//! comparison is of what it does without a key and a network.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use base::disk::OsDisk;
use base::{Clock, Disk, SystemClock};
use chrono::{Days, NaiveDate};
use serde::Deserialize;

use crate::Result;
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
    program: PathBuf,
    /// The variable that names its home, and its value.
    home: (&'static str, PathBuf),
    /// The folder of its daily logs.
    logs: PathBuf,
    index: &'static [&'static str],
    search: &'static [&'static str],
}

#[derive(Debug, Default)]
struct Measured {
    indexed: Duration,
    searches: Vec<Duration>,
    /// How many questions have a first result from the right note.
    n_first_right: usize,
}

/// The part of an answer that both programs share.
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

    let clock = SystemClock::new();
    let mut measured = [Measured::default(), Measured::default()];
    for (side, measured) in [&ours, &theirs].into_iter().zip(&mut measured) {
        let began_at = clock.monotonic();
        side.run(side.index)?;
        measured.indexed = clock.monotonic().saturating_sub(began_at);
    }
    for (question, log) in &asked {
        for (side, measured) in [&ours, &theirs].into_iter().zip(&mut measured) {
            let began_at = clock.monotonic();
            let said = side.run(&[side.search, &[question]].concat())?;
            let took = clock.monotonic().saturating_sub(began_at);
            measured.searches.push(took);
            measured.n_first_right += usize::from(side.is_first(&said, log)?);
        }
    }
    write_table(&ours, &theirs, &mut measured, out)
}

impl PeerSide {
    fn ours(program: &Path, home: &Path) -> Self {
        Self {
            program: program.to_owned(),
            logs: home.join("workspace/memory"),
            home: ("OPENCLAW_HOME", home.to_owned()),
            index: &["memory", "index"],
            search: &["memory", "search", "--json"],
        }
    }

    fn theirs(program: &Path, home: &Path) -> Self {
        Self {
            program: program.to_owned(),
            logs: home.join(".openclaw/workspace/memory"),
            home: ("HOME", home.to_owned()),
            index: &["memory", "index", "--force"],
            // Its default minimum score would hide most results, because without vectors scores are low.
            search: &["memory", "search", "--json", "--min-score", "0"],
        }
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>> {
        let (name, home) = &self.home;
        let ended = Command::new(&self.program)
            .args(arguments)
            .env(name, home)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{} cannot be started: {error}", self.program.display()))?;
        if ended.status.success() {
            return Ok(ended.stdout);
        }
        let (path, arguments) = (self.program.display(), arguments.join(" "));
        let (status, said) = (ended.status, said(&ended));
        Err(format!("`{path} {arguments}` failed with {status}: {said}").into())
    }

    fn is_first(&self, said: &[u8], log: &OsStr) -> Result<bool> {
        let answer: PeerAnswer = serde_json::from_slice(said).map_err(|error| {
            let path = self.program.display();
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

/// The program's stderr, else its stdout.
fn said(ended: &Output) -> String {
    let streams = [&ended.stderr, &ended.stdout];
    let texts = streams.map(|stream| String::from_utf8_lossy(stream).trim().to_owned());
    let said = texts.into_iter().find(|text| !text.is_empty());
    said.unwrap_or_else(|| "no output".to_owned())
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
            side.program.display(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_is_told_with_its_command_and_its_status() {
        let side = PeerSide {
            program: "sh".into(),
            ..PeerSide::theirs(Path::new("sh"), Path::new("/"))
        };
        for (script, expected) in [
            (
                "exit 3",
                "`sh -c exit 3` failed with exit status: 3: no output",
            ),
            (
                "echo no index; exit 4",
                "`sh -c echo no index; exit 4` failed with exit status: 4: no index",
            ),
            (
                "echo out; echo bad flag >&2; exit 1",
                "`sh -c echo out; echo bad flag >&2; exit 1` failed with exit status: 1: bad flag",
            ),
        ] {
            let error = side.run(&["-c", script]).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
