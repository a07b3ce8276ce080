//! Splits the text around a cue into tokens, in any script.
//!
//! Does not decide whether they are secrets; `likeness` and `prose` do.

use std::ops::Range;

use crate::is_unspaced;

/// A word, a number, or a quoted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SecretToken<'t> {
    pub(super) text: &'t str,
    /// Its byte range in the whole text.
    pub(super) range: Range<usize>,
    pub(super) is_quoted: bool,
    /// Whether `:`, `=` or an arrow comes directly before it.
    pub(super) is_signed: bool,
    /// Whether a sentence or a line ended before it.
    pub(super) is_beyond: bool,
}

/// The tokens of `text`, which begins at `offset` in the whole text.
pub(super) fn tokens(text: &str, offset: usize) -> Vec<SecretToken<'_>> {
    let mut cutter = TokenCutter {
        text,
        offset,
        tokens: Vec::new(),
        is_signed: false,
        is_beyond: false,
    };
    let mut at = 0;
    while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
        at = cutter.step(at, character);
    }
    cutter.tokens
}

struct TokenCutter<'t> {
    text: &'t str,
    offset: usize,
    tokens: Vec<SecretToken<'t>>,
    is_signed: bool,
    is_beyond: bool,
}

impl TokenCutter<'_> {
    /// Consumes the token or separator at `at`; returns the position after it.
    fn step(&mut self, at: usize, character: char) -> usize {
        let behind = at + character.len_utf8();
        if let Some(end) = self.quoted(at, character).or_else(|| self.tag(at)) {
            return end;
        }
        if character == '\0' {
            // The placeholder replaces the value after the sign.
            let rest = self.text.get(at..).unwrap_or("");
            let end = at + rest.len() - rest.trim_start_matches('\0').len();
            self.push(at..end);
            return end;
        }
        // An unmatched or escaped quotation mark separates tokens.
        let is_mark = closing_mark(character).is_some() || self.is_escape(at, character);
        if is_gap(character) || is_mark {
            self.is_signed |= matches!(character, '\u{ff1a}' | '\u{ff1d}' | '\u{2192}');
            self.is_beyond |= ends_sentence(character);
            return behind;
        }
        let end = self.end_of_word(at, character);
        self.word(at, end);
        end
    }

    /// The end of an HTML tag at `at`, because markup is not a word.
    fn tag(&self, at: usize) -> Option<usize> {
        Some(at + tag_length(self.text.get(at..)?)?)
    }

    /// The end of a quoted text that begins at `at`, including both marks.
    fn quoted(&mut self, at: usize, opening: char) -> Option<usize> {
        let closing = closing_mark(opening)?;
        let inner = self.text.get(at + opening.len_utf8()..)?;
        let before = self.text.get(..at)?.chars().next_back();
        if opening == '\'' && before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let length = inner.find(|c: char| closing.contains(&c) || c == '\n')?;
        let quoted = inner.get(..length)?.trim_end_matches('\\');
        let mark = inner.get(length..)?.chars().next()?;
        if quoted.trim().is_empty() || mark == '\n' {
            return None;
        }
        let start = at + opening.len_utf8();
        let head = quoted.len() - quoted.trim_start().len();
        self.push(start + head..start + head + quoted.trim().len());
        if let Some(token) = self.tokens.last_mut() {
            token.is_quoted = true;
        }
        Some(start + length + mark.len_utf8())
    }

    /// Whether a backslash escapes a quotation mark here.
    fn is_escape(&self, at: usize, character: char) -> bool {
        let rest = self.text.get(at..).unwrap_or("");
        character == '\\' && rest.trim_start_matches('\\').starts_with(['"', '\''])
    }

    /// The end of a word: a gap, a quotation mark, or a change to or from a script without spaces.
    fn end_of_word(&self, at: usize, first: char) -> usize {
        let rest = self.text.get(at..).unwrap_or("");
        let script = is_unspaced(first);
        let end = rest.char_indices().find(|(place, c)| {
            let follows = rest.get(place + c.len_utf8()..).unwrap_or("");
            let is_apostrophe = *c == '\'' && follows.starts_with(char::is_alphanumeric);
            *place > 0
                && (is_gap(*c)
                    || closing_mark(*c).is_some() && !is_apostrophe
                    || is_unspaced(*c) != script)
        });
        at + end.map_or(rest.len(), |(place, _)| place)
    }

    /// Adds a word without its surrounding punctuation.
    fn word(&mut self, start: usize, end: usize) {
        let word = self.text.get(start..end).unwrap_or("");
        let is_arrow = matches!(word, "->" | "=>" | "-->" | "==");
        let signs = [':', '='];
        let inner = word.trim_start_matches(['*', '_', '~', '>', '-', ':', '=', ',']);
        let head = word.len() - inner.len();
        self.is_signed |= is_arrow || word.get(..head).is_some_and(|head| head.contains(signs));
        let trimmed = inner.trim_end_matches(['.', ',', ':', ';', '?', '=', '*', '_', '\u{2026}']);
        if !trimmed.is_empty() {
            self.push(start + head..start + head + trimmed.len());
        }
        let tail = inner.get(trimmed.len()..).unwrap_or("");
        self.is_signed |= tail.contains(signs);
        self.is_beyond |= tail.contains(['.', '?', '\u{2026}']) || trimmed.ends_with('!');
    }

    fn push(&mut self, range: Range<usize>) {
        self.tokens.push(SecretToken {
            text: self.text.get(range.clone()).unwrap_or(""),
            range: self.offset + range.start..self.offset + range.end,
            is_quoted: false,
            is_signed: self.is_signed,
            is_beyond: self.is_beyond,
        });
        self.is_signed = false;
    }
}

/// The length in bytes of the HTML tag, such as `<b>`, that begins a text. `<kestrel77>` is not a tag.
pub(super) fn tag_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('<')?;
    let length = inner.find(['<', '>', '\n'])?;
    let (tag, behind) = inner.split_at_checked(length)?;
    let name = tag.strip_prefix('/').unwrap_or(tag);
    let name = name.split([' ', '/']).next()?;
    let is_heading = name.len() == 2 && name.starts_with('h');
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic());
    (behind.starts_with('>') && (is_name || is_heading)).then_some(1 + length + 1)
}

fn ends_sentence(character: char) -> bool {
    matches!(character, '\n' | '\u{3002}' | '\u{ff01}' | '\u{ff1f}')
}

/// Whether a character ends a word.
fn is_gap(character: char) -> bool {
    const MARKS: &str = "\0()[]{}<>;|\u{2192}\u{3000}\u{3001}\u{3002}\u{ff01}\u{ff08}\u{ff09}\u{ff0c}\u{ff1a}\u{ff1b}\u{ff1d}\u{ff1f}";
    character.is_whitespace() || MARKS.contains(character)
}

fn closing_mark(opening: char) -> Option<&'static [char]> {
    Some(match opening {
        '"' => &['"'],
        '\'' => &['\''],
        '`' => &['`'],
        '\u{201c}' | '\u{201e}' | '\u{201d}' => &['\u{201c}', '\u{201d}'],
        '\u{2018}' | '\u{201a}' => &['\u{2018}', '\u{2019}'],
        '\u{ab}' => &['\u{bb}'],
        '\u{bb}' => &['\u{ab}'],
        '\u{300c}' => &['\u{300d}'],
        '\u{300e}' => &['\u{300f}'],
        _ => return None,
    })
}
