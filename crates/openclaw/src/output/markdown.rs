//! Markdown as it comes: what is bold, what is code and what is a heading, marked for a terminal.
//!
//! Holds back no more than what may still become one of these, and loses no character of anything else.

/// The longest text that is held back between two marks, in characters; beyond it the first mark was none.
const HELD_CHARS_MAX: usize = 300;

/// What opens and closes a listing.
const FENCE: &str = "```";

/// A change of style in the midst of a text. No other control character is let through, so that none can
/// be taken for one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    BoldOn,
    BoldOff,
    CodeOn,
    CodeOff,
}

impl Mark {
    const ALL: [Self; 4] = [Self::BoldOn, Self::BoldOff, Self::CodeOn, Self::CodeOff];

    /// The character that stands for it.
    fn character(self) -> char {
        match self {
            Self::BoldOn => '\u{1}',
            Self::BoldOff => '\u{2}',
            Self::CodeOn => '\u{3}',
            Self::CodeOff => '\u{4}',
        }
    }

    /// The mark that a character stands for.
    pub(super) fn of(character: char) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|mark| mark.character() == character)
    }

    /// What a terminal understands.
    pub(super) fn sequence(self) -> &'static str {
        match self {
            Self::BoldOn => "\u{1b}[1m",
            Self::BoldOff => "\u{1b}[22m",
            Self::CodeOn => "\u{1b}[36m",
            Self::CodeOff => "\u{1b}[39m",
        }
    }
}

/// Markdown that comes in pieces.
#[derive(Debug, Default)]
pub(super) struct Markdown {
    /// The beginning of the line, while it may be that of a heading or a listing.
    start: Option<String>,
    line: Line,
    held: Held,
    listing: Listing,
}

/// What the rest of the line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Line {
    #[default]
    Text,
    Heading,
    /// Taken as it is.
    Raw,
}

/// Whether a listing is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Listing {
    Open,
    #[default]
    Closed,
}

/// What may become bold or code.
#[derive(Debug, Default, PartialEq, Eq)]
enum Held {
    #[default]
    Nothing,
    /// So many backticks.
    Ticks(usize),
    /// Code between so many backticks, and how many stand at its end so far.
    Code {
        n_ticks: usize,
        text: String,
        n_closing: usize,
    },
    /// One asterisk, or two.
    Asterisk,
    Asterisks,
    /// Bold text, and whether an asterisk stands at its end.
    Bold {
        text: String,
        n_closing: usize,
    },
}

impl Markdown {
    /// At the beginning of a text.
    pub(super) fn new() -> Self {
        Self {
            start: Some(String::new()),
            ..Self::default()
        }
    }

    /// Takes a piece; gives what is certain now, with marks.
    pub(super) fn push(&mut self, piece: &str) -> String {
        let mut text = String::new();
        for character in piece.chars() {
            if character.is_control() && !"\n\r\t".contains(character) {
                for escaped in character.escape_unicode() {
                    self.take(escaped, &mut text);
                }
            } else {
                self.take(character, &mut text);
            }
        }
        text
    }

    /// Gives what was held back.
    pub(super) fn finish(&mut self) -> String {
        let mut text = String::new();
        self.end_line(&mut text);
        *self = Self::new();
        text
    }

    fn take(&mut self, character: char, text: &mut String) {
        if character == '\n' {
            self.end_line(text);
            text.push('\n');
            self.start = Some(String::new());
            return;
        }
        let Some(start) = &mut self.start else {
            return self.inline(character, text);
        };
        if matches!(character, ' ' | '#' | '`') && start.len() < HELD_CHARS_MAX {
            start.push(character);
            return;
        }
        self.begin_line(text);
        self.inline(character, text);
    }

    /// Decides what the line is, by its beginning.
    fn begin_line(&mut self, text: &mut String) {
        let start = self.start.take().unwrap_or_default();
        let trimmed = start.trim_start();
        let n_hashes = trimmed.trim_end().len();
        let is_heading = trimmed.ends_with(' ')
            && (1..=6).contains(&n_hashes)
            && trimmed.trim_end().chars().all(|character| character == '#');
        if trimmed.starts_with(FENCE) {
            self.listing = match self.listing {
                Listing::Open => Listing::Closed,
                Listing::Closed => Listing::Open,
            };
            self.line = Line::Raw;
            text.push_str(&start);
        } else if self.listing == Listing::Open {
            self.line = Line::Raw;
            text.push_str(&start);
        } else if is_heading {
            self.line = Line::Heading;
            text.push(Mark::BoldOn.character());
        } else {
            self.line = Line::Text;
            for character in start.chars() {
                self.inline(character, text);
            }
        }
    }

    fn end_line(&mut self, text: &mut String) {
        if self.start.is_some() {
            self.begin_line(text);
        }
        self.let_go(text);
        if self.line == Line::Heading {
            text.push(Mark::BoldOff.character());
        }
        self.line = Line::Text;
    }

    fn inline(&mut self, character: char, text: &mut String) {
        if self.line == Line::Raw {
            text.push(character);
            return;
        }
        match (&mut self.held, character) {
            (Held::Nothing, '`') => self.held = Held::Ticks(1),
            (Held::Nothing, '*') => self.held = Held::Asterisk,
            (Held::Nothing, character) => text.push(character),
            (Held::Ticks(n_ticks), '`') => *n_ticks += 1,
            (Held::Ticks(n_ticks), character) => {
                self.held = Held::Code {
                    n_ticks: *n_ticks,
                    text: character.to_string(),
                    n_closing: 0,
                };
            }
            (Held::Code { n_closing, .. }, '`') => *n_closing += 1,
            (
                Held::Code {
                    n_ticks, n_closing, ..
                },
                character,
            ) if n_closing == n_ticks => {
                self.let_go(text);
                self.inline(character, text);
            }
            (
                Held::Code {
                    text: code,
                    n_closing,
                    ..
                },
                character,
            ) => {
                code.extend(std::iter::repeat_n('`', std::mem::take(n_closing)));
                code.push(character);
            }
            (Held::Asterisk, '*') => self.held = Held::Asterisks,
            (Held::Asterisks, character) if !character.is_whitespace() && character != '*' => {
                self.held = Held::Bold {
                    text: character.to_string(),
                    n_closing: 0,
                };
            }
            (Held::Asterisk | Held::Asterisks, character) => {
                self.let_go(text);
                self.inline(character, text);
            }
            (Held::Bold { n_closing, .. }, '*') => {
                *n_closing += 1;
                if *n_closing == 2 {
                    self.let_go(text);
                }
            }
            (
                Held::Bold {
                    text: bold,
                    n_closing,
                },
                character,
            ) => {
                bold.extend(std::iter::repeat_n('*', std::mem::take(n_closing)));
                bold.push(character);
            }
        }
        self.let_go_of_long(text);
    }

    fn let_go_of_long(&mut self, text: &mut String) {
        let n_chars = match &self.held {
            Held::Code { text, .. } | Held::Bold { text, .. } => text.chars().count(),
            Held::Nothing | Held::Ticks(_) | Held::Asterisk | Held::Asterisks => 0,
        };
        if n_chars > HELD_CHARS_MAX {
            self.let_go(text);
        }
    }

    /// Gives what was held: dressed where it is closed, else as it was written.
    fn let_go(&mut self, text: &mut String) {
        match std::mem::take(&mut self.held) {
            Held::Nothing => {}
            Held::Ticks(n_ticks) => text.extend(std::iter::repeat_n('`', n_ticks)),
            Held::Asterisk => text.push('*'),
            Held::Asterisks => text.push_str("**"),
            Held::Code {
                n_ticks,
                text: code,
                n_closing,
            } if n_closing == n_ticks => {
                text.push(Mark::CodeOn.character());
                text.push_str(&code);
                text.push(Mark::CodeOff.character());
            }
            Held::Code {
                n_ticks,
                text: code,
                n_closing,
            } => {
                text.extend(std::iter::repeat_n('`', n_ticks));
                text.push_str(&code);
                text.extend(std::iter::repeat_n('`', n_closing));
            }
            Held::Bold {
                text: bold,
                n_closing: 2,
            } if !bold.ends_with(char::is_whitespace) => {
                text.push(Mark::BoldOn.character());
                self.code_in(&bold, text);
                text.push(Mark::BoldOff.character());
                if self.line == Line::Heading {
                    text.push(Mark::BoldOn.character());
                }
            }
            Held::Bold {
                text: bold,
                n_closing,
            } => {
                text.push_str("**");
                self.code_in(&bold, text);
                text.extend(std::iter::repeat_n('*', n_closing));
            }
        }
    }

    /// Code inside of something else, where no asterisk means anything.
    fn code_in(&mut self, bold: &str, text: &mut String) {
        for character in bold.chars() {
            if character == '*' && self.held == Held::Nothing {
                text.push('*');
            } else {
                self.inline(character, text);
            }
        }
        self.let_go(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks as they can be read.
    fn shown(text: &str) -> String {
        let shown = text.chars().map(|character| match Mark::of(character) {
            Some(Mark::BoldOn) => "[b]".to_owned(),
            Some(Mark::BoldOff) => "[/b]".to_owned(),
            Some(Mark::CodeOn) => "[c]".to_owned(),
            Some(Mark::CodeOff) => "[/c]".to_owned(),
            None => character.to_string(),
        });
        shown.collect()
    }

    /// However the text is cut into pieces, the same comes out.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut whole = Markdown::new();
        let at_once = whole.push(text) + &whole.finish();
        assert_eq!(shown(&at_once), expected, "{text:?}");
        let mut parts = Markdown::new();
        let mut by_one: String = text
            .chars()
            .map(|character| parts.push(&character.to_string()))
            .collect();
        by_one.push_str(&parts.finish());
        assert_eq!(by_one, at_once, "{text:?}");
    }

    #[test]
    fn what_is_marked_is_dressed() {
        check("a **bold word** here", "a [b]bold word[/b] here");
        check("run `cargo test` now", "run [c]cargo test[/c] now");
        check("``a ` b``", "[c]a ` b[/c]");
        check("**see `x`**.", "[b]see [c]x[/c][/b].");
        check("# Title\ntext", "[b]Title[/b]\ntext");
        check("### A **b** c", "[b]A [b]b[/b][b] c[/b]");
        check("- **one**\n- two", "- [b]one[/b]\n- two");
    }

    #[test]
    fn what_is_no_mark_stays_as_it_was_written() {
        for plain in [
            "2 * 3 * 4",
            "f(*args, **kwargs)",
            "**open",
            "** not bold **",
            "`open",
            "a `` b",
            "#hashtag",
            "####### seven",
            "#",
            "*",
            "**",
            "***",
            "`",
            "a*b**c",
            "*light*",
            "  #",
        ] {
            check(plain, plain);
        }
        check("**a\nb**", "**a\nb**");
        check("", "");
        check("\n\n", "\n\n");
    }

    #[test]
    fn a_listing_is_left_as_it_is() {
        let listing = "```rust\nlet a = **b; // `x`\n# no heading\n```\n";
        check(&format!("{listing}**b**"), &format!("{listing}[b]b[/b]"));
        check("  ```\n**a**", "  ```\n**a**");
    }

    #[test]
    fn i16_no_text_brings_marks_of_its_own_and_none_is_held_for_ever() {
        check("a\u{1}b\u{1b}[2J", "a\\u{1}b\\u{1b}[2J");
        let mut long = Markdown::new();
        let text = format!("**{}", "x".repeat(HELD_CHARS_MAX + 1));
        assert_eq!(long.push(&text), text);
    }
}
