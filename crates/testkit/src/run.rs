//! What one run of the program did, as a value.
//!
//! Judges nothing by itself: a test compares the whole.

use std::fmt::Write;
use std::process::Output;

use crate::TestHome;
use crate::normalise::normalise;

/// What one run of the program did.
#[must_use = "a run that nobody looks at proves nothing"]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    arguments: Vec<String>,
    folder: String,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
    /// Its exit code; `None` where a signal ended it.
    pub code: Option<i32>,
}

impl Run {
    /// A run that a test started itself.
    pub fn of(home: &TestHome, arguments: &[&str], output: &Output) -> Self {
        Self::new(home, arguments, output)
    }

    pub(crate) fn new(home: &TestHome, arguments: &[&str], output: &Output) -> Self {
        Self {
            arguments: arguments.iter().copied().map(str::to_owned).collect(),
            folder: home.folder().display().to_string(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
        }
    }

    /// All of it as a text for snapshots: what was typed, what was printed, how it ended.
    ///
    /// What differs from run to run (paths, ids, hashes, times near the present) is replaced.
    pub fn transcript(&self) -> String {
        let mut text = String::from("$ openclaw");
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

    /// The same run, once it is known to have ended with `code`.
    ///
    /// # Panics
    ///
    /// Where it ended otherwise; shows all of it.
    #[track_caller]
    pub fn with_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.transcript());
        self
    }

    /// Standard output as JSON Lines.
    ///
    /// # Panics
    ///
    /// Where a line is no JSON.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        let parse = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
        };
        self.stdout.lines().map(parse).collect()
    }
}
