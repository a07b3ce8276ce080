//! How long each end-to-end test takes, so that everybody knows what a test costs.
//!
//! Measures from the first home of a test to the end of the test; never asserts a time.

use std::fs::OpenOptions;
use std::io::Write;
use std::thread;
use std::time::Instant;

/// The variable that names the file to which each test appends a line: its name, a tab, and milliseconds.
const FILE_VARIABLE: &str = "OPENCLAW_TEST_DURATIONS";

/// Appends how long its thread's test took when it is dropped.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "measures the test itself")]
    pub(crate) fn start() -> Self {
        let started = Instant::now();
        Self { started }
    }
}

impl Drop for Stopwatch {
    fn drop(&mut self) {
        let Some(file) = std::env::var_os(FILE_VARIABLE) else {
            return;
        };
        let thread = thread::current();
        let test = thread.name().unwrap_or("unnamed");
        let line = format!("{test}\t{}\n", self.started.elapsed().as_millis());
        let file = OpenOptions::new().create(true).append(true).open(file);
        // A failed measurement never fails a test.
        let _result = file.and_then(|mut it| it.write_all(line.as_bytes()));
    }
}
