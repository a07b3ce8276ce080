//! Styles streamed Markdown for a terminal: headings, bold text and code. Everything else is printed as written.
//!
//! Works line by line. Holds back only text that may still become a style, and loses none.

/// Maximum number of characters held back to classify a line or to close a style. Beyond that they count as plain
/// text.
const HELD_CHARS_MAX: usize = 300;

/// Opens and closes a code block.
const FENCE: &str = "```";

/// Opens and closes bold text.
const BOLD: &str = "**";

/// A change of style within a text, encoded as one control character.
///
/// This is unambiguous because the printer escapes every control character in its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    BoldOn,
    BoldOff,
    CodeOn,
    CodeOff,
    /// The line must not be wrapped.
    Verbatim,
}

/// Each mark with its character and its terminal escape sequence.
const MARKS: [(Mark, char, &str); 5] = [
    (Mark::BoldOn, '\u{1}', "\u{1b}[1m"),
    (Mark::BoldOff, '\u{2}', "\u{1b}[22m"),
    (Mark::CodeOn, '\u{3}', "\u{1b}[36m"),
    (Mark::CodeOff, '\u{4}', "\u{1b}[39m"),
    (Mark::Verbatim, '\u{e}', ""),
];

impl Mark {
    /// The character that encodes the mark.
    fn character(self) -> char {
        let row = MARKS.iter().find(|(mark, ..)| *mark == self);
        row.map_or(char::REPLACEMENT_CHARACTER, |(_, character, _)| *character)
    }

    /// The mark that a character encodes.
    pub(super) fn of(character: char) -> Option<Self> {
        let mut rows = MARKS.iter();
        let row = rows.find(|(_, own, _)| *own == character)?;
        Some(row.0)
    }

    /// The terminal escape sequence.
    pub(super) fn sequence(self) -> &'static str {
        let row = MARKS.iter().find(|(mark, ..)| *mark == self);
        row.map_or("", |(_, _, sequence)| sequence)
    }
}

/// Converts streamed Markdown to text with marks.
#[derive(Debug, Default)]
pub(super) struct MarkdownPrinter {
    /// Whether to style the text. If not, only the lines that must not be wrapped are marked.
    is_styled: bool,
    line: LineKind,
    is_in_code_block: bool,
    /// The part of the line that was read but is still ambiguous.
    held: String,
    /// The last character of the line before the held part.
    before: Option<char>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum LineKind {
    /// The line is not classified yet.
    #[default]
    Start,
    Text,
    Heading,
    /// The line is in a code block.
    Code,
    /// The line opens or closes a code block.
    Fence,
    TableRow,
}

/// The token at the start of the held text.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    Undecided,
    /// Plain text, with its length in bytes.
    Plain(usize),
    /// A styled span: its length in bytes, and the text to print instead.
    Span(usize, String),
}

/// Whether more text of the line may arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    MayCome,
    None,
}

impl MarkdownPrinter {
    /// A printer that styles the text.
    pub(super) fn styled() -> Self {
        Self {
            is_styled: true,
            ..Self::default()
        }
    }

    /// Takes a piece of text and returns the part that is certain now, with marks.
    pub(super) fn push(&mut self, piece: &str) -> String {
        let mut text = String::new();
        for character in piece.chars() {
            if character == '\n' {
                self.end_line(&mut text);
                text.push('\n');
            } else if character.is_control() && !"\r\t".contains(character) {
                for escaped in character.escape_unicode() {
                    self.take(escaped, &mut text);
                }
            } else {
                self.take(character, &mut text);
            }
        }
        text
    }

    /// Returns the text held back, and starts again for a new text.
    pub(super) fn finish(&mut self) -> String {
        let mut text = String::new();
        self.end_line(&mut text);
        self.is_in_code_block = false;
        text
    }

    fn take(&mut self, character: char, text: &mut String) {
        self.held.push(character);
        if self.line == LineKind::Start {
            self.begin_line(Rest::MayCome, text);
        }
        self.release(Rest::MayCome, text);
        if self.held.chars().count() > HELD_CHARS_MAX {
            self.begin_line(Rest::None, text);
            self.release(Rest::None, text);
        }
    }

    fn end_line(&mut self, text: &mut String) {
        self.begin_line(Rest::None, text);
        let has_closing_ticks = self.line == LineKind::Fence && self.held.contains('`');
        self.release(Rest::None, text);
        match self.line {
            LineKind::Heading => self.mark(Mark::BoldOff, text),
            LineKind::Code => self.mark(Mark::CodeOff, text),
            // "```npm i```" is code within a line and does not open a block.
            LineKind::Fence => {
                self.is_in_code_block = !self.is_in_code_block && !has_closing_ticks;
            }
            LineKind::Start | LineKind::Text | LineKind::TableRow => {}
        }
        self.line = LineKind::Start;
        self.before = None;
    }

    /// Classifies the line by its beginning, once that is certain, and releases the signs there.
    fn begin_line(&mut self, rest: Rest, text: &mut String) {
        if self.line != LineKind::Start || self.held.is_empty() {
            return;
        }
        let Some(kind) = self.classify(rest) else {
            return;
        };
        self.line = kind;
        match kind {
            LineKind::Heading => {
                self.mark(Mark::BoldOn, text);
                let title = self.held.trim_start().trim_start_matches('#');
                self.held = title.trim_start().to_owned();
            }
            LineKind::Code => {
                self.mark(Mark::Verbatim, text);
                self.mark(Mark::CodeOn, text);
            }
            LineKind::Fence => {
                self.mark(Mark::Verbatim, text);
                // The remaining text decides at the end of the line whether this is a fence.
                let n_ticks =
                    self.held.len() - self.held.trim_start().trim_start_matches('`').len();
                let behind = self.held.split_off(n_ticks.min(self.held.len()));
                text.push_str(&std::mem::replace(&mut self.held, behind));
            }
            LineKind::TableRow => self.mark(Mark::Verbatim, text),
            LineKind::Start | LineKind::Text => {}
        }
    }

    fn classify(&self, rest: Rest) -> Option<LineKind> {
        let start = self.held.trim_start();
        let is_certain = rest == Rest::None;
        if start.starts_with(FENCE) {
            let is_behind_ticks = !start.trim_start_matches('`').is_empty();
            return (is_certain || is_behind_ticks).then_some(LineKind::Fence);
        }
        if FENCE.starts_with(start) && !is_certain {
            return None;
        }
        if self.is_in_code_block {
            return Some(LineKind::Code);
        }
        if start.starts_with('|') {
            return Some(LineKind::TableRow);
        }
        let n_hashes = run_length(start, '#');
        if self.is_styled && (1..=6).contains(&n_hashes) {
            match start.get(n_hashes..).and_then(|title| title.chars().next()) {
                Some(' ') => return Some(LineKind::Heading),
                None if !is_certain => return None,
                _ => {}
            }
        }
        Some(LineKind::Text)
    }

    /// Releases the part of the held text that is certain.
    fn release(&mut self, rest: Rest, text: &mut String) {
        match self.line {
            LineKind::Start => {}
            LineKind::Fence if rest == Rest::MayCome => {}
            LineKind::Text | LineKind::Heading if self.is_styled => self.release_inline(rest, text),
            LineKind::Text
            | LineKind::Heading
            | LineKind::Code
            | LineKind::Fence
            | LineKind::TableRow => text.push_str(&std::mem::take(&mut self.held)),
        }
    }

    fn release_inline(&mut self, rest: Rest, text: &mut String) {
        while !self.held.is_empty() {
            let (n_bytes, shown) = match first_token(&self.held, self.before, rest) {
                Token::Undecided => return,
                Token::Plain(n_bytes) => (n_bytes, None),
                Token::Span(n_bytes, shown) => (n_bytes, Some(shown)),
            };
            let after = self.held.split_off(n_bytes.min(self.held.len()));
            let written = std::mem::replace(&mut self.held, after);
            self.before = written.chars().last().or(self.before);
            let shown = shown.unwrap_or(written);
            if self.line == LineKind::Heading {
                // A heading is already bold, and stays bold after bold text in it.
                let is_bold = |it: char| matches!(Mark::of(it), Some(Mark::BoldOn | Mark::BoldOff));
                text.extend(shown.chars().filter(|it| !is_bold(*it)));
            } else {
                text.push_str(&shown);
            }
        }
    }

    fn mark(&self, mark: Mark, text: &mut String) {
        if self.is_styled || mark == Mark::Verbatim {
            text.push(mark.character());
        }
    }
}

fn first_token(text: &str, before: Option<char>, rest: Rest) -> Token {
    let Some(first) = text.chars().next() else {
        return Token::Plain(0);
    };
    match first {
        _ if before == Some('\\') => Token::Plain(first.len_utf8()),
        '`' => code(text, rest),
        '*' => bold(text, rest),
        first => Token::Plain(first.len_utf8()),
    }
}

/// The length in bytes of the run of `character` at the start of a text.
fn run_length(text: &str, character: char) -> usize {
    text.len() - text.trim_start_matches(character).len()
}

fn code(text: &str, rest: Rest) -> Token {
    let n_ticks = run_length(text, '`');
    let body = text.get(n_ticks..).unwrap_or_default();
    if body.is_empty() {
        return undecided_or_plain(rest, n_ticks);
    }
    let mut at = 0;
    while let Some(next) = body.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + next;
        let n_closing = run_length(body.get(start..).unwrap_or_default(), '`');
        let end = start + n_closing;
        if end == body.len() && rest == Rest::MayCome {
            return Token::Undecided;
        }
        if n_closing == n_ticks {
            let inner = body.get(..start).unwrap_or_default();
            return Token::Span(n_ticks + end, styled(Mark::CodeOn, inner, Mark::CodeOff));
        }
        at = end;
    }
    undecided_or_plain(rest, n_ticks)
}

/// Parses bold text, which begins and ends at a word. Other runs of asterisks are printed as written.
fn bold(text: &str, rest: Rest) -> Token {
    let n_signs = run_length(text, '*');
    let body = text.get(n_signs..).unwrap_or_default();
    let Some(first) = body.chars().next() else {
        return undecided_or_plain(rest, n_signs);
    };
    if n_signs != BOLD.len() || first.is_whitespace() {
        return Token::Plain(n_signs);
    }
    let mut at = 0;
    while let Some(next) = body.get(at..).and_then(|rest| rest.find(BOLD)) {
        let start = at + next;
        let end = start + run_length(body.get(start..).unwrap_or_default(), '*');
        let before = body.get(..start).and_then(|it| it.chars().next_back());
        if before.is_some_and(|it| !it.is_whitespace() && it != '\\') {
            if end == body.len() && rest == Rest::MayCome {
                return Token::Undecided;
            }
            // In a longer run, the first asterisks are part of the text.
            let inner = body.get(..end - BOLD.len()).unwrap_or_default();
            let shown = styled(Mark::BoldOn, &code_within(inner), Mark::BoldOff);
            return Token::Span(n_signs + end, shown);
        }
        at = end;
    }
    undecided_or_plain(rest, n_signs)
}

/// Styles code inside bold text.
fn code_within(mut text: &str) -> String {
    let mut shown = String::new();
    while let Some(start) = text.find('`') {
        let (before, rest) = text.split_at(start);
        shown.push_str(before);
        let n_bytes = match code(rest, Rest::None) {
            Token::Span(n_bytes, span) => {
                shown.push_str(&span);
                n_bytes
            }
            Token::Plain(n_bytes) => {
                shown.push_str(rest.get(..n_bytes).unwrap_or_default());
                n_bytes
            }
            Token::Undecided => break,
        };
        text = rest.get(n_bytes..).unwrap_or_default();
    }
    shown + text
}

fn styled(on: Mark, inner: &str, off: Mark) -> String {
    format!("{}{inner}{}", on.character(), off.character())
}

fn undecided_or_plain(rest: Rest, n_bytes: usize) -> Token {
    match rest {
        Rest::MayCome => Token::Undecided,
        Rest::None => Token::Plain(n_bytes),
    }
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
