//! The arguments: what can be typed and what the help says of it.
//!
//! Never acts on an argument.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::{
    backup, chat, completions, config, connect, doctor, dream, hook, init, man, mcp, memory,
    replay, restore, serve, session,
};
use crate::config::Assignment;

/// A personal assistant with a memory that can be trusted
#[derive(Debug, Parser)]
#[command(name = "openclaw", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// What is to be done.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// What holds for every command.
    #[command(flatten)]
    pub(crate) global: GlobalArguments,
}

/// The commands; each is a file of `commands/`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a home: the workspace and a config.yaml
    Init(init::Arguments),
    /// Talk with the assistant
    Chat(chat::Arguments),
    /// Play a recorded conversation through, as if it were talked now
    Replay(replay::Arguments),
    /// List, show, check, import, rewind and delete sessions
    #[command(subcommand)]
    Session(session::Command),
    /// Search the notes and sessions, and keep the index
    #[command(subcommand)]
    Memory(memory::Command),
    /// Find what deserves to last, and review it
    Dream(dream::Arguments),
    /// Serve programs and browsers by HTTP, and dream when it is time
    Serve(serve::Arguments),
    /// Serve this memory to other programs, by MCP
    Mcp(mcp::Arguments),
    /// Put this memory into the settings of another program
    Connect(connect::Arguments),
    /// Answer a hook of a coding agent
    Hook(hook::Arguments),
    /// Find out what is wrong with the home, and what to type about it
    Doctor(doctor::Arguments),
    /// Put the whole home into one file
    Backup(backup::Arguments),
    /// Make a home of a backup
    Restore(restore::Arguments),
    /// Show the settings, and set them
    #[command(subcommand)]
    Config(config::Command),
    /// Print the completions of a shell
    Completions(completions::Arguments),
    /// Print the manual page, or write one for each command
    Man(man::Arguments),
}

/// What holds for every command.
#[derive(Debug, Args)]
#[command(next_help_heading = GLOBAL_HEADING)]
pub(crate) struct GlobalArguments {
    /// Use this home instead of `OPENCLAW_HOME` or ~/.openclaw
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Print JSON: one object on one line, or one event a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Use colour: where a terminal takes it, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Say nothing on stderr but errors and warnings
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say on stderr what is done on the way
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

// What the values mean stands in the help of the option: help of their own would make it long.
/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug)]
pub(crate) struct Parsed {
    /// The command and what holds for every command.
    pub(crate) cli: Cli,
    /// What stood after each `--set`, in order.
    pub(crate) assignments: Vec<Assignment>,
}

const GLOBAL_HEADING: &str = "Global options";
const SET: &str = "set";

/// After all other options.
const SET_ORDER: usize = 900;

pub(crate) fn parse(arguments: &[OsString]) -> Result<Parsed, clap::Error> {
    let matches = command().try_get_matches_from(asked_for_help(arguments))?;
    let mut assignments = Vec::new();
    let mut level = Some(&matches);
    while let Some(matches) = level {
        assignments.extend(assignments_of(matches));
        level = matches.subcommand().map(|(_, inner)| inner);
    }
    let cli = Cli::from_arg_matches(&matches)?;
    Ok(Parsed { cli, assignments })
}

/// The arguments, with `help COMMAND` as the option `--help` of that command.
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
    with_set(Cli::command())
}

/// Adds `--set` to a command and all below.
///
/// A global argument of clap keeps only the values of the deepest level at which it stands; here those
/// before and after the command count.
fn with_set(command: clap::Command) -> clap::Command {
    let set = Arg::new(SET)
        .long(SET)
        .value_name("KEY.PATH=VALUE")
        .help("Set a setting for this run; may be repeated")
        .help_heading(GLOBAL_HEADING)
        .display_order(SET_ORDER)
        .action(ArgAction::Append)
        .value_parser(parse_assignment);
    command.arg(set).mut_subcommands(with_set)
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
        _ => Err("write it as KEY.PATH=VALUE, such as timezone=Europe/Berlin".to_owned()),
    }
}

#[cfg(test)]
#[path = "cli_tests.rs"]
mod tests;
