//! One run of the program: parse, act, report.
//!
//! Does all I/O through `Host` and `Output`, so that tests can run the whole program.

use std::ffi::OsString;

use cli::arguments::{ParsedCommandLine, parse};
use cli::config::check_assignments;
use cli::host::Host;
use cli::start::{explain_usage, modes, set_up_before_parsing};
use cli::{completions, man};

use crate::command_line::{Cli, Command, tree};
use crate::commands::{
    about, agenda, backup, chat, config as config_commands, connect, demo, doctor, dream, hook,
    init, mcp, memory, replay, restore, serve, service, session, why,
};
use crate::moved::moved;
use crate::next_step::next_step;
use crate::prelude::*;

pub(crate) fn run(arguments: &[OsString], host: &Host, output: &mut Output) -> Exit {
    set_up_before_parsing(arguments, &host.environment, output);
    let result = match parse(arguments) {
        Ok(parsed) => act(parsed, host, output),
        // Coding agents add a hook's stdout to the context and treat its failure as a rejected prompt.
        Err(unparsed) if unparsed.error.use_stderr() && unparsed.command == "openclaw hook" => {
            output.warn(&hook::nothing_remembered(&unparsed.to_error()));
            Ok(Exit::Done)
        }
        Err(unparsed) => match moved(arguments, &unparsed.error) {
            Some(error) => Err(error),
            None => explain_usage(&unparsed, output).map_err(|error| CliError {
                hints: next_step(arguments, &unparsed)
                    .into_iter()
                    .chain(error.hints)
                    .collect(),
                ..error
            }),
        },
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
    // A hook warns of invalid settings and never fails.
    if !matches!(command, Command::Hook(_)) {
        check_assignments(&parsed.assignments)?;
    }
    let context = &mut Context {
        host,
        home_option: global.home,
        assignments: parsed.assignments,
        output,
        known: None,
        known_timezone: None,
    };
    run_guarded(command, context)
}

/// Runs a command; in a read-only sandbox on an overlay, if it may run there.
pub(crate) fn run_guarded(command: Command, context: &mut Context) -> Result<Exit> {
    // The command itself reports invalid settings.
    if only_reads(&command) && context.is_sandbox().unwrap_or(false) {
        // Locks and crash recovery write only to the overlay.
        return context.on_overlay(|context| run_command(command, context));
    }
    run_command(command, context)
}

/// Whether a command works in a read-only sandbox. Those of its operations that write refuse the sandbox themselves.
fn only_reads(command: &Command) -> bool {
    use session::Command::{Expand, List, Show, Verify};
    matches!(
        command,
        Command::Memory(_)
            | Command::Dream(_)
            | Command::About(_)
            | Command::Agenda(_)
            | Command::Why(_)
            | Command::Doctor(_)
            | Command::Session(List(_) | Show(_) | Expand(_) | Verify(_))
    )
}

pub(crate) fn run_command(command: Command, context: &mut Context) -> Result<Exit> {
    match command {
        Command::Init(arguments) => init::run(&arguments, context),
        Command::Chat(arguments) => chat::run(&arguments, context),
        Command::Demo(arguments) => demo::run(&arguments, context),
        Command::Replay(arguments) => replay::run(&arguments, context),
        Command::Session(command) => session::run(&command, context),
        Command::Memory(command) => memory::run(&command, context),
        Command::About(arguments) => about::run(&arguments, context),
        Command::Why(arguments) => why::run(&arguments, context),
        Command::Agenda(arguments) => agenda::run(&arguments, context),
        Command::Dream(arguments) => dream::run(&arguments, context),
        Command::Serve(arguments) => serve::run(&arguments, context),
        Command::Service(command) => service::run(&command, context),
        Command::Mcp(arguments) => mcp::run(&arguments, context),
        Command::Connect(arguments) => connect::run(&arguments, context),
        Command::Hook(arguments) => Ok(hook::run(&arguments, context)),
        Command::Doctor(arguments) => doctor::run(&arguments, context),
        Command::Backup(arguments) => backup::run(&arguments, context),
        Command::Restore(arguments) => restore::run(&arguments, context),
        Command::Config(command) => config_commands::run(&command, context),
        Command::Completions(arguments) => completions::run(&arguments, tree(), context),
        Command::Man(arguments) => man::run(&arguments, tree(), context),
    }
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
