//! The command line: its commands, their options, and help.
//!
//! Never acts on an argument.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{
    Arg, ArgAction, ArgMatches, Args, ColorChoice, CommandFactory, FromArgMatches, Parser,
    Subcommand,
};

use crate::commands::{
    about, agenda, backup, chat, completions, config, connect, doctor, dream, homes, hook, init,
    man, mcp, memory, replay, restore, serve, service, session,
};
use crate::config::{Assignment, nearest};

/// A personal assistant with a memory you can trust
#[derive(Debug, Parser)]
#[command(name = "openclaw", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) global: GlobalArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create a home: the workspace and config.yaml
    Init(init::Arguments),
    /// Chat with the assistant
    Chat(chat::Arguments),
    /// Replay a recorded conversation through the real pipeline
    Replay(replay::Arguments),
    /// List, show, import, rewind, check and delete sessions
    #[command(subcommand)]
    Session(session::Command),
    /// Search notes and sessions, and maintain the index
    #[command(subcommand)]
    Memory(memory::Command),
    /// Print what is known about you, theme by theme
    About(about::Arguments),
    /// Print what is coming up
    Agenda(agenda::Arguments),
    /// Propose lasting memories, and review them
    Dream(dream::Arguments),
    /// Serve programs and browsers over HTTP, and dream when a dream is due
    Serve(serve::Arguments),
    /// Run `openclaw serve` in the background at every login
    #[command(subcommand)]
    Service(service::Command),
    /// Serve this memory to other programs over MCP
    Mcp(mcp::Arguments),
    /// Add this memory to another program's settings
    Connect(connect::Arguments),
    /// Answer a coding agent's hook
    Hook(hook::Arguments),
    /// Diagnose problems and print the commands that fix them
    Doctor(doctor::Arguments),
    /// Back up the whole home to one file
    Backup(backup::Arguments),
    /// Create a home from a backup
    Restore(restore::Arguments),
    /// Copy homes to and from a bucket or a vault, list and check them
    #[command(subcommand)]
    Homes(homes::Command),
    /// Show and change settings
    #[command(subcommand)]
    Config(config::Command),
    /// Print shell completions
    Completions(completions::Arguments),
    /// Print the manual page, or write one per command
    Man(man::Arguments),
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = GLOBAL_HEADING)]
pub(crate) struct GlobalArguments {
    /// Use this home instead of `OPENCLAW_HOME` or ~/.openclaw: a directory or
    /// `vault://DIRECTORY/NAME`
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Print JSON: one object on one line, or one event per line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Print only errors and warnings on stderr
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print progress details on stderr
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Debug)]
pub(crate) struct ParsedCommandLine {
    pub(crate) cli: Cli,
    /// The values of `--set`, in order.
    pub(crate) assignments: Vec<Assignment>,
}

const GLOBAL_HEADING: &str = "Global options";
const SET: &str = "set";

/// After all other options.
const SET_ORDER: usize = 900;

pub(crate) fn parse(arguments: &[OsString]) -> Result<ParsedCommandLine, clap::Error> {
    let matches = command().try_get_matches_from(asked_for_help(arguments));
    let matches =
        matches.map_err(|error| with_help_of_command(without_far_suggestion(error), arguments))?;
    let mut assignments = Vec::new();
    let mut level = Some(&matches);
    while let Some(matches) = level {
        assignments.extend(assignments_of(matches));
        level = matches.subcommand().map(|(_, inner)| inner);
    }
    let cli = Cli::from_arg_matches(&matches)?;
    Ok(ParsedCommandLine { cli, assignments })
}

/// Drops a suggested value that is too unlike the typed one.
fn without_far_suggestion(mut error: clap::Error) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let typed = text(ContextKind::InvalidValue);
    let suggested = text(ContextKind::SuggestedValue);
    if let (Some(typed), Some(suggested)) = (typed, suggested)
        && nearest(&typed, [suggested.as_str()]).is_none()
    {
        error.remove(ContextKind::SuggestedValue);
    }
    error
}

/// Names the help of the command whose argument has a wrong value.
fn with_help_of_command(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    if error.kind() == clap::error::ErrorKind::ValueValidation {
        let (mut level, mut path) = (&command(), "openclaw".to_owned());
        for argument in arguments {
            if let Some(inner) = level.find_subcommand(argument) {
                level = inner;
                path = format!("{path} {}", inner.get_name());
            }
        }
        let tip = format!("`{path} --help` describes its options");
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    error
}

/// Whether the subcommand is `hook`, even if the other arguments are invalid.
pub(crate) fn calls_hook(arguments: &[OsString]) -> bool {
    let matches = command()
        .ignore_errors(true)
        .try_get_matches_from(arguments);
    matches.is_ok_and(|matches| matches.subcommand_name() == Some("hook"))
}

/// Rewrites `help COMMAND` to `COMMAND --help`.
fn asked_for_help(arguments: &[OsString]) -> Vec<OsString> {
    match arguments {
        [program, help, command @ ..] if help == "help" => {
            let before = std::iter::once(program.clone());
            let named = before.chain(command.iter().cloned());
            named.chain(["--help".into()]).collect()
        }
        _ => arguments.to_vec(),
    }
}

pub(crate) fn command() -> clap::Command {
    with_negative_numbers(with_set(Cli::command()))
}

/// Adds `--set` to a command and all its subcommands.
///
/// A global clap argument keeps only the values at the deepest level; this way values before and after the
/// subcommand both count.
fn with_set(command: clap::Command) -> clap::Command {
    let set = Arg::new(SET)
        .long(SET)
        .value_name("KEY.PATH=VALUE")
        .help("Override a setting for this run; may be repeated")
        .help_heading(GLOBAL_HEADING)
        .display_order(SET_ORDER)
        .action(ArgAction::Append)
        .value_parser(parse_assignment);
    command.arg(set).mut_subcommands(with_set)
}

/// Takes `-3` after an option for its value, so that the error names the range instead of an unknown option.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let takes_values = argument.get_action().takes_values();
        argument.allow_negative_numbers(takes_values)
    });
    command.mut_subcommands(with_negative_numbers)
}

fn assignments_of(matches: &ArgMatches) -> impl Iterator<Item = Assignment> {
    let assignments = matches.get_many::<Assignment>(SET);
    assignments.into_iter().flatten().cloned()
}

fn parse_assignment(text: &str) -> Result<Assignment, String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok(Assignment {
            key: key.to_owned(),
            value: value.to_owned(),
        }),
        _ => Err("expected KEY.PATH=VALUE, such as timezone=Europe/Berlin".to_owned()),
    }
}

#[cfg(test)]
#[path = "cli_tests.rs"]
mod tests;
