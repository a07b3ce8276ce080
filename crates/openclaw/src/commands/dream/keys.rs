//! Reads the owner's wishes in a review: single keys at a terminal, lines elsewhere.
//!
//! Decides nothing.

use std::io::{self, BufRead, IsTerminal};

use cli::output::wrap;
use rustix::io::{read, retry_on_intr};
use rustix::stdio::stdin;
use rustix::termios::{OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::prelude::*;
use crate::terminal_mode::TerminalMode;

const KEYS: &str = "[a]ccept  [e]dit  [r]eject  [s]kip  [o]pen the source  [u]ndo  [q]uit  [?]";

/// The same with older candidates next to the one that is shown.
const KEYS_BESIDE: &str =
    "[a]ccept  [e]dit  [r]eject  [n]ewer holds  [s]kip  [o]pen the source  [u]ndo  [q]uit  [?]";

const LAST_KEYS: &str = "[u]ndo the last decision, or any other key to end";

pub(super) const KEYS_EXPLAINED: &str = "  a  accept: add the line to MEMORY.md
  e  edit: reword it, then add it to MEMORY.md
  r  reject: never propose it again
  n  newer holds: accept it, and reject the older ones shown with it
  s  skip: leave it waiting
  o  open the source: show the messages or notes behind it in full
  u  undo: undo your last decision
  q  quit: keep your decisions, leave the rest waiting (also Ctrl-C, Ctrl-D, Esc)
";

const NEW_WORDS: &str = "in your words > ";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    Accept,
    Edit,
    Reject,
    /// Accept it, and reject the older ones about the same subject.
    Newer,
    Skip,
    Open,
    Undo,
    Explain,
    Unknown,
    Quit,
}

impl Wish {
    fn of(key: char) -> Self {
        match key.to_ascii_lowercase() {
            'a' => Self::Accept,
            'e' => Self::Edit,
            'r' => Self::Reject,
            'n' => Self::Newer,
            's' => Self::Skip,
            'o' => Self::Open,
            'u' => Self::Undo,
            'q' | '\u{3}' | '\u{4}' | '\u{1b}' => Self::Quit,
            '?' | 'h' => Self::Explain,
            _ => Self::Unknown,
        }
    }

    /// A key, or one of its words in full: "no" must not count as its first letter.
    fn of_line(line: &str) -> Self {
        const WORDS: [&str; 8] = [
            "accept", "edit", "reject", "newer", "skip", "open", "undo", "quit",
        ];
        let mut letters = line.chars();
        match (letters.next(), letters.next()) {
            (None, _) => Self::Explain,
            (Some(key), None) => Self::of(key),
            (Some(key), Some(_)) if WORDS.contains(&line.to_lowercase().as_str()) => Self::of(key),
            (Some(_), Some(_)) => Self::Unknown,
        }
    }
}

/// Asks for a key at a terminal, or for a line elsewhere; the end of input is [`Wish::Quit`].
pub(super) fn ask(context: &mut Context) -> Result<Wish> {
    let wish = ask_for(KEYS, context)?;
    // Without older ones there is no newer one: `n` would accept where it may mean no.
    Ok(if wish == Wish::Newer {
        Wish::Unknown
    } else {
        wish
    })
}

/// Like [`ask`], where the newer of two candidates can be chosen.
pub(super) fn ask_beside_older(context: &mut Context) -> Result<Wish> {
    ask_for(KEYS_BESIDE, context)
}

/// Asks whether to undo the last decision when no candidate is left.
pub(super) fn asks_to_undo(context: &mut Context) -> Result<bool> {
    Ok(ask_for(LAST_KEYS, context)? == Wish::Undo)
}

fn ask_for(keys: &str, context: &mut Context) -> Result<Wish> {
    let columns = context.host.environment.stdout().text_columns();
    let keys = wrap(keys, columns.saturating_sub(" > ".len()), "");
    // Before the prompt, or the terminal would echo a key that is pressed early.
    let pressed = is_at_terminal(context).then(|| TerminalMode::begin(make_raw));
    let pressed = pressed.transpose()?;
    context.output.text(&format!("{keys} > "))?;
    let (wish, shown) = if pressed.is_some() {
        key()?
    } else if let Some(line) = line()? {
        let typed = line.trim();
        let wish = Wish::of_line(typed);
        // Echo the answer, which makes the output of a script readable.
        (wish, typed.to_owned())
    } else {
        (Wish::Quit, String::new())
    };
    context.output.text(&format!("{shown}\n"))?;
    Ok(wish)
}

/// Whether stdin and stdout are both terminals; nobody sees a prompt that goes into a file.
fn is_at_terminal(context: &Context) -> bool {
    let environment = &context.host.environment;
    environment.stdin.is_terminal()
        && environment.stdout().is_terminal()
        && io::stdin().is_terminal()
}

fn key() -> io::Result<(Wish, String)> {
    let Some(byte) = first_byte()? else {
        // The terminal is gone.
        return Ok((Wish::Quit, String::new()));
    };
    let typed = char::from(byte);
    let wish = match rest_of(byte)? {
        0 => Wish::of(typed),
        // An arrow key, or a letter that is not ASCII.
        _ => Wish::Unknown,
    };
    let shown = Some(typed).filter(char::is_ascii_graphic);
    Ok((wish, shown.map(String::from).unwrap_or_default()))
}

/// Raw mode, for single keys. A signal, as for a resize, interrupts reads, which are then retried.
fn make_raw(mode: &mut Termios) {
    let output_modes = mode.output_modes;
    mode.make_raw();
    mode.output_modes = output_modes;
}

fn first_byte() -> io::Result<Option<u8>> {
    let mut byte = [0];
    let n_read = retry_on_intr(|| read(stdin(), &mut byte))?;
    let [byte] = byte;
    Ok((n_read > 0).then_some(byte))
}

/// Reads the rest of a key that began with `first`; returns how many bytes that was.
fn rest_of(first: u8) -> io::Result<usize> {
    let mut rest = [0; 16];
    let n_wanted = match first {
        // Whatever has arrived already: the Escape key alone sends nothing more.
        0x1b => rest.len(),
        0xc0..=0xdf => 1,
        0xe0..=0xef => 2,
        0xf0..=0xff => 3,
        _ => return Ok(0),
    };
    let mut ready = tcgetattr(stdin())?;
    ready.special_codes[SpecialCodeIndex::VMIN] = 0;
    tcsetattr(stdin(), OptionalActions::Now, &ready)?;
    let wanted = rest.get_mut(..n_wanted).unwrap_or_default();
    Ok(retry_on_intr(|| read(stdin(), &mut *wanted))?)
}

/// Lets the owner edit the words of a finding; `None` if none are left.
pub(super) fn new_words(finding: &str, context: &mut Context) -> Result<Option<String>> {
    let words = if is_at_terminal(context) {
        edited(finding)?
    } else {
        context.output.text(NEW_WORDS)?;
        let line = line()?.unwrap_or_default();
        context.output.text(&format!("{line}\n"))?;
        line
    };
    let words = words.trim().to_owned();
    Ok(Some(words).filter(|words| !words.is_empty()))
}

fn edited(finding: &str) -> Result<String> {
    let failed = |error: ReadlineError| {
        CliError::from_error(ErrorKind::Input, &error)
            .doing("reading your words")
            .hint("edit `Finding:` in DREAMS.md, or pipe the answers in")
    };
    let mut editor = DefaultEditor::new().map_err(failed)?;
    match editor.readline_with_initial(NEW_WORDS, (finding, "")) {
        Ok(words) => Ok(words),
        Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(String::new()),
        Err(error) => Err(failed(error)),
    }
}

fn line() -> Result<Option<String>> {
    let mut line = Vec::new();
    let n_read = io::stdin().lock().read_until(b'\n', &mut line)?;
    Ok((n_read > 0).then(|| String::from_utf8_lossy(&line).trim_end().to_owned()))
}
