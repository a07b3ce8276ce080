//! Runs a program once, and measures how long it takes.
//!
//! Does not interpret its output.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use base::{Clock, SystemClock};

use crate::Result;

/// A program, and the home on which to run it.
#[derive(Debug)]
pub(crate) struct CalledProgram {
    pub(crate) path: PathBuf,
    /// The variable that names its home, and its value.
    pub(crate) home: (&'static str, PathBuf),
}

impl CalledProgram {
    pub(crate) fn ours(path: &Path, home: &Path) -> Self {
        Self {
            path: path.to_owned(),
            home: ("OPENCLAW_HOME", home.to_owned()),
        }
    }

    /// Runs the program; returns its stdout and how long it took.
    pub(crate) fn run(&self, arguments: &[&str], input: &str) -> Result<(Vec<u8>, Duration)> {
        let (name, home) = &self.home;
        let (took, ended) = timed(|| -> Result<Output> {
            let mut child = Command::new(&self.path)
                .args(arguments)
                .env(name, home)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .map_err(|error| format!("{} cannot be started: {error}", self.path.display()))?;
            if let Some(mut stdin) = child.stdin.take() {
                stdin.write_all(input.as_bytes())?;
            }
            Ok(child.wait_with_output()?)
        });
        let ended = ended?;
        if ended.status.success() {
            return Ok((ended.stdout, took));
        }
        let (path, arguments) = (self.path.display(), arguments.join(" "));
        let (status, said) = (ended.status, said(&ended));
        Err(format!("`{path} {arguments}` failed with {status}: {said}").into())
    }
}

/// Measures how long `act` takes; also returns its result.
pub(crate) fn timed<T>(act: impl FnOnce() -> T) -> (Duration, T) {
    let clock = SystemClock::new();
    let began_at = clock.monotonic();
    let done = act();
    (clock.monotonic().saturating_sub(began_at), done)
}

/// The program's stderr or, if that is empty, its stdout.
fn said(ended: &Output) -> String {
    let streams = [&ended.stderr, &ended.stdout];
    let texts = streams.map(|stream| String::from_utf8_lossy(stream).trim().to_owned());
    let said = texts.into_iter().find(|text| !text.is_empty());
    said.unwrap_or_else(|| "no output".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_program_is_reported_with_command_and_status() {
        let program = CalledProgram::ours(Path::new("sh"), Path::new("/"));
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
            let error = program.run(&["-c", script], "").unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
