//! Slash commands: what is one, and the command lines that do the same.

use super::*;

#[track_caller]
fn check(typed: &str, expected: &str) {
    let told = match parse_slash(typed) {
        SlashTyped::Nothing => "-".to_owned(),
        SlashTyped::Said(text) => format!("said {text}"),
        SlashTyped::Command(row, words) => {
            format!("{} {}", row.name, words.unwrap_or_default())
        }
        SlashTyped::Misused(row) => format!("misused {}", row.name),
        SlashTyped::Unknown(name) => format!("unknown {name}"),
    };
    assert_eq!(told.trim(), expected, "{typed:?}");
}

#[test]
fn typed_text_is_message_or_command() {
    check(" \t\n", "-");
    check("  indented\ntwo lines ", "said indented\ntwo lines");
    check("/new \n", "/new");
    check("/quit", "/exit");
    check("/clear", "/new");
    check("/", "/help");
    check("/memory  what is due? ", "/memory what is due?");
    check("/remember that we moved", "/remember that we moved");
    check("/new start", "misused /new");
    check("/quit now", "misused /exit");
    check("/forget", "misused /forget");
    check("/contxt", "unknown /contxt");
    check("/etc/hosts is broken", "said /etc/hosts is broken");
    check("/tmp2 is full", "said /tmp2 is full");
    check(" /new is a word here", "said /new is a word here");
}

#[test]
fn line_of_correction_is_place_or_quoted_words() {
    let split = |words: &str| line_and_text(words).map(|(line, text)| format!("{line}|{text}"));
    for (words, expected) in [
        (
            "MEMORY.md:5 I don't live there",
            Some("MEMORY.md:5|I don't live there"),
        ),
        (
            "\"I live in Graz\" I live in Linz",
            Some("I live in Graz|I live in Linz"),
        ),
        ("\u{201c}in Graz\u{201d} in Linz", Some("in Graz|in Linz")),
        ("MEMORY.md:5", None),
        ("\"I live in Graz\"", None),
        ("\"I live in Graz", None),
    ] {
        assert_eq!(split(words).as_deref(), expected, "{words}");
    }
}

#[test]
fn command_line_of_slash_command_ends_its_options() {
    let line = |command: SlashCommand, words| command.on_command_line(words).map(|it| it.join("|"));
    let correct = line(SlashCommand::Correct, Some("MEMORY.md:5 --now or never"));
    assert_eq!(
        correct.as_deref(),
        Some("memory|correct|--|MEMORY.md:5|--now or never")
    );
    assert_eq!(
        line(SlashCommand::Undo, None).as_deref(),
        Some("dream|undo")
    );
    assert_eq!(line(SlashCommand::Correct, Some("Graz")), None);
    assert_eq!(line(SlashCommand::New, None), None);
}
