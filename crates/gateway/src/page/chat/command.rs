//! Reads what was typed: a message, or a command as in the terminal. The table of commands is `agent`'s.
//!
//! Carries out no command.

use agent::{SLASH_COMMANDS, SlashCommand, SlashRow, SlashTyped, line_and_text, parse_slash};

use super::memory::MemoryRequest;
use crate::page::words::encoded;

/// The text that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    Said(String),
    /// Begin a new conversation in this session.
    New,
    /// Set the title.
    Title(String),
    /// Summarise older messages; the words say what the summary should keep.
    Compact(Option<String>),
    /// Change memory, or say where a line of it comes from.
    Memory(MemoryRequest),
    /// A command that another page carries out.
    Page(String),
    /// A command that was typed with other words than it takes.
    Misused(SlashRow),
    /// A command that does not exist here.
    Unknown(String),
}

/// The commands that the page lists: a page is left in other ways.
pub(super) fn commands() -> impl Iterator<Item = SlashRow> {
    let all = SLASH_COMMANDS.into_iter();
    all.filter(|row| row.command != SlashCommand::Exit)
}

/// The command that a text names.
pub(super) fn command_in(text: &str) -> Option<SlashRow> {
    match parsed(text) {
        SlashTyped::Command(row, _) | SlashTyped::Misused(row) => Some(row),
        SlashTyped::Nothing | SlashTyped::Said(_) | SlashTyped::Unknown(_) => None,
    }
}

/// Parses a text. A `/` that begins several lines or a path is not a command.
fn parsed(text: &str) -> SlashTyped {
    if text.trim().contains('\n') {
        return SlashTyped::Said(text.trim().to_owned());
    }
    parse_slash(text)
}

impl Typed {
    /// Reads a text that was typed in a session.
    pub(super) fn read(text: &str, session: &str) -> Self {
        match parsed(text) {
            SlashTyped::Nothing => Self::Nothing,
            SlashTyped::Said(text) => Self::Said(text),
            SlashTyped::Misused(row) => Self::Misused(row),
            SlashTyped::Unknown(name) => Self::Unknown(name),
            SlashTyped::Command(row, words) => Self::of(row, words, session),
        }
    }

    fn of(row: SlashRow, words: Option<String>, session: &str) -> Self {
        let chat = || format!("/chat/{}", encoded(session));
        let given = words.clone().unwrap_or_default();
        let page = |path: &str| Self::Page(path.to_owned());
        match row.command {
            SlashCommand::New => Self::New,
            SlashCommand::Compact => Self::Compact(words),
            SlashCommand::Title => match words {
                Some(title) => Self::Title(title),
                None => Self::Page(chat()),
            },
            SlashCommand::Model => match words {
                Some(model) => Self::Page(format!("{}?model={}", chat(), encoded(&model))),
                None => page("/status#models"),
            },
            SlashCommand::Resume => match words {
                Some(other) => Self::Page(format!("/chat/{}", encoded(&other))),
                None => page("/sessions"),
            },
            SlashCommand::Memory => match words {
                Some(words) => Self::Page(format!("/memory/search?q={}", encoded(&words))),
                None => page("/memory"),
            },
            SlashCommand::Correct => match line_and_text(&given) {
                Some((line, text)) => Self::Memory(MemoryRequest::Correct { line, text }),
                None => Self::Misused(row),
            },
            SlashCommand::Remember => Self::Memory(MemoryRequest::Remember(given)),
            SlashCommand::Forget => Self::Memory(MemoryRequest::Forget(given)),
            SlashCommand::Undo => Self::Memory(MemoryRequest::Undo(words)),
            SlashCommand::Why => Self::Memory(MemoryRequest::Why(given)),
            SlashCommand::About => page("/memory"),
            SlashCommand::Agenda => match words {
                // Reminders are made in the conversation itself.
                Some(_) => Self::Misused(row),
                None => page("/"),
            },
            SlashCommand::Dream => page("/review"),
            SlashCommand::Context => Self::Page(format!("/context?session={}", encoded(session))),
            SlashCommand::Status => page("/status"),
            SlashCommand::Help => Self::Page(format!("{}#commands", chat())),
            SlashCommand::Exit => page("/"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_text_is_message_or_command() {
        let page = |path: &str| Typed::Page(path.to_owned());
        let memory = |request| Typed::Memory(request);
        for (text, expected) in [
            (" \n", Typed::Nothing),
            (" hello ", Typed::Said("hello".to_owned())),
            (
                "/etc/hosts is a file",
                Typed::Said("/etc/hosts is a file".to_owned()),
            ),
            ("/new\nline", Typed::Said("/new\nline".to_owned())),
            (" /new", Typed::Said("/new".to_owned())),
            ("/new", Typed::New),
            ("/title The garden", Typed::Title("The garden".to_owned())),
            ("/memory ../x&y", page("/memory/search?q=%2E%2E%2Fx%26y")),
            ("/resume //evil.example", page("/chat/%2F%2Fevil%2Eexample")),
            ("/context", page("/context?session=a%20b")),
            ("/model m&x=1", page("/chat/a%20b?model=m%26x%3D1")),
            ("/compact", Typed::Compact(None)),
            (
                "/compact keep  prices",
                Typed::Compact(Some("keep  prices".to_owned())),
            ),
            ("/about", page("/memory")),
            (
                "/remember we moved",
                memory(MemoryRequest::Remember("we moved".to_owned())),
            ),
            (
                "/correct MEMORY.md:5 we moved",
                memory(MemoryRequest::Correct {
                    line: "MEMORY.md:5".to_owned(),
                    text: "we moved".to_owned(),
                }),
            ),
            ("/undo", memory(MemoryRequest::Undo(None))),
            ("/frobnicate", Typed::Unknown("/frobnicate".to_owned())),
        ] {
            assert_eq!(Typed::read(text, "a b"), expected, "{text}");
        }
        for text in [
            "/new now",
            "/correct \"we moved\"",
            "/forget",
            "/agenda add tea",
        ] {
            let read = Typed::read(text, "a b");
            assert!(matches!(read, Typed::Misused(_)), "{text}: {read:?}");
        }
    }

    #[test]
    fn every_command_of_terminal_is_known_to_page() {
        for row in SLASH_COMMANDS {
            let texts = [row.name.to_owned(), format!("{} \"a\" b", row.name)];
            let is_known = texts.iter().any(|text| {
                let read = Typed::read(text, "main");
                !matches!(read, Typed::Unknown(_) | Typed::Misused(_) | Typed::Said(_))
            });
            assert!(is_known, "{}", row.name);
        }
    }
}
