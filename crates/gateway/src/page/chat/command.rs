//! Reads what was typed: a message, or a command as in the terminal.
//!
//! Carries out no command.

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
    /// A command that another page carries out.
    Page(String),
    /// A command that does not exist here.
    Unknown(String),
}

/// The commands with what they do, as the page lists them.
pub(super) const COMMANDS: [(&str, &str); 10] = [
    (
        "/new",
        "begins a new conversation; this one and its notes are saved",
    ),
    ("/title TEXT", "sets the title"),
    (
        "/model NAME",
        "answers with another of your models; without a name, lists them",
    ),
    (
        "/compact WORDS",
        "summarises older messages; the words say what to keep",
    ),
    (
        "/resume NAME",
        "goes to another conversation; without a name, lists them",
    ),
    ("/memory WORDS", "searches memory; without words, shows it"),
    ("/dream", "shows what waits for your decision"),
    ("/context", "shows where the tokens of the next request go"),
    ("/status", "shows the state of the assistant"),
    ("/help", "shows these commands"),
];

impl Typed {
    /// Reads a text that was typed in a session. A `/` that begins several lines or a path is not a command.
    pub(super) fn read(text: &str, session: &str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::Nothing;
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let name = word.strip_prefix('/').filter(|name| is_name(name));
        let Some(name) = name.filter(|_| !text.contains('\n')) else {
            return Self::Said(text.to_owned());
        };
        let rest = rest.trim();
        match (name, rest) {
            ("new" | "clear", "") => Self::New,
            ("title", title) if !title.is_empty() => Self::Title(title.to_owned()),
            ("compact", "") => Self::Compact(None),
            ("compact", words) => Self::Compact(Some(words.to_owned())),
            ("title", "") => Self::Page(format!("/chat/{}", encoded(session))),
            ("model", "") => Self::Page("/status#models".to_owned()),
            ("model", model) => Self::Page(format!(
                "/chat/{}?model={}",
                encoded(session),
                encoded(model)
            )),
            ("exit" | "quit", "") => Self::Page("/".to_owned()),
            ("resume", "") => Self::Page("/sessions".to_owned()),
            ("resume", other) => Self::Page(format!("/chat/{}", encoded(other))),
            ("memory", "") => Self::Page("/memory".to_owned()),
            ("memory", words) => Self::Page(format!("/memory/search?q={}", encoded(words))),
            ("dream", "") => Self::Page("/review".to_owned()),
            ("context", "") => Self::Page(format!("/context?session={}", encoded(session))),
            ("status", "") => Self::Page("/status".to_owned()),
            ("help", "") => Self::Page(format!("/chat/{}#commands", encoded(session))),
            _ => Self::Unknown(word.to_owned()),
        }
    }
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_text_is_message_or_command() {
        let page = |path: &str| Typed::Page(path.to_owned());
        for (text, expected) in [
            (" \n", Typed::Nothing),
            (" hello ", Typed::Said("hello".to_owned())),
            (
                "/etc/hosts is a file",
                Typed::Said("/etc/hosts is a file".to_owned()),
            ),
            ("/new\nline", Typed::Said("/new\nline".to_owned())),
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
            ("/frobnicate", Typed::Unknown("/frobnicate".to_owned())),
            ("/new now", Typed::Unknown("/new".to_owned())),
        ] {
            assert_eq!(Typed::read(text, "a b"), expected, "{text}");
        }
    }
}
