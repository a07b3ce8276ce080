//! Splits a message into sentences, aware of Markdown.
//!
//! Judges no sentence; drops what is not prose: code, headings, rules.

/// Bytes read from each end of a text; a longer one is a dump that no person wrote.
const READ_BYTES: usize = 48 * 1024;

/// Most sentences taken from one text.
const SENTENCES_MAX: usize = 1_000;

/// A longer line before a list does not introduce it.
const LEAD_CHARS_MAX: usize = 90;

/// If a line is at least this long and the next starts in lower case, it was wrapped.
const WRAPPED_CHARS_MIN: usize = 60;

/// Starts of code lines pasted without a fence; none opens an English sentence that also holds a code symbol.
#[rustfmt::skip]
const CODE_STARTS: &[&str] = &[
    "import ", "def ", "async def ", "elif ", "function ", "const ", "export ", "#include", "#!",
    "//", "/*", "*/", "</", "<!", "$ ", ">>> ", "SELECT ", "INSERT INTO ", "CREATE TABLE ", "raise ",
    "return ", "throw ", "except ",
];

const CODE_ENDS: &[&str] = &["{", "}", "};", ");", "=>", "/>", "[", "(", "],", "},", "\\"];

const CODE_SYMBOLS: &[u8] = b"{}[]<>=;$\\^_";

/// One sentence of prose, with white space folded and markers stripped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// The words as written.
    pub(crate) text: String,
    /// Its kind of block.
    pub(crate) place: SentencePlace,
    /// The introduction of its list, up to the colon.
    pub(crate) lead: Option<String>,
}

/// The kind of block that holds a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SentencePlace {
    /// Running text.
    Prose,
    /// An item of a list.
    Item,
    /// A quotation: someone else's words.
    Quote,
    /// A row of a table.
    Row,
}

/// The sentences of a text, in order.
pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let mut reader = ParagraphReader::default();
    for part in ends(text) {
        for line in part.lines() {
            reader.line(line);
            if reader.sentences.len() >= SENTENCES_MAX {
                reader.sentences.truncate(SENTENCES_MAX);
                return reader.sentences;
            }
        }
        reader.end_paragraph();
    }
    reader.sentences
}

/// The whole text, or both ends of one too long to be prose.
fn ends(text: &str) -> Vec<&str> {
    if text.len() <= 2 * READ_BYTES {
        return vec![text];
    }
    let (head, rest) = text.split_at(text.floor_char_boundary(READ_BYTES));
    let (_, tail) = rest.split_at(rest.ceil_char_boundary(rest.len() - READ_BYTES));
    // Drop the lines cut in two, unless there is only one.
    vec![
        head.rsplit_once('\n').map_or(head, |(lines, _)| lines),
        tail.split_once('\n').map_or(tail, |(_, lines)| lines),
    ]
}

#[derive(Default)]
struct ParagraphReader {
    sentences: Vec<Sentence>,
    paragraph: String,
    place: Option<SentencePlace>,
    lead: Option<String>,
    fence: Option<&'static str>,
}

impl ParagraphReader {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(fence) = ["```", "~~~"].into_iter().find(|f| trimmed.starts_with(f)) {
            self.fence = match self.fence {
                None => Some(fence),
                Some(open) if open == fence => None,
                other => other,
            };
            self.end_paragraph();
            self.lead = None;
            return;
        }
        if self.fence.is_some() {
            return;
        }
        if trimmed.is_empty() {
            self.end_paragraph();
        } else if is_heading(trimmed) || is_ruler(trimmed) {
            self.end_paragraph();
            self.lead = None;
        } else if let Some(item) = list_item(trimmed) {
            self.begin(SentencePlace::Item, item);
        } else if let Some(quoted) = trimmed.strip_prefix('>').filter(|_| !is_code(trimmed)) {
            self.begin(SentencePlace::Quote, quoted.trim());
        } else if let Some(row) = table_row(trimmed) {
            self.begin(SentencePlace::Row, &row);
        } else if is_code(trimmed) {
            self.end_paragraph();
        } else if self.continues(trimmed) {
            self.paragraph.push(' ');
            self.paragraph.push_str(trimmed);
        } else {
            if !line.starts_with(char::is_whitespace) {
                self.end_paragraph();
                self.lead = None;
            }
            self.begin(SentencePlace::Prose, trimmed);
        }
    }

    fn begin(&mut self, place: SentencePlace, text: &str) {
        self.end_paragraph();
        self.paragraph.push_str(text);
        self.place = Some(place);
    }

    /// Whether a line continues a wrapped line.
    fn continues(&self, line: &str) -> bool {
        let lower = line.chars().next().is_some_and(char::is_lowercase);
        let wrapped = self.paragraph.len() >= WRAPPED_CHARS_MIN
            && !self.paragraph.ends_with(['.', '!', '?', ':', ';']);
        lower && wrapped
    }

    fn end_paragraph(&mut self) {
        let paragraph = fold(&std::mem::take(&mut self.paragraph));
        let Some(place) = self.place.take() else {
            return;
        };
        let mut texts = base::sentences(&paragraph);
        if place == SentencePlace::Prose && paragraph.ends_with(':') {
            let lead = texts.pop();
            let lead = lead.filter(|lead| lead.chars().count() <= LEAD_CHARS_MAX);
            self.lead = lead.map(str::to_owned);
        }
        let lead = self.lead.as_ref().filter(|_| place == SentencePlace::Item);
        let found = texts.into_iter().map(|text| Sentence {
            text: text.to_owned(),
            place,
            lead: lead.cloned(),
        });
        self.sentences.extend(found);
    }
}

fn is_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_bold_line = line.starts_with("**") && (line.ends_with("**") || line.ends_with("**:"));
    (1..=6).contains(&level) && line.get(level..).is_some_and(|rest| rest.starts_with(' '))
        || is_bold_line && line.matches("**").count() == 2
}

fn is_ruler(line: &str) -> bool {
    !line.chars().any(char::is_alphanumeric)
}

/// The text after a bullet, a number or a checkbox.
fn list_item(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "+ ", "\u{2022} ", "\u{2013} "];
    let mut bullets = bullet.into_iter();
    let rest = bullets.find_map(|marker| line.strip_prefix(marker));
    let rest = rest.or_else(|| base::numbered(line))?.trim_start();
    let mut boxes = ["[ ] ", "[x] ", "[X] "].into_iter();
    boxes
        .find_map(|mark| rest.strip_prefix(mark))
        .or(Some(rest))
}

/// The cells of a table row, separated by bars; `None` with fewer than two.
fn table_row(line: &str) -> Option<String> {
    let inner = line.strip_prefix('|')?;
    let cells = inner.split('|').map(str::trim);
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    (cells.len() > 1).then(|| cells.join(" | "))
}

/// Whether a line outside a fence is code.
pub(crate) fn is_code(line: &str) -> bool {
    // Test reports mark the failing line with `>`.
    let line = line.trim_start_matches(['>', ' ']);
    let symbols = line.bytes().filter(|byte| CODE_SYMBOLS.contains(byte));
    let n_symbols = symbols.count();
    let begins = CODE_STARTS.iter().any(|start| line.starts_with(start));
    let ends = CODE_ENDS.iter().any(|end| line.ends_with(end));
    let is_dense = n_symbols >= 3 && n_symbols * 4 > line.len();
    is_dense || begins && (ends || n_symbols > 0) || ends && line.contains(['(', '=', '{'])
}

/// Folds a text into one line: white space and control characters become single spaces; bold marks and HTML comment
/// delimiters are dropped.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let plain = without_bold(text).replace("<!--", " ").replace("-->", " ");
    for character in plain.chars() {
        if !character.is_whitespace() && !character.is_control() {
            folded.push(character);
        } else if !folded.is_empty() && !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Removes `**` as a bold mark, but keeps it as an operator.
fn without_bold(text: &str) -> String {
    let mut parts = text.split("**");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_operator = plain.ends_with(char::is_alphanumeric)
            && part.starts_with(char::is_alphanumeric)
            || plain.ends_with('`')
            || part.starts_with(char::is_alphanumeric) && plain.ends_with('(');
        if is_operator {
            plain.push_str("**");
        }
        plain.push_str(part);
    }
    plain
}

#[cfg(test)]
#[path = "paragraph_tests.rs"]
mod tests;
