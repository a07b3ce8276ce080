//! The commands of a chat at a terminal: what was typed, help and completion. The table is `agent`'s.
//!
//! Executes no command.

use agent::{SLASH_COMMANDS, SlashCommand, SlashRow, SlashTyped, SlashWords, parse_slash};
use cli::config::nearest;
use cli::error::{CliError, ErrorKind, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    Said(String),
    Command(SlashCommand, Option<String>),
    /// A command that does not exist, or that was typed with other words than it takes.
    Wrong(CliError),
}

/// Refuses a command that would show or change the owner's memory or sessions, where others may talk.
pub(super) fn check_for_others(command: SlashCommand) -> Result<()> {
    let Some(message) = row_of(command).and_then(|row| row.rejected_among_others()) else {
        return Ok(());
    };
    Err(CliError::new(ErrorKind::Usage, message)
        .hint("end this chat and use `openclaw chat`, where only you talk"))
}

fn row_of(command: SlashCommand) -> Option<SlashRow> {
    SLASH_COMMANDS
        .into_iter()
        .find(|row| row.command == command)
}

/// Parses a line.
pub(super) fn parse(line: &str) -> Typed {
    match parse_slash(line) {
        SlashTyped::Nothing => Typed::Nothing,
        SlashTyped::Said(text) => Typed::Said(text),
        SlashTyped::Command(row, words) => Typed::Command(row.command, words),
        SlashTyped::Misused(row) => Typed::Wrong(misused(row)),
        SlashTyped::Unknown(name) => Typed::Wrong(unknown(&name, nearest(&name, names()))),
    }
}

/// The error for words that a command does not take, or for a command without the words that it needs.
pub(super) fn misused_command(command: SlashCommand) -> CliError {
    row_of(command).map_or_else(|| unknown("", None), misused)
}

fn misused(row: SlashRow) -> CliError {
    let name = row.name;
    match row.words {
        SlashWords::Never => {
            CliError::new(ErrorKind::Usage, format!("`{name}` takes no arguments"))
                .hint("put a space before it to send it to the assistant")
        }
        SlashWords::Maybe | SlashWords::Always => {
            CliError::new(ErrorKind::Usage, format!("`{name}` needs more words")).hint(row.does)
        }
    }
}

fn unknown(name: &str, meant: Option<&str>) -> CliError {
    let failure = CliError::new(ErrorKind::Usage, format!("unknown command `{name}`"));
    failure.hint(match meant {
        Some(meant) => format!("did you mean `{meant}`? `/help` lists all"),
        None => "`/help` lists the commands".to_owned(),
    })
}

/// The prefix of every command; alone it lists them.
const MENU: &str = "/";

/// The commands that begin with `typed`, with their descriptions.
pub(super) fn completions(typed: &str) -> Vec<(&'static str, &'static str)> {
    if !typed.starts_with(MENU) {
        return Vec::new();
    }
    let all = SLASH_COMMANDS.into_iter();
    let found = all.filter(|row| row.name.starts_with(typed));
    found.map(|row| (row.name, row.does)).collect()
}

/// The hint behind a command while it is typed: its completion and description if it is unique, or that Tab
/// lists the matches.
pub(super) fn hint_while_typing(typed: &str) -> Option<String> {
    match completions(typed).as_slice() {
        [] => None,
        [(name, does)] => Some(format!("{}  {does}", name.strip_prefix(typed)?)),
        _ => Some("  Tab lists commands".to_owned()),
    }
}

/// Indent of a wrapped help line: it continues in the column of the descriptions.
pub(super) const HELP_INDENT: &str = "             ";

pub(super) fn help() -> String {
    let commands = SLASH_COMMANDS.map(|row| format!("  {:<9}  {}\n", row.name, row.does));
    format!("{}\n{KEYS}", commands.concat())
}

const KEYS: &str = "  \
  Enter      send; Alt-Enter, or a \\ at the end, starts another line
  Tab        complete a command; after /, list them
  Ctrl-C     stop a reply, or clear the line; on an empty line, end the chat
  Ctrl-D     end the chat

  Put a space before a / to send it to the assistant.
";

fn names() -> impl Iterator<Item = &'static str> {
    SLASH_COMMANDS.into_iter().map(|row| row.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slash_help_fits_80_columns() {
        let help = help();
        let long: Vec<&str> = help
            .lines()
            .filter(|line| line.chars().count() > 80)
            .collect();
        assert_eq!(long, [""; 0]);
    }

    #[test]
    fn slash_help_aligns_descriptions_with_indent() {
        for SlashRow { name, does, .. } in SLASH_COMMANDS {
            let line = format!("  {name:<9}  {does}");
            assert!(help().contains(&line), "{line}");
            assert_eq!(line.find(does), Some(HELP_INDENT.len()), "{line}");
        }
    }

    #[test]
    fn unknown_command_suggests_nearest() {
        let wrong = |name, meant| Typed::Wrong(unknown(name, meant));
        assert_eq!(parse("/contxt"), wrong("/contxt", Some("/context")));
        assert_eq!(parse("/memroy tax"), wrong("/memroy", Some("/memory")));
        assert_eq!(parse("/frobnicate"), wrong("/frobnicate", None));
    }

    #[test]
    fn misused_command_says_what_it_takes() {
        let hint = |line| {
            let Typed::Wrong(error) = parse(line) else {
                panic!("{line}");
            };
            error.hints.join("; ")
        };
        assert_eq!(
            hint("/new start"),
            "put a space before it to send it to the assistant"
        );
        assert_eq!(
            hint("/remember"),
            "`/remember TEXT` writes TEXT into MEMORY.md"
        );
    }

    #[test]
    fn listed_commands_parse_and_complete() {
        for row in SLASH_COMMANDS {
            let typed = match row.words {
                SlashWords::Always => format!("{} words", row.name),
                SlashWords::Never | SlashWords::Maybe => row.name.to_owned(),
            };
            assert!(matches!(parse(&typed), Typed::Command(..)), "{typed}");
            let names: Vec<&str> = completions(row.name)
                .iter()
                .map(|(name, _)| *name)
                .collect();
            assert_eq!(names, [row.name]);
        }
        assert_eq!(completions("/ne"), [("/new", SLASH_COMMANDS[0].does)]);
        assert_eq!(completions("/").len(), SLASH_COMMANDS.len());
        assert_eq!(completions("ne"), []);
        assert_eq!(hint_while_typing("/").unwrap(), "  Tab lists commands");
        let told = hint_while_typing("/ex").unwrap();
        assert_eq!(told, "it  end the chat, like Ctrl-D");
        assert_eq!(hint_while_typing("/etc/hosts"), None);
        assert_eq!(hint_while_typing(""), None);
    }
}
