//! The options that every command takes, and how a command line is parsed.
//!
//! Knows no command, and never acts on an argument.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, ArgMatches, Args, ColorChoice, CommandFactory, FromArgMatches};

use crate::config::{Assignment, nearest};

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = GLOBAL_HEADING)]
pub struct GlobalArguments {
    /// Use this home instead of `OPENCLAW_HOME` or ~/.openclaw
    #[arg(long, global = true, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// Print JSON: one object on one line, or one event per line
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Print only errors and warnings on stderr
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print progress details on stderr
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

const GLOBAL_HEADING: &str = "Global options";
const SET: &str = "set";

/// After all other options.
const SET_ORDER: usize = 900;

/// A parsed command line of a program.
#[derive(Debug)]
pub struct ParsedCommandLine<C> {
    pub arguments: C,
    /// The values of `--set`, in order.
    pub assignments: Vec<Assignment>,
}

/// The commands of a program, with `--set` at each.
pub fn command<C: CommandFactory>() -> clap::Command {
    with_negative_numbers(with_set(C::command()))
}

pub fn parse<C: CommandFactory + FromArgMatches>(
    arguments: &[OsString],
) -> Result<ParsedCommandLine<C>, clap::Error> {
    let matches = command::<C>().try_get_matches_from(asked_for_help(arguments));
    let matches = matches
        .map_err(|error| with_help_of_command::<C>(without_far_suggestion(error), arguments))?;
    let mut assignments = Vec::new();
    let mut level = Some(&matches);
    while let Some(matches) = level {
        assignments.extend(assignments_of(matches));
        level = matches.subcommand().map(|(_, inner)| inner);
    }
    Ok(ParsedCommandLine {
        arguments: C::from_arg_matches(&matches)?,
        assignments,
    })
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
fn with_help_of_command<C: CommandFactory>(
    mut error: clap::Error,
    arguments: &[OsString],
) -> clap::Error {
    if error.kind() == clap::error::ErrorKind::ValueValidation {
        let root = command::<C>();
        let (mut level, mut path) = (&root, root.get_name().to_owned());
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
mod tests {
    use super::*;

    #[test]
    fn assignment_splits_at_first_equals_sign() {
        let assignment = |text| parse_assignment(text).map(|one| (one.key, one.value));
        assert_eq!(assignment("a.b=c=d"), Ok(("a.b".into(), "c=d".into())));
        assert_eq!(assignment("a.b="), Ok(("a.b".into(), String::new())));
        assert!(assignment("=c").is_err_and(|error| error.contains("KEY.PATH=VALUE")));
    }
}
