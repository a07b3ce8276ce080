//! The options that every command takes, and the parsing of a command line.
//!
//! Independent of the commands, and executes nothing.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, ArgMatches, Args, ColorChoice, CommandFactory, FromArgMatches};

use crate::config::{Assignment, nearest};
use crate::error::{CliError, ErrorKind};

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = GLOBAL_HEADING)]
pub struct GlobalArguments {
    /// Use this home, not `OPENCLAW_HOME` or ~/.openclaw
    #[arg(long, global = true, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// Print one JSON object, or one event per line
    #[arg(long, global = true)]
    pub json: bool,
    /// Use colour: auto, always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
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

/// Lists `--set` after all other options.
const SET_ORDER: usize = 900;

/// A parsed command line of a program.
#[derive(Debug)]
pub struct ParsedCommandLine<C> {
    pub arguments: C,
    /// The values of `--set`, in order.
    pub assignments: Vec<Assignment>,
}

/// The command tree of a program, with `--set` added to each command.
pub fn command<C: CommandFactory>() -> clap::Command {
    with_negative_numbers(with_set(C::command()))
}

/// The command tree as its help shows it: the options of every command are listed on the page of the program alone, and
/// the other pages name that page.
pub(crate) fn as_shown(root: clap::Command) -> clap::Command {
    let global = root.get_arguments().filter(|it| it.is_global_set());
    let global: Vec<Arg> = global.map(|it| it.clone().hide(true)).collect();
    let pointer = format!("{GLOBAL_HEADING}: see `{} --help`", root.get_name());
    root.mut_subcommands(|inner| with_pointer(inner, &global, &pointer))
}

fn with_pointer(command: clap::Command, global: &[Arg], pointer: &str) -> clap::Command {
    let examples = command.get_after_help().map(ToString::to_string);
    let behind = examples
        .iter()
        .fold(pointer.to_owned(), |behind, examples| {
            format!("{behind}\n\n{examples}")
        });
    // An argument of the same id replaces the one that clap would pass down.
    command
        .args(global)
        .mut_arg(SET, |it| it.hide(true))
        .after_help(behind)
        .mut_subcommands(|inner| with_pointer(inner, global, pointer))
}

/// A command line that asks for help or cannot be parsed.
#[derive(Debug)]
pub struct Unparsed {
    pub error: clap::Error,
    /// The command that it contains, such as `openclaw memory add`.
    pub command: String,
    /// The usage line of that command, such as `openclaw memory add [OPTIONS] <TEXT>`.
    usage: String,
    /// Whether that command is only a group of other commands.
    is_group: bool,
}

pub fn parse<C: CommandFactory + FromArgMatches>(
    arguments: &[OsString],
) -> Result<ParsedCommandLine<C>, Unparsed> {
    let arguments = asked_for_help(arguments);
    let unparsed = |error| Unparsed::new(error, &arguments, command::<C>());
    let matches = as_shown(command::<C>())
        .try_get_matches_from(&arguments)
        .map_err(unparsed)?;
    let mut assignments = Vec::new();
    let mut level = Some(&matches);
    while let Some(matches) = level {
        assignments.extend(assignments_of(matches));
        level = matches.subcommand().map(|(_, inner)| inner);
    }
    Ok(ParsedCommandLine {
        arguments: C::from_arg_matches(&matches).map_err(unparsed)?,
        assignments,
    })
}

impl Unparsed {
    fn new(error: clap::Error, arguments: &[OsString], mut root: clap::Command) -> Self {
        let partial = root.clone().ignore_errors(true);
        root.build();
        let matches = partial.try_get_matches_from(arguments).ok();
        let (mut level, mut matches) = (&root, matches.as_ref());
        while let Some((name, inner)) = matches.and_then(ArgMatches::subcommand)
            && let Some(below) = level.find_subcommand(name)
        {
            (level, matches) = (below, Some(inner));
        }
        let usage = level.clone().render_usage().to_string();
        Self {
            error: without_far_suggestion(error),
            command: level.get_bin_name().unwrap_or(level.get_name()).to_owned(),
            usage: usage.trim_start_matches("Usage: ").to_owned(),
            is_group: level.has_subcommands(),
        }
    }

    /// The error, and how to type the command, for people and programs alike.
    pub fn to_error(&self) -> CliError {
        let text = self.error.render().to_string();
        let first_paragraph: Vec<&str> = text
            .lines()
            .map(str::trim)
            .take_while(|line| !line.is_empty())
            .collect();
        let message = if self.is_shown_as_help() {
            format!("`{}` needs a command after it", self.command)
        } else {
            let text = first_paragraph.join(" ").replacen("error: ", "", 1);
            text.replace(NO_DIGITS, "it is not a whole number")
        };
        let tips = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("tip: "));
        let failure = tips.fold(CliError::new(ErrorKind::Usage, message), CliError::hint);
        let describes = if self.is_group && !self.is_about_value() {
            "lists the commands"
        } else {
            "describes its arguments"
        };
        // The usage shows which arguments there are, but not which values they take.
        let usage = Some(&self.usage).filter(|_| !self.is_about_value());
        let uses = usage.iter().flat_map(|usage| usage.lines()).map(str::trim);
        uses.fold(failure, |failure, usage| {
            failure.hint(format!("type `{usage}`"))
        })
        .hint(format!("`{} --help` {describes}", self.command))
    }

    /// Whether the command has the right form, with a value that one of its arguments cannot have.
    fn is_about_value(&self) -> bool {
        let kind = self.error.kind();
        kind == clap::error::ErrorKind::ValueValidation
            || kind == clap::error::ErrorKind::InvalidValue
    }

    /// Whether a command that needs more arguments was typed without any. Its help is then shown.
    pub fn is_shown_as_help(&self) -> bool {
        self.error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    }
}

/// The standard library's error for a text that is not a number.
const NO_DIGITS: &str = "invalid digit found in string";

/// Removes a suggested value that differs too much from the typed one.
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
/// A global clap argument would keep only the values at the deepest level. With one argument per level, values before
/// and after the subcommand both count.
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

/// Parses `-3` after an option as the option's value. Otherwise the error would name an unknown option instead of the
/// valid range.
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
