//! Progress bars on stderr for long work.
//!
//! Draws only at a terminal, and never with `--quiet` or `--json`.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Output, OutputFormat, Verbosity};
use crate::environment::Stream;

/// A progress bar. Dropping it clears it.
#[derive(Debug)]
pub struct ProgressMeter {
    bar: ProgressBar,
}

const TEMPLATE: &str = "{msg} {wide_bar} {pos}/{len} ({eta})";

const BYTES_TEMPLATE: &str = "{msg} {wide_bar} {binary_bytes}/{binary_total_bytes} ({eta})";

impl ProgressMeter {
    /// Starts a bar from 0 to `total`; hidden unless `output` allows it.
    pub fn start(what: &'static str, total: u64, output: &Output) -> Self {
        let meter = Self::drawn(what, TEMPLATE, output);
        meter.set_total(total);
        meter
    }

    /// Starts a bar that counts bytes, whose total is not known yet.
    pub fn bytes(what: &'static str, output: &Output) -> Self {
        Self::drawn(what, BYTES_TEMPLATE, output)
    }

    fn drawn(what: &'static str, template: &str, output: &Output) -> Self {
        let target = if is_visible(output.format(), output.verbosity(), output.modes.stderr) {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target).with_message(what);
        // The template is a constant, so this does not fail; if it did, the default style would be used.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar }
    }

    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    pub fn set_total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// Hides the bar while `print` runs, then draws it again.
    pub fn pause_for<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for ProgressMeter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn is_visible(format: OutputFormat, verbosity: Verbosity, stderr: Stream) -> bool {
    format == OutputFormat::Human && verbosity != Verbosity::Quiet && stderr.is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_bar_is_visible_only_to_person_at_terminal() {
        let terminal = Stream::Terminal(80);
        for (format, verbosity, stderr, expected) in [
            (OutputFormat::Human, Verbosity::Normal, terminal, true),
            (OutputFormat::Human, Verbosity::Verbose, terminal, true),
            (OutputFormat::Human, Verbosity::Normal, Stream::File, false),
            (OutputFormat::Human, Verbosity::Quiet, terminal, false),
            (OutputFormat::Json, Verbosity::Normal, terminal, false),
        ] {
            assert_eq!(is_visible(format, verbosity, stderr), expected);
        }
    }
}
