//! Runs the program once: parses the arguments, executes the command, reports the result.
//!
//! Does all I/O through `Host` and `Output`, so that tests can run the whole program.

use std::ffi::OsString;

use cli::arguments::{ParsedCommandLine, parse};
use cli::config::check_assignments;
use cli::host::Host;
use cli::start::{explain_usage, modes, set_up_before_parsing};
use cli::{completions, man};

use crate::command_line::{Cli, Command, tree};
use crate::commands::{exchange, list, rekey, serve, verify};
use crate::prelude::*;

/// Runs `openclaw-fleet`.
pub fn run(arguments: &[OsString], host: &Host, output: &mut Output) -> Exit {
    set_up_before_parsing(arguments, &host.environment, output);
    let result = match parse(arguments) {
        Ok(parsed) => act(parsed, host, output),
        Err(unparsed) => explain_usage(&unparsed, output),
    };
    match result {
        Ok(exit) => exit,
        Err(error) => {
            output.report(&error);
            error.kind.into()
        }
    }
}

fn act(parsed: ParsedCommandLine<Cli>, host: &Host, output: &mut Output) -> Result<Exit> {
    let Cli { command, global } = parsed.arguments;
    output.modes = modes(&global, &host.environment);
    check_assignments(&parsed.assignments)?;
    let context = &mut Context {
        host,
        home_option: global.home,
        assignments: parsed.assignments,
        output,
        known: None,
        known_timezone: None,
    };
    match command {
        Command::Push(arguments) => exchange::push(&arguments, context),
        Command::Pull(arguments) => exchange::pull(&arguments, context),
        Command::List(arguments) => list::run(&arguments, context),
        Command::Verify(arguments) => verify::run(&arguments, context),
        Command::Rekey(arguments) => rekey::run(&arguments, context),
        Command::Serve(arguments) => serve::run(&arguments, context),
        Command::Completions(arguments) => completions::run(&arguments, tree(), context),
        Command::Man(arguments) => man::run(&arguments, tree(), context),
    }
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
