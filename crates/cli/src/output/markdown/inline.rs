//! Parses bold, italic, code and links in a line that arrives character by character.
//!
//! Knows nothing of lines, headings and tables.

use super::mark::Mark;

/// The most characters held back for a mark that may still be closed; after that it counts as text.
const HELD_CHARS_MAX: usize = 300;

/// Parses one line; may hold back its end.
#[derive(Debug, Default)]
pub(super) struct Inline {
    held: String,
    before: Option<char>,
}

/// The token at the start of a text.
#[derive(Debug, PartialEq, Eq)]
enum InlineToken {
    Undecided,
    Plain(usize),
    /// The bytes it takes, and the text to show instead.
    Span(usize, String),
}

/// Whether more of the line may arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    MayCome,
    None,
}

impl Inline {
    /// Takes a character; appends to `text` what is certain now.
    pub(super) fn take(&mut self, character: char, text: &mut String) {
        self.held.push(character);
        self.let_go(Rest::MayCome, text);
        if self.held.chars().count() > HELD_CHARS_MAX {
            self.let_go(Rest::None, text);
        }
    }

    /// Ends the line; appends the held-back text.
    pub(super) fn finish(&mut self, text: &mut String) {
        self.let_go(Rest::None, text);
        self.before = None;
    }

    fn let_go(&mut self, rest: Rest, text: &mut String) {
        while !self.held.is_empty() {
            let (taken, shown) = match found(&self.held, self.before, rest) {
                InlineToken::Undecided => return,
                InlineToken::Plain(n_bytes) => (n_bytes, None),
                InlineToken::Span(n_bytes, shown) => (n_bytes, Some(shown)),
            };
            let after = self.held.split_off(taken.min(self.held.len()));
            let taken = std::mem::replace(&mut self.held, after);
            self.before = taken.chars().last().or(self.before);
            text.push_str(&shown.unwrap_or(taken));
        }
    }
}

/// Parses a complete text.
pub(super) fn marked(text: &str) -> String {
    let mut inline = Inline::default();
    inline.held.push_str(text);
    let mut marked = String::new();
    inline.finish(&mut marked);
    marked
}

fn found(text: &str, before: Option<char>, rest: Rest) -> InlineToken {
    let Some(first) = text.chars().next() else {
        return InlineToken::Plain(0);
    };
    if before == Some('\\') {
        return InlineToken::Plain(first.len_utf8());
    }
    match first {
        '`' => code(text, rest),
        '*' => emphasis(text, (first, before), rest),
        // Not within a word: identifiers contain underscores.
        '_' if !before.is_some_and(char::is_alphanumeric) => emphasis(text, (first, before), rest),
        '[' => link(text, rest),
        first => InlineToken::Plain(first.len_utf8()),
    }
}

/// The length in bytes of the run of `character` at the start of a text.
fn run_of(text: &str, character: char) -> usize {
    text.len() - text.trim_start_matches(character).len()
}

fn code(text: &str, rest: Rest) -> InlineToken {
    let n_ticks = run_of(text, '`');
    let body = text.get(n_ticks..).unwrap_or_default();
    if body.is_empty() {
        return undecided_or_plain(rest, n_ticks);
    }
    let mut at = 0;
    while let Some(next) = body.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + next;
        let n_closing = run_of(body.get(start..).unwrap_or_default(), '`');
        let end = start + n_closing;
        if end == body.len() && rest == Rest::MayCome {
            return InlineToken::Undecided;
        }
        if n_closing == n_ticks {
            let inner = body.get(..start).unwrap_or_default();
            return InlineToken::Span(n_ticks + end, dressed(Mark::CodeOn, inner));
        }
        at = end;
    }
    undecided_or_plain(rest, n_ticks)
}

fn emphasis(text: &str, (sign, before): (char, Option<char>), rest: Rest) -> InlineToken {
    let n_signs = run_of(text, sign);
    let body = text.get(n_signs..).unwrap_or_default();
    let Some(first) = body.chars().next() else {
        return undecided_or_plain(rest, n_signs);
    };
    let is_within_word = n_signs == 1 && before.is_some_and(char::is_alphanumeric);
    let most = if sign == '_' { 1 } else { 3 };
    if first.is_whitespace() || n_signs > most || is_within_word {
        return InlineToken::Plain(n_signs);
    }
    let start = match closing(body, (sign, n_signs), rest) {
        Ok(start) => start,
        Err(unclosed) => return unclosed,
    };
    let inner = marked(body.get(..start).unwrap_or_default());
    let shown = match n_signs {
        1 => dressed(Mark::ItalicOn, &inner),
        2 => dressed(Mark::BoldOn, &inner),
        _ => dressed(Mark::BoldOn, &dressed(Mark::ItalicOn, &inner)),
    };
    InlineToken::Span(n_signs + start + n_signs, shown)
}

/// Finds the run of signs that closes an opening run of `n_signs`: after a word, not within one. The error is what an
/// unclosed run counts as.
fn closing(body: &str, (sign, n_signs): (char, usize), rest: Rest) -> Result<usize, InlineToken> {
    let mut at = 0;
    while let Some(next) = body.get(at..).and_then(|rest| rest.find(sign)) {
        let start = at + next;
        let found = run_of(body.get(start..).unwrap_or_default(), sign);
        let end = start + found;
        let before = body.get(..start).and_then(|it| it.chars().next_back());
        let after = body.get(end..).and_then(|it| it.chars().next());
        let follows_word = before.is_some_and(|it| !it.is_whitespace() && it != '\\');
        // Bold may end within a word: scripts without spaces need that.
        let ends_word = n_signs > 1 || !after.is_some_and(char::is_alphanumeric);
        // In a longer run, the first signs close a mark inside the bold text.
        let is_enough = found == n_signs || (n_signs > 1 && found > n_signs);
        if follows_word && is_enough {
            if after.is_none() && rest == Rest::MayCome {
                return Err(InlineToken::Undecided);
            }
            if ends_word {
                return Ok(end - n_signs);
            }
        }
        at = end;
    }
    Err(undecided_or_plain(rest, n_signs))
}

fn link(text: &str, rest: Rest) -> InlineToken {
    let Some(end) = text.find(']') else {
        return undecided_or_plain(rest, 1);
    };
    let name = text.get(1..end).unwrap_or_default();
    let after = text.get(end + 1..).unwrap_or_default();
    let Some(target) = after.strip_prefix('(') else {
        return if after.is_empty() {
            undecided_or_plain(rest, 1)
        } else {
            InlineToken::Plain(1)
        };
    };
    let mut depth = 1_usize;
    let close = target.char_indices().find(|(_, character)| {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let Some((close, _)) = close else {
        return undecided_or_plain(rest, 1);
    };
    let target = target.get(..close).unwrap_or_default();
    if name.trim().is_empty() || !is_address(target) {
        return InlineToken::Plain(1);
    }
    let shown = dressed(Mark::LinkOn, &marked(name));
    let shown = if name == target {
        shown
    } else {
        format!("{shown} ({target})")
    };
    InlineToken::Span(end + "](".len() + close + 1, shown)
}

/// Whether the text in parentheses is an address with an optional title.
fn is_address(target: &str) -> bool {
    let (address, title) = target.split_once(' ').unwrap_or((target, ""));
    !address.is_empty() && (title.is_empty() || title.starts_with(['"', '\'']))
}

fn dressed(on: Mark, inner: &str) -> String {
    let off = on.end().map(Mark::character);
    let mut text = String::from(on.character());
    text.push_str(inner);
    text.extend(off);
    text
}

fn undecided_or_plain(rest: Rest, n_bytes: usize) -> InlineToken {
    match rest {
        Rest::MayCome => InlineToken::Undecided,
        Rest::None => InlineToken::Plain(n_bytes),
    }
}
