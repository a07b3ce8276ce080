//! The result of one run of the program.
//!
//! Asserts nothing by itself: tests compare the whole result.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use crate::TestHome;
use crate::normalise::normalise;

/// The result of one run of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramRun {
    program: String,
    arguments: Vec<String>,
    folder: String,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Its exit code; `None` if a signal killed it.
    pub code: Option<i32>,
}

impl ProgramRun {
    /// The result of a command that [`TestHome::command`] made.
    pub fn of(home: &TestHome, command: &Command, output: &Output) -> Self {
        let arguments = command.get_args();
        let program = Path::new(command.get_program()).file_name();
        Self {
            program: program.unwrap_or_default().to_string_lossy().into_owned(),
            arguments: arguments
                .map(|it| it.to_string_lossy().into_owned())
                .collect(),
            folder: home.folder().display().to_string(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
        }
    }

    /// The whole run as text for snapshots: command line, exit code and output.
    ///
    /// Values that differ between runs are replaced: paths, ids, hashes, durations and current times.
    pub fn transcript(&self) -> String {
        let mut text = format!("$ {}", self.program);
        for argument in &self.arguments {
            let is_plain = !argument.is_empty() && !argument.contains([' ', '"', '\'']);
            let shown = if is_plain {
                argument.clone()
            } else {
                format!("{argument:?}")
            };
            write!(text, " {shown}").unwrap();
        }
        let code = self
            .code
            .map_or("killed".to_owned(), |code| code.to_string());
        writeln!(text, "\nexit: {code}").unwrap();
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                writeln!(text, "[{name}]\n{}", stream.trim_end_matches('\n')).unwrap();
            }
        }
        normalise(&text, &self.folder)
    }

    /// Asserts the exit code; returns the run.
    #[track_caller]
    #[expect(
        clippy::return_self_not_must_use,
        reason = "the exit code may be all that matters"
    )]
    pub fn with_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.transcript());
        self
    }

    /// Parses standard output as JSON Lines.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        let parse = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
        };
        self.stdout.lines().map(parse).collect()
    }

    /// Parses the last line of standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        self.json_lines().pop().unwrap()
    }

    /// Standard error as one line, so that tests do not depend on wrapping.
    pub fn told(&self) -> String {
        crate::one_line(&self.stderr)
    }
}
