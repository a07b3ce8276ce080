//! Writes data to stdout and messages to stderr.
//!
//! No other code writes to either.

use std::io::Write;

use anstream::adapter::strip_str;
use serde::Serialize;
use serde_json::json;

use super::human::{self, printable};
use super::modes::{OutputFormat, OutputModes, Paint, Verbosity};
use super::report::without_empty;
use super::wrap::wrap;
use crate::environment::Stream;
use crate::error::{CliError, ErrorKind};

/// The output streams and their modes.
pub struct Output<'a> {
    stdout: &'a mut (dyn Write + Send),
    stderr: &'a mut (dyn Write + Send),
    pub modes: OutputModes,
}

impl<'a> Output<'a> {
    /// Plain output for people, without colour.
    pub fn new(stdout: &'a mut (dyn Write + Send), stderr: &'a mut (dyn Write + Send)) -> Self {
        Self {
            stdout,
            stderr,
            modes: OutputModes::default(),
        }
    }

    pub fn format(&self) -> OutputFormat {
        self.modes.format
    }

    pub fn paint(&self) -> Paint {
        self.modes.paints.stdout
    }

    pub fn verbosity(&self) -> Verbosity {
        self.modes.verbosity
    }

    /// The text with `--home` added to the commands in it, if the user gave that option. Only for texts of this
    /// program, because commands in the owner's texts must not be changed.
    pub fn at_home(&self, text: &str) -> String {
        self.modes.invocation.complete(text)
    }

    /// The error with `--home` added to the commands in its hints.
    pub fn error_at_home(&self, error: &CliError) -> CliError {
        let hints = error.hints.iter();
        CliError {
            hints: hints.map(|hint| self.at_home(hint)).collect(),
            ..error.clone()
        }
    }

    /// Prints text for people without wrapping.
    pub fn text(&mut self, text: &str) -> Result<(), CliError> {
        write(self.stdout, self.modes.paints.stdout, text)?;
        Ok(())
    }

    /// Prints lines for people, wrapped to the width of `stdout`; continuation lines begin with `indent`.
    pub fn lines(&mut self, text: &str, stdout: Stream, indent: &str) -> Result<(), CliError> {
        self.text(&wrap(text, stdout.text_columns(), indent))
    }

    /// Prints the owner's data unchanged, including escape sequences.
    pub fn raw(&mut self, text: &str) -> Result<(), CliError> {
        self.stdout.write_all(text.as_bytes())?;
        self.stdout.flush()?;
        Ok(())
    }

    /// Prints an object as one line of JSON.
    pub fn object(&mut self, object: &impl Serialize) -> Result<(), CliError> {
        let line = serde_json::to_string(object).map_err(|error| CliError::internal(&error))?;
        write(self.stdout, Paint::Plain, &format!("{line}\n"))?;
        Ok(())
    }

    /// Prints a question on stderr, even in quiet mode, because the program waits for the answer.
    pub fn ask(&mut self, text: &str) {
        self.say(text);
    }

    pub fn warn(&mut self, warning: &str) {
        let columns = self.modes.stderr.columns();
        let warning = human::warning(&self.at_home(warning), columns);
        self.say(&warning);
    }

    /// Prints a message on stderr, except in quiet mode.
    pub fn tell(&mut self, text: &str) {
        if self.modes.verbosity != Verbosity::Quiet {
            let text = self.at_home(text);
            self.say(&text);
        }
    }

    /// Prints a dimmed message in addition to a conversation on stderr, except in quiet mode.
    pub fn tell_aside(&mut self, text: &str) {
        if self.modes.verbosity != Verbosity::Quiet {
            let aside = self.dimmed(text);
            self.say(&aside);
        }
    }

    /// Prints a dimmed message at a terminal if it fits on one line, so that [`take_back_line`](Self::take_back_line)
    /// can erase it. Returns whether it was printed.
    pub fn tell_in_passing(&mut self, text: &str) -> bool {
        let is_erasable = self.modes.stderr.is_terminal()
            && self.modes.paints.stderr == Paint::Coloured
            && text.chars().count() < self.modes.stderr.text_columns();
        if is_erasable {
            self.tell_aside(text);
        }
        is_erasable && self.modes.verbosity != Verbosity::Quiet
    }

    /// Erases the line above the cursor of a terminal.
    pub fn take_back_line(&mut self) {
        const UP_AND_ERASE: &str = "\x1b[1A\r\x1b[2K";
        self.say(UP_AND_ERASE);
    }

    /// The text of a dimmed message, to be printed above a prompt on stdout; `None` in quiet mode.
    pub fn aside(&self, text: &str) -> Option<String> {
        let aside = self.dimmed(text);
        match (self.modes.verbosity, self.modes.paints.stdout) {
            (Verbosity::Quiet, _) => None,
            (_, Paint::Coloured) => Some(aside),
            (_, Paint::Plain) => Some(strip_str(&aside).to_string()),
        }
    }

    /// Prints a reminder on stderr, even in quiet mode, because it is not shown again.
    pub fn remind(&mut self, reminder: &str) {
        let columns = self.modes.stderr.columns();
        self.say(&format!("{}\n", wrap(&printable(reminder), columns, "")));
    }

    /// A reminder as it is printed above a prompt on stdout.
    pub fn reminder(&self, reminder: &str) -> String {
        let columns = self.modes.stderr.columns();
        format!("{}\n", wrap(&printable(reminder), columns, ""))
    }

    fn dimmed(&self, text: &str) -> String {
        human::aside(&self.at_home(text), self.modes.stderr.columns())
    }

    /// Prints a progress detail on stderr in verbose mode.
    pub fn note(&mut self, note: &str) {
        if self.modes.verbosity == Verbosity::Verbose {
            self.say(&human::note(note));
        }
    }

    /// Reports an error: as text on stderr for people, or as an object on stdout for programs.
    pub fn report(&mut self, error: &CliError) {
        if error.kind == ErrorKind::BrokenPipe {
            return;
        }
        let error = &self.error_at_home(error);
        let columns = self.modes.stderr.text_columns();
        match self.modes.format {
            OutputFormat::Human => self.say(&human::error(error, columns)),
            OutputFormat::Json => {
                let (kind, message) = (error.kind, error.one_line());
                let hints = &error.hints;
                let whiles = &error.whiles;
                let failure = json!({
                    "kind": kind, "message": message, "while": whiles, "hints": hints,
                });
                let object = json!({ "error": without_empty(failure, ["while"]) });
                if let Err(unprinted) = self.object(&object) {
                    // The exit code is still that of the first failure.
                    self.say(&human::error(&unprinted, columns));
                }
            }
        }
    }

    /// Prints a usage error of clap on stderr.
    pub fn usage(&mut self, text: &str) {
        self.say(&wrap(text, self.modes.stderr.text_columns(), "  "));
    }

    fn say(&mut self, text: &str) {
        // If stderr fails, the failure cannot be reported anywhere.
        write(self.stderr, self.modes.paints.stderr, text).unwrap_or_default();
    }
}

fn write(stream: &mut dyn Write, paint: Paint, text: &str) -> std::io::Result<()> {
    match paint {
        Paint::Coloured => stream.write_all(text.as_bytes())?,
        Paint::Plain => write!(stream, "{}", strip_str(text))?,
    }
    stream.flush()
}
