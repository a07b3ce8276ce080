//! The start of a program: its host, its output modes, and its response to an invalid command line.
//!
//! Independent of the commands.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use base::disk::OsDisk;
use base::{Invocation, SystemClock};
use clap::ColorChoice;
use session::StateCache;
use signal_hook::consts::SIGXFSZ;

use crate::arguments::{GlobalArguments, Unparsed};
use crate::environment::Environment;
use crate::host::Host;
use crate::output::{OutputModes, Paint, Paints, Verbosity};
use crate::panic;
use crate::prelude::*;

/// Runs a program on this machine with the process's arguments; returns its exit code.
pub fn run_here(run: impl FnOnce(&[OsString], &Host, &mut Output) -> Exit) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let host = Host {
        environment: Environment::read(),
        disk: Arc::new(OsDisk),
        clock: Arc::new(SystemClock::new()),
        states: StateCache::default(),
    };
    let (mut stdout, mut stderr) = (std::io::stdout(), std::io::stderr());
    let mut output = Output::new(&mut stdout, &mut stderr);
    // SIGXFSZ is caught, so that a write beyond the file size limit fails like one on a full disk instead of killing
    // the process.
    if let Err(error) = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))) {
        output.warn(&format!(
            "cannot handle SIGXFSZ, so a file size limit would kill the program: {error}"
        ));
    }
    panic::guard(&mut output, |output| run(&arguments, &host, output)).into()
}

pub fn modes(global: &GlobalArguments, environment: &Environment) -> OutputModes {
    OutputModes {
        format: if global.json {
            OutputFormat::Json
        } else {
            OutputFormat::Human
        },
        verbosity: match (global.quiet, global.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            (_, _) => Verbosity::Normal,
        },
        paints: paints(global.color, environment),
        stderr: environment.stderr,
        invocation: global.home.as_ref().map(Invocation::at).unwrap_or_default(),
    }
}

/// Finds `--json`, `--color` and `--home` before parsing, so that they also apply to a usage error.
pub fn set_up_before_parsing(
    arguments: &[OsString],
    environment: &Environment,
    output: &mut Output,
) {
    output.modes.stderr = environment.stderr;
    let options = || arguments.iter().take_while(|argument| *argument != "--");
    if options().any(|argument| argument == "--json") {
        output.modes.format = OutputFormat::Json;
    }
    let asks = |when: &str| {
        let joined = OsString::from(format!("--color={when}"));
        let mut pairs = options().zip(options().skip(1));
        pairs.any(|(option, value)| *value == joined || option == "--color" && value == when)
    };
    let color = if asks("never") {
        ColorChoice::Never
    } else if asks("always") {
        ColorChoice::Always
    } else {
        ColorChoice::Auto
    };
    output.modes.paints = paints(color, environment);
    let mut homes = options().zip(options().skip(1));
    let named = homes.find(|(option, _)| *option == "--home");
    let named = named.map(|(_, home)| home.clone()).or_else(|| {
        let mut joined = options().filter_map(|it| it.to_str()?.strip_prefix("--home="));
        joined.next().map(OsString::from)
    });
    output.modes.invocation = named.map(Invocation::at).unwrap_or_default();
}

fn paints(color: ColorChoice, environment: &Environment) -> Paints {
    let paint = |stream| match (color, stream, environment.is_plain) {
        (ColorChoice::Always, _, _) | (ColorChoice::Auto, Stream::Terminal(_), false) => {
            Paint::Coloured
        }
        (ColorChoice::Never | ColorChoice::Auto, _, _) => Paint::Plain,
    };
    Paints {
        stdout: paint(environment.stdout()),
        stderr: paint(environment.stderr),
    }
}

/// Prints help that was asked for to stdout, and the help of a command typed without arguments to stderr. Anything
/// else is a usage error.
pub fn explain_usage(unparsed: &Unparsed, output: &mut Output) -> Result<Exit> {
    let mut text = unparsed.error.render().ansi().to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if !unparsed.error.use_stderr() {
        output.text(&text)?;
        return Ok(Exit::Done);
    }
    if unparsed.is_shown_as_help() && output.format() == OutputFormat::Human {
        output.usage(&text);
        return Ok(Exit::Usage);
    }
    Err(unparsed.to_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_follows_option_then_environment_then_stream() {
        use ColorChoice::{Always, Auto, Never};
        use Paint::{Coloured, Plain};
        let paint = |color, stream, is_plain| {
            let environment = Environment {
                stderr: stream,
                is_plain,
                ..Environment::default()
            };
            paints(color, &environment).stderr
        };
        let terminal = Stream::Terminal(80);
        for (color, stream, is_plain, expected) in [
            (Auto, terminal, false, Coloured),
            (Auto, terminal, true, Plain),
            (Auto, Stream::File, false, Plain),
            (Always, Stream::File, true, Coloured),
            (Never, terminal, false, Plain),
        ] {
            assert_eq!(paint(color, stream, is_plain), expected, "{color:?}");
        }
    }
}
