//! The slash commands of a chat, in the terminal and on the page: one table for both.
//!
//! Parses what was typed, and carries out nothing.

/// A command of a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlashCommand {
    /// Begins a new conversation in this session.
    New,
    /// Switches to another session, or lists the sessions.
    Resume,
    /// Shows or sets the title.
    Title,
    /// Lists the models, or switches to another.
    Model,
    /// Summarises older messages.
    Compact,
    /// Shows the state of the chat.
    Status,
    /// Shows how the window is used.
    Context,
    /// Shows what memory holds, or searches it.
    Memory,
    /// Shows what memory says about the owner.
    About,
    /// Shows what is coming up, or changes reminders.
    Agenda,
    /// Shows where a line of memory comes from.
    Why,
    /// Writes a line into `MEMORY.md`.
    Remember,
    /// Replaces a line of memory.
    Correct,
    /// Forgets something.
    Forget,
    /// Undoes a change of `MEMORY.md`.
    Undo,
    /// Shows what waits for review.
    Dream,
    /// Lists the commands.
    Help,
    /// Ends the chat.
    Exit,
}

/// Whether a command takes words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlashWords {
    /// It takes none.
    Never,
    /// It may have some.
    Maybe,
    /// It needs some.
    Always,
}

/// A command with its name and what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlashRow {
    /// The command.
    pub command: SlashCommand,
    /// How it is typed, such as `/new`.
    pub name: &'static str,
    /// Whether words may follow.
    pub words: SlashWords,
    /// What it does, in one line.
    pub does: &'static str,
}

/// All commands, in the order in which they are listed.
pub const SLASH_COMMANDS: [SlashRow; 18] = {
    use SlashCommand as Command;
    use SlashWords::{Always, Maybe, Never};
    [
        row(
            Command::New,
            "/new",
            Never,
            "start a new conversation; this one and its notes are saved",
        ),
        row(
            Command::Resume,
            "/resume",
            Maybe,
            "list sessions; `/resume NAME` or `NUMBER` switches to one",
        ),
        row(
            Command::Title,
            "/title",
            Maybe,
            "show the title; `/title TEXT` sets it",
        ),
        row(
            Command::Model,
            "/model",
            Maybe,
            "list models; `/model NAME` switches to another",
        ),
        row(
            Command::Compact,
            "/compact",
            Maybe,
            "summarise older messages; `/compact TEXT` says what to keep",
        ),
        row(
            Command::Status,
            "/status",
            Never,
            "show session, model, window and messages not yet noted",
        ),
        row(
            Command::Context,
            "/context",
            Never,
            "show how the window's tokens are used",
        ),
        row(
            Command::Memory,
            "/memory",
            Maybe,
            "show what memory holds; `/memory QUESTION` searches it",
        ),
        row(
            Command::About,
            "/about",
            Never,
            "show what memory says about you",
        ),
        row(
            Command::Agenda,
            "/agenda",
            Maybe,
            "show what is coming up, with your reminders",
        ),
        row(
            Command::Why,
            "/why",
            Always,
            "`/why PLACE` or `/why WORDS` shows where a line comes from",
        ),
        row(
            Command::Remember,
            "/remember",
            Always,
            "`/remember TEXT` writes TEXT into MEMORY.md",
        ),
        row(
            Command::Correct,
            "/correct",
            Always,
            "`/correct PLACE TEXT` or `/correct \"WORDS\" TEXT` replaces a line",
        ),
        row(
            Command::Forget,
            "/forget",
            Always,
            "`/forget PLACE` or `/forget WORDS` hides it, if you agree",
        ),
        row(
            Command::Undo,
            "/undo",
            Maybe,
            "undo the last change of MEMORY.md; `/undo ID` undoes another",
        ),
        row(
            Command::Dream,
            "/dream",
            Never,
            "show dream candidates awaiting your review",
        ),
        row(Command::Help, "/help", Never, "show this list"),
        row(Command::Exit, "/exit", Never, "end the chat, like Ctrl-D"),
    ]
};

const fn row(
    command: SlashCommand,
    name: &'static str,
    words: SlashWords,
    does: &'static str,
) -> SlashRow {
    SlashRow {
        command,
        name,
        words,
        does,
    }
}

/// The prefix of every command; alone it lists them.
const MENU: &str = "/";

/// Other names of commands.
const ALIASES: [(&str, SlashCommand); 3] = [
    ("/quit", SlashCommand::Exit),
    ("/clear", SlashCommand::New),
    (MENU, SlashCommand::Help),
];

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlashTyped {
    /// Nothing.
    Nothing,
    /// A message.
    Said(String),
    /// A command, with the words after it.
    Command(SlashRow, Option<String>),
    /// A command with words that takes none, or without words that it needs.
    Misused(SlashRow),
    /// A command that does not exist.
    Unknown(String),
}

/// Parses what was typed.
///
/// A command is a slash and one word of letters and hyphens; a path such as /etc/hosts is a message, and so is
/// anything after a leading space.
pub fn parse_slash(typed: &str) -> SlashTyped {
    if typed.trim().is_empty() {
        return SlashTyped::Nothing;
    }
    let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    let is_command = word.strip_prefix(MENU).is_some_and(|name| {
        let mut letters = name.chars();
        letters.all(|letter| letter.is_ascii_alphabetic() || letter == '-')
    });
    if !is_command {
        return SlashTyped::Said(typed.trim().to_owned());
    }
    let mut aliases = ALIASES.into_iter();
    let meant = aliases.find(|(alias, _)| *alias == word);
    let mut rows = SLASH_COMMANDS.into_iter();
    let row = rows.find(|row| match meant {
        Some((_, command)) => row.command == command,
        None => row.name == word,
    });
    let Some(row) = row else {
        return SlashTyped::Unknown(word.to_owned());
    };
    let rest = rest.trim();
    match (row.words, rest.is_empty()) {
        (SlashWords::Never, false) | (SlashWords::Always, true) => SlashTyped::Misused(row),
        (_, is_empty) => SlashTyped::Command(row, (!is_empty).then(|| rest.to_owned())),
    }
}

/// The line and the new text of a correction: the line is the first word, such as a place, or words in quotation marks.
/// `None` if one of them is missing.
pub fn line_and_text(words: &str) -> Option<(String, String)> {
    let (line, text) = match words.strip_prefix(['"', '\u{201c}']) {
        Some(quoted) => quoted.split_once(['"', '\u{201d}'])?,
        None => words.split_once(char::is_whitespace)?,
    };
    let (line, text) = (line.trim(), text.trim());
    let is_whole = !line.is_empty() && !text.is_empty();
    is_whole.then(|| (line.to_owned(), text.to_owned()))
}

impl SlashRow {
    /// Why a session in which others may talk rejects this command; `None` if it accepts it.
    pub fn rejected_among_others(&self) -> Option<String> {
        let Self { command, name, .. } = self;
        let is_rejected = command.is_for_owner();
        is_rejected.then(|| format!("`{name}` does not work here: others may talk in this session"))
    }
}

impl SlashCommand {
    /// The words of the command line that does the same, without the name of the program; `None` if there is none.
    pub fn on_command_line(self, words: Option<&str>) -> Option<Vec<String>> {
        let own: &[&str] = match self {
            Self::About => &["about"],
            Self::Agenda => &["agenda"],
            Self::Why => &["why", "--"],
            Self::Remember => &["memory", "add", "--lasting", "--"],
            Self::Correct => &["memory", "correct", "--"],
            Self::Undo => &["dream", "undo"],
            Self::New
            | Self::Resume
            | Self::Title
            | Self::Model
            | Self::Compact
            | Self::Status
            | Self::Context
            | Self::Memory
            | Self::Forget
            | Self::Dream
            | Self::Help
            | Self::Exit => return None,
        };
        let own = own.iter().map(|it| (*it).to_owned());
        let words = words.unwrap_or_default();
        let words: Vec<String> = if self == Self::Correct {
            let (line, text) = line_and_text(words)?;
            vec![line, text]
        } else if self == Self::Agenda {
            words.split_whitespace().map(str::to_owned).collect()
        } else {
            let words = Some(words).filter(|it| !it.is_empty());
            words.into_iter().map(str::to_owned).collect()
        };
        Some(own.chain(words).collect())
    }

    /// Whether it would show the owner's memory or sessions, or change them.
    fn is_for_owner(self) -> bool {
        match self {
            Self::Resume
            | Self::Memory
            | Self::About
            | Self::Agenda
            | Self::Why
            | Self::Remember
            | Self::Correct
            | Self::Forget
            | Self::Undo
            | Self::Dream => true,
            Self::New
            | Self::Title
            | Self::Model
            | Self::Compact
            | Self::Status
            | Self::Context
            | Self::Help
            | Self::Exit => false,
        }
    }
}

#[cfg(test)]
#[path = "slash_tests.rs"]
mod tests;
