//! The prompt at a terminal: editing a line, history, completion of commands, and input of several lines.
//!
//! Passes typed text only to the chat and the history file.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::{io, thread};

use cli::error::{CliError, ErrorKind};
use cli::output::{Paint, painted_hint, painted_prompt};
use rustix::stdio::stdin;
use rustix::termios::{InputModes, LocalModes, OptionalActions, Termios, tcsetattr};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hint, Hinter};
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Editor, Event, EventContext,
    EventHandler, ExternalPrinter, Helper, KeyCode, KeyEvent, Modifiers, Movement, RepeatCount,
};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::input::{Above, Input, InputEvent, InputPlace, InputRequest};
use super::slash::{completions, hint_while_typing};
use crate::terminal_mode::TerminalMode;

const PROMPT: &str = "> ";

/// Maximum number of lines kept in the history.
const HISTORY_MAX: usize = 1_000;

/// At the end of a line, continues it in the next one.
const CONTINUED: char = '\\';

type Prompt = Editor<Commands, FileHistory>;

/// Shows a prompt whenever a line is requested, and saves lines to the file `history`, if given.
pub(super) fn listen(history: Option<PathBuf>, paint: Paint) -> Result<Input, CliError> {
    let mut prompt = prompt(paint).map_err(|error| {
        CliError::from_error(ErrorKind::Input, &error)
            .doing("opening the terminal")
            .hint("send a single message with `openclaw chat -m TEXT`")
    })?;
    // Start with an empty history if it cannot be read; nothing depends on it.
    if let Some(history) = &history {
        prompt.load_history(history).unwrap_or_default();
    }
    let above = prompt.create_external_printer().ok().map(|mut printer| {
        // Ignore a terminal that is gone.
        Box::new(move |text| printer.print(text).unwrap_or_default()) as Above
    });
    let mut ahead = VecDeque::new();
    Ok(Input::on_thread(
        InputPlace::Terminal(above),
        move |wanted| {
            if let InputRequest::Answer {
                question,
                agreement,
                reply,
            } = wanted
            {
                let word = prompt.readline(&question).unwrap_or_default();
                // A cancelled turn no longer waits for the answer.
                reply.send(agreement.answer(&word)).unwrap_or_default();
                // This is a message typed ahead of the question: send it as the next line.
                if !agreement.is_answered_by(&word) {
                    ahead.push_back(word);
                }
                return None;
            }
            let next = match ahead.pop_front() {
                Some(line) => InputEvent::Line(line),
                None => next_line(&mut prompt),
            };
            if let InputEvent::Line(line) = &next {
                keep(&mut prompt, line, history.as_deref());
            }
            Some(next)
        },
    ))
}

fn prompt(paint: Paint) -> rustyline::Result<Prompt> {
    let config = Config::builder()
        .max_history_size(HISTORY_MAX)?
        .history_ignore_dups(true)?
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .build();
    let mut prompt = Prompt::with_config(config)?;
    prompt.set_helper(Some(Commands { paint }));
    // Do not bind Ctrl-J: an Enter typed before the prompt appears arrives as Ctrl-J.
    let new_line = EventHandler::Simple(Cmd::Newline);
    prompt.bind_sequence(KeyEvent(KeyCode::Enter, Modifiers::ALT), new_line);
    let clear = EventHandler::Conditional(Box::new(ClearFirst));
    prompt.bind_sequence(KeyEvent::ctrl('C'), clear);
    Ok(prompt)
}

/// Adds a line to the history; the chat continues if that fails.
fn keep(prompt: &mut Prompt, line: &str, history: Option<&Path>) {
    prompt.add_history_entry(line).unwrap_or_default();
    if let Some(history) = history {
        prompt.append_history(history).unwrap_or_default();
    }
}

fn next_line(prompt: &mut Prompt) -> InputEvent {
    match prompt.readline(PROMPT) {
        Ok(line) => InputEvent::Line(line.replace(&format!("{CONTINUED}\n"), "\n")),
        Err(ReadlineError::Eof | ReadlineError::Interrupted) => InputEvent::Ended,
        Err(error) => InputEvent::Failed(error.to_string()),
    }
}

/// Makes Ctrl-C clear a line with text; on an empty line it ends the chat.
struct ClearFirst;

impl ConditionalEventHandler for ClearFirst {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        (!context.line().is_empty()).then_some(Cmd::Kill(Movement::WholeBuffer))
    }
}

/// Completes commands and continues lines.
struct Commands {
    paint: Paint,
}

impl Completer for Commands {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..position).unwrap_or_default();
        let found = completions(typed).into_iter().map(|(name, does)| Pair {
            display: format!("{name:<9}  {does}"),
            replacement: name.to_owned(),
        });
        Ok((0, found.collect()))
    }
}

impl Validator for Commands {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if context.input().ends_with(CONTINUED) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

/// A hint after a command that is being typed; never inserted.
struct CommandHint(String);

impl Hint for CommandHint {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Hinter for Commands {
    type Hint = CommandHint;

    fn hint(&self, line: &str, position: usize, _: &rustyline::Context<'_>) -> Option<CommandHint> {
        let told = hint_while_typing(line).filter(|_| position == line.len());
        told.map(CommandHint)
    }
}

impl Highlighter for Commands {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        match self.paint {
            Paint::Coloured => Cow::Owned(painted_prompt(prompt)),
            Paint::Plain => Cow::Borrowed(prompt),
        }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        match self.paint {
            Paint::Coloured => Cow::Owned(painted_hint(hint)),
            Paint::Plain => Cow::Borrowed(hint),
        }
    }
}

impl Helper for Commands {}

/// Turns off echo, line buffering and the translation of Enter until the mode is dropped.
///
/// The line editor saves and restores this mode, so that it alone reads and shows lines. Ctrl-C stays a signal
/// while no prompt is shown.
pub(super) fn quiet() -> Option<TerminalMode> {
    let mode = TerminalMode::begin(|mode| {
        // Without the handler, a signal that ends the process leaves the terminal in this mode.
        restore_when_ended(mode.clone()).unwrap_or_default();
        let unwanted = LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ICANON;
        mode.local_modes.remove(unwanted);
        mode.input_modes.remove(InputModes::ICRNL);
    });
    mode.ok()
}

/// Restores the terminal when a signal ends the process, since `drop` does not run then.
fn restore_when_ended(before: Termios) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        for signal in signals.forever() {
            // Ignore a terminal that is gone; the signal must still take effect.
            tcsetattr(stdin(), OptionalActions::Now, &before).unwrap_or_default();
            emulate_default_handler(signal).unwrap_or_default();
        }
    });
    Ok(())
}
