//! Parses a line of a chat: a message or a slash command.
//!
//! Executes no command.

use cli::config::nearest;
use cli::error::{CliError, ErrorKind, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    Said(String),
    Command(Slash),
    /// A command that does not exist, or an argument for a command that takes none.
    Wrong(CliError),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Slash {
    New,
    /// Switch to another session, or list the sessions.
    Resume(Option<String>),
    /// Set the title of this session, or show it.
    Title(Option<String>),
    /// Switch to another model, or list the models.
    Model(Option<String>),
    /// Compact now; the words say what the summary should keep.
    Compact(Option<String>),
    Status,
    /// Show where the tokens go.
    Context,
    /// Search memory, or show what it holds.
    Memory(Option<String>),
    Dream,
    Help,
    Exit,
}

impl Slash {
    /// Refuses a command that would show the owner's memory or sessions to others.
    pub(super) fn check_for_others(&self) -> Result<()> {
        let typed = match self {
            Self::Memory(_) => "/memory",
            Self::Dream => "/dream",
            Self::Resume(_) => "/resume",
            Self::New
            | Self::Title(_)
            | Self::Model(_)
            | Self::Compact(_)
            | Self::Status
            | Self::Context
            | Self::Help
            | Self::Exit => return Ok(()),
        };
        let message = format!("`{typed}` does not work here: others may talk in this session");
        Err(CliError::new(ErrorKind::Usage, message)
            .hint("end this chat and use `openclaw chat`, where only you talk"))
    }
}

pub(super) const COMMANDS: [(&str, &str); 11] = [
    (
        "/new",
        "start a new conversation; this one and its notes are saved",
    ),
    (
        "/resume",
        "list sessions; `/resume NAME` or `NUMBER` switches to one",
    ),
    ("/title", "show the title; `/title TEXT` sets it"),
    ("/model", "list models; `/model NAME` switches to another"),
    (
        "/compact",
        "summarise older messages; `/compact TEXT` says what to keep",
    ),
    (
        "/status",
        "show session, model, window and messages not yet noted",
    ),
    ("/context", "show how the window's tokens are used"),
    (
        "/memory",
        "show what memory holds; `/memory QUESTION` searches it",
    ),
    ("/dream", "show dream candidates awaiting your review"),
    ("/help", "show this list"),
    ("/exit", "end the chat, like Ctrl-D"),
];

/// The prefix of every command; alone it lists them.
const MENU: &str = "/";

/// Common aliases of `/exit` and `/new`.
const QUIT: &str = "/quit";
const CLEAR: &str = "/clear";

/// Parses a line.
///
/// A command is a slash and one word of letters and hyphens; a path such as /etc/hosts is a message, and so is
/// anything after a leading space.
pub(super) fn parse(line: &str) -> Typed {
    if line.trim().is_empty() {
        return Typed::Nothing;
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let is_command = word.strip_prefix('/').is_some_and(|name| {
        name.chars()
            .all(|character| character.is_ascii_alphabetic() || character == '-')
    });
    if !is_command {
        return Typed::Said(line.trim().to_owned());
    }
    let rest = rest.trim();
    let plain = |name, command| {
        if rest.is_empty() {
            Typed::Command(command)
        } else {
            Typed::Wrong(misused(name))
        }
    };
    let words = || (!rest.is_empty()).then(|| rest.to_owned());
    match word {
        "/new" | CLEAR => plain("/new", Slash::New),
        "/status" => plain("/status", Slash::Status),
        "/context" => plain("/context", Slash::Context),
        "/dream" => plain("/dream", Slash::Dream),
        "/help" | MENU => plain("/help", Slash::Help),
        "/exit" | QUIT => plain("/exit", Slash::Exit),
        "/memory" => Typed::Command(Slash::Memory(words())),
        "/compact" => Typed::Command(Slash::Compact(words())),
        "/resume" => Typed::Command(Slash::Resume(words())),
        "/title" => Typed::Command(Slash::Title(words())),
        "/model" => Typed::Command(Slash::Model(words())),
        name => Typed::Wrong(unknown(name, nearest(name, names()))),
    }
}

fn misused(name: &str) -> CliError {
    CliError::new(ErrorKind::Usage, format!("`{name}` takes no arguments"))
        .hint("put a space before it to send it to the assistant")
}

fn unknown(name: &str, meant: Option<&str>) -> CliError {
    let failure = CliError::new(ErrorKind::Usage, format!("unknown command `{name}`"));
    failure.hint(match meant {
        Some(meant) => format!("did you mean `{meant}`? `/help` lists all"),
        None => "`/help` lists the commands".to_owned(),
    })
}

/// The commands that begin with `typed`, with their descriptions.
pub(super) fn completions(typed: &str) -> Vec<(&'static str, &'static str)> {
    if !typed.starts_with(MENU) {
        return Vec::new();
    }
    let all = COMMANDS.into_iter();
    all.filter(|(name, _)| name.starts_with(typed)).collect()
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
    let commands = COMMANDS.map(|(name, does)| format!("  {name:<9}  {does}\n"));
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
    COMMANDS.into_iter().map(|(name, _)| name)
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
        for (command, does) in COMMANDS {
            let line = format!("  {command:<9}  {does}");
            assert!(help().contains(&line), "{line}");
            assert_eq!(line.find(does), Some(HELP_INDENT.len()), "{line}");
        }
    }

    #[track_caller]
    fn check(line: &str, expected: &Typed) {
        assert_eq!(parse(line), *expected, "{line:?}");
    }

    fn said(text: &str) -> Typed {
        Typed::Said(text.to_owned())
    }

    #[test]
    fn parse_separates_messages_from_commands() {
        check("", &Typed::Nothing);
        check(" \t\n", &Typed::Nothing);
        check("hello", &said("hello"));
        check("  indented\ntwo lines ", &said("indented\ntwo lines"));
        check("/new", &Typed::Command(Slash::New));
        check("/new \n", &Typed::Command(Slash::New));
        check("/quit", &Typed::Command(Slash::Exit));
        check("/clear", &Typed::Command(Slash::New));
        check("/memory", &Typed::Command(Slash::Memory(None)));
        check(
            "/memory  what is due? ",
            &Typed::Command(Slash::Memory(Some("what is due?".to_owned()))),
        );
        check("/compact", &Typed::Command(Slash::Compact(None)));
        check(
            "/compact keep the prices",
            &Typed::Command(Slash::Compact(Some("keep the prices".to_owned()))),
        );
        check("/resume", &Typed::Command(Slash::Resume(None)));
        check(
            "/title The move",
            &Typed::Command(Slash::Title(Some("The move".to_owned()))),
        );
        check(
            "/model qwen3:8b",
            &Typed::Command(Slash::Model(Some("qwen3:8b".to_owned()))),
        );
        check("/new start", &Typed::Wrong(misused("/new")));
        check("/quit now", &Typed::Wrong(misused("/exit")));
    }

    #[test]
    fn parse_treats_paths_and_indented_commands_as_messages() {
        check("/etc/hosts is broken", &said("/etc/hosts is broken"));
        check("/tmp2 is full", &said("/tmp2 is full"));
        check(" /new is a word here", &said("/new is a word here"));
        check("/日記", &said("/日記"));
    }

    #[test]
    fn unknown_command_suggests_nearest() {
        let wrong = |name, meant| Typed::Wrong(unknown(name, meant));
        check("/contxt", &wrong("/contxt", Some("/context")));
        check("/memroy tax", &wrong("/memroy", Some("/memory")));
        check("/frobnicate", &wrong("/frobnicate", None));
        check("/", &Typed::Command(Slash::Help));
    }

    #[test]
    fn listed_commands_parse_and_complete() {
        for (name, _) in COMMANDS {
            assert!(matches!(parse(name), Typed::Command(_)), "{name}");
            let names: Vec<&str> = completions(name).iter().map(|(name, _)| *name).collect();
            assert_eq!(names, [name]);
        }
        assert_eq!(completions("/ne"), [COMMANDS[0]]);
        assert_eq!(completions("/").len(), COMMANDS.len());
        assert_eq!(completions("ne"), []);
        assert_eq!(hint_while_typing("/").unwrap(), "  Tab lists commands");
        let told = hint_while_typing("/ex").unwrap();
        assert_eq!(told, "it  end the chat, like Ctrl-D");
        assert_eq!(hint_while_typing("/etc/hosts"), None);
        assert_eq!(hint_while_typing(""), None);
    }
}
