//! One run of the program: parse, act, report.
//!
//! Does all I/O through `Host` and `Output`, so that tests can run the whole program.

use std::ffi::OsString;

use clap::ColorChoice;

use crate::cli::{self, Command, GlobalArguments, ParsedCommandLine};
use crate::commands::{
    about, agenda, backup, chat, completions, config as config_commands, connect, doctor, dream,
    homes, hook, init, man, mcp, memory, replay, restore, serve, service, session,
};
use crate::config::{Assignment, check_assignments};
use crate::environment::Environment;
use crate::host::Host;
use crate::output::{OutputModes, Paint, Paints, Verbosity};
use crate::prelude::*;
use crate::vault_home::{HomeUse, VaultHome};

pub(crate) fn run(arguments: &[OsString], host: &Host, output: &mut Output) -> Exit {
    set_up_before_parsing(arguments, &host.environment, output);
    let result = match cli::parse(arguments) {
        Ok(parsed) => act(parsed, host, output),
        // Coding agents add a hook's stdout to the context and treat its failure as a rejected prompt.
        Err(error) if error.use_stderr() && cli::calls_hook(arguments) => {
            output.usage(&error.render().ansi().to_string());
            Ok(Exit::Done)
        }
        Err(error) => explain_usage(&error, output),
    };
    match result {
        Ok(exit) => exit,
        Err(error) => {
            output.report(&error);
            error.kind.into()
        }
    }
}

fn act(parsed: ParsedCommandLine, host: &Host, output: &mut Output) -> Result<Exit> {
    let ParsedCommandLine { cli, assignments } = parsed;
    output.modes = modes(&cli.global, &host.environment);
    // A hook warns of invalid settings and never fails.
    if !matches!(cli.command, Command::Hook(_)) {
        check_assignments(&assignments)?;
    }
    let (command, home) = (cli.command, cli.global.home);
    let Some(vault_home) = VaultHome::named(home.as_deref(), &host.environment)? else {
        return act_on((host, home), command, assignments, output);
    };
    match HomeUse::of(&command) {
        HomeUse::None => act_on((host, home), command, assignments, output),
        HomeUse::Whole(begins) => vault_home.during((host, &assignments), begins, |host, root| {
            output.modes.vault_home = Some((root.display().to_string(), vault_home.to_string()));
            act_on((host, Some(root)), command, assignments.clone(), output)
        }),
        HomeUse::Shared(name) => {
            let error = vault_home.refusal(name);
            if !matches!(command, Command::Hook(_)) {
                return Err(error);
            }
            output.report(&error);
            Ok(Exit::Done)
        }
    }
}

fn act_on(
    (host, home_option): (&Host, Option<PathBuf>),
    command: Command,
    assignments: Vec<Assignment>,
    output: &mut Output,
) -> Result<Exit> {
    let context = &mut Context {
        host,
        home_option,
        assignments,
        output,
        known: None,
        known_timezone: None,
    };
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
            | Command::Doctor(_)
            | Command::Session(List(_) | Show(_) | Expand(_) | Verify(_))
    )
}

fn run_command(command: Command, context: &mut Context) -> Result<Exit> {
    match command {
        Command::Init(arguments) => init::run(&arguments, context),
        Command::Chat(arguments) => chat::run(&arguments, context),
        Command::Replay(arguments) => replay::run(&arguments, context),
        Command::Session(command) => session::run(&command, context),
        Command::Memory(command) => memory::run(&command, context),
        Command::About(arguments) => about::run(&arguments, context),
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
        Command::Homes(command) => homes::run(&command, context),
        Command::Config(command) => config_commands::run(&command, context),
        Command::Completions(arguments) => completions::run(&arguments, cli::command(), context),
        Command::Man(arguments) => man::run(&arguments, cli::command(), context),
    }
}

fn modes(global: &GlobalArguments, environment: &Environment) -> OutputModes {
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
        home: global.home.clone(),
        vault_home: None,
    }
}

/// Finds `--json` and `--color` before parsing, so that a usage error honours them too.
fn set_up_before_parsing(arguments: &[OsString], environment: &Environment, output: &mut Output) {
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

/// Prints requested help to stdout; anything else is a usage error.
fn explain_usage(error: &clap::Error, output: &mut Output) -> Result<Exit> {
    let mut text = error.render().ansi().to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if !error.use_stderr() {
        output.text(&text)?;
        return Ok(Exit::Done);
    }
    match output.format() {
        OutputFormat::Human => {
            output.usage(&text);
            Ok(Exit::Usage)
        }
        OutputFormat::Json => Err(usage_error(error)),
    }
}

/// The message and tips of a clap error, without the usage lines.
fn usage_error(error: &clap::Error) -> CliError {
    let text = error.render().to_string();
    let first_paragraph: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    let message = first_paragraph.join(" ").replacen("error: ", "", 1);
    let tips = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("tip: "));
    let failure = tips.fold(CliError::new(ErrorKind::Usage, message), CliError::hint);
    failure.hint("`openclaw --help` lists the commands")
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
