//! The next command to type after an incomplete command line.
//!
//! Pure.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use cli::arguments::Unparsed;
use cli::config::nearest;

use crate::command_line::tree;

/// Groups of commands, the likeliest first, in which a command is looked up that was typed without its group.
const GROUPS: [&str; 4] = ["memory", "dream", "session", "agenda"];

/// What people call a command that has another name.
const OTHER_NAMES: [(&str, &[&str]); 1] = [("remember", &["memory", "add", "--lasting"])];

/// The hint for a command line that lacks the group of its command, an id, or an option that goes with another.
pub(crate) fn next_step(arguments: &[OsString], unparsed: &Unparsed) -> Option<String> {
    if let Some(ContextValue::String(typed)) = unparsed.error.get(ContextKind::InvalidSubcommand) {
        return with_group(arguments, typed).filter(|_| unparsed.command == "openclaw");
    }
    let at_fault = match unparsed.error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(named)) => named.clone(),
        Some(ContextValue::Strings(named)) => named.join(" "),
        _ => return None,
    };
    let is_missing = |what: &str| at_fault.contains(what);
    match &*unparsed.command {
        "openclaw dream accept" | "openclaw dream reject" | "openclaw dream show"
            if is_missing("<ID>") =>
        {
            Some("`openclaw dream list` lists what is waiting, each with its ID".to_owned())
        }
        "openclaw dream" if is_missing("--backfill") => {
            let words = arguments.iter().skip(1);
            let words: Option<Vec<&str>> = words.map(|word| word.to_str()).collect();
            let words = words?.into_iter();
            let words = words.flat_map(|word| match word {
                "dream" => vec![word, "--backfill"],
                _ => vec![word],
            });
            let typed = shlex::try_join(words).ok()?;
            Some(format!("type `openclaw {typed}`"))
        }
        "openclaw memory forget" if is_missing("--undo") => Some(
            "`openclaw memory forget --list` lists what was forgotten, each with its ID".to_owned(),
        ),
        _ => None,
    }
}

/// The command line with the group of its command before it.
fn with_group(arguments: &[OsString], typed: &str) -> Option<String> {
    let words = command_of(typed)?;
    let arguments = arguments.iter().skip(1).map(|word| word.to_str());
    let arguments: Option<Vec<&str>> = arguments.collect();
    let mut arguments = arguments?;
    let at = arguments.iter().position(|word| *word == typed)?;
    arguments.splice(at..=at, words.iter().map(String::as_str));
    let command = shlex::try_join(arguments).ok()?;
    Some(format!("type `openclaw {command}`"))
}

/// The words of the command of a group that has this name or, if none has, one that looks like it.
fn command_of(typed: &str) -> Option<Vec<String>> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    if let Some((_, words)) = OTHER_NAMES.iter().find(|(name, _)| *name == typed) {
        return Some(owned(words));
    }
    let root = tree();
    let groups = GROUPS.iter().filter_map(|name| root.find_subcommand(name));
    let commands = groups.flat_map(|group| {
        let names = group.get_subcommands().map(clap::Command::get_name);
        names.map(|name| (group.get_name(), name))
    });
    let commands: Vec<(&str, &str)> = commands.collect();
    let exact = commands.iter().find(|(_, name)| *name == typed);
    let (group, name) = exact.or_else(|| {
        let names = commands.iter().map(|(_, name)| *name);
        let near = nearest(typed, names)?;
        commands.iter().find(|(_, name)| *name == near)
    })?;
    Some(owned(&[group, name]))
}

#[cfg(test)]
mod tests {
    use cli::arguments::parse;

    use super::*;
    use crate::command_line::Cli;

    #[test]
    fn next_step_completes_command_line() {
        for (typed, next) in [
            (
                "dream accept",
                Some("`openclaw dream list` lists what is waiting, each with its ID"),
            ),
            (
                "--home h dream --since 2026-01-01",
                Some("type `openclaw --home h dream --backfill --since 2026-01-01`"),
            ),
            (
                "memory forget --undo",
                Some("`openclaw memory forget --list` lists what was forgotten, each with its ID"),
            ),
            ("memory forget --limit x y", None),
            (
                "--home h search mother",
                Some("type `openclaw --home h memory search mother`"),
            ),
            (
                "searchx mother",
                Some("type `openclaw memory search mother`"),
            ),
            (
                "remember this",
                Some("type `openclaw memory add --lasting this`"),
            ),
            ("undo", Some("type `openclaw dream undo`")),
            ("xyzzy", None),
            ("memory searchx", None),
        ] {
            let words = format!("openclaw {typed}");
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let unparsed = parse::<Cli>(&words).unwrap_err();
            assert_eq!(next_step(&words, &unparsed).as_deref(), next, "{typed}");
        }
    }
}
