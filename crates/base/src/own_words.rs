//! Separates the writer's own words in a message from pasted matter: quotations, code, mail with its headers.
//!
//! Goes by form alone, whatever the language; what does not have such a form is the writer's own.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::n_words;
use crate::parts::{TagPlace, tagged};

/// Replaces a removed quotation; nobody types this character.
pub const TAKEN_OUT: char = '\u{fffc}';

/// A quotation with this many words is somebody else's.
const QUOTED_WORDS_MIN: usize = 4;

/// Minimum machine-written lines, at least every second one, of a dump: a diff, a log, code, a table.
const DUMP_LINES_MIN: usize = 3;

/// Minimum share of symbols in a machine-written line, in percent.
const SIGNS_PERCENT: usize = 10;

/// A line starts with a timestamp if its first `TIME_CHARS` characters hold this many digits, and colons.
const TIME_DIGITS_MIN: usize = 10;
const TIME_CHARS: usize = 20;

/// Opening quotation marks, each with its possible closing marks.
const QUOTATION_MARKS: [(char, &[char]); 8] = [
    ('"', &['"']),
    ('\u{201c}', &['\u{201d}']),
    ('\u{201e}', &['\u{201c}', '\u{201d}']),
    ('\u{ab}', &['\u{bb}']),
    ('\u{bb}', &['\u{ab}']),
    ('\u{300c}', &['\u{300d}']),
    ('\u{300e}', &['\u{300f}']),
    ('\u{201d}', &['\u{201d}']),
];

/// The writer's own words in a message; the rest is blanked, which keeps line numbers, with [`TAKEN_OUT`] for each
/// quotation.
///
/// # Examples
///
/// ```
/// let said = base::own_words("Can you answer this?\n\n> I live in Palermo.\n\nTom wrote \"I am not at home\".");
/// assert_eq!(said.replace(base::TAKEN_OUT, "..."), "Can you answer this?\n\n\n\nTom wrote ....\n");
/// ```
pub fn own_words(message: &str) -> String {
    without_quotations(&own_lines(message))
}

/// The writer's own lines in a message, with the quotations inside them; the other lines are blank.
pub fn own_lines(message: &str) -> String {
    let lines: Vec<&str> = message.lines().collect();
    let mut own = vec![true; lines.len()];
    leave_out_fences(&lines, &mut own);
    leave_out_marked(message, &lines, &mut own);
    leave_out_dumps(&lines, &mut own);
    leave_out_headers(&lines, &mut own);
    let mut out = String::with_capacity(message.len());
    for (line, is_own) in lines.iter().zip(own) {
        out.push_str(if is_own { line } else { "" });
        out.push('\n');
    }
    out
}

fn leave_out_fences(lines: &[&str], own: &mut [bool]) {
    let mut fence: Option<&str> = None;
    for (line, own) in lines.iter().zip(own) {
        let start = line.trim_start();
        let mut marks = ["```", "~~~"].into_iter();
        let mark = marks.find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                *own = false;
            }
            (Some(_) | None, _) => {}
        }
        *own &= fence.is_none();
    }
}

/// Excludes lines marked as quoted, markup or tables, and everything in tags that begin a line.
fn leave_out_marked(message: &str, lines: &[&str], own: &mut [bool]) {
    for (line, own) in lines.iter().zip(own.iter_mut()) {
        let line = line.trim_start();
        *own &= !line.starts_with(['>', '<', '|']);
    }
    let n_lines =
        |range: Range<usize>| message.get(range).unwrap_or_default().matches('\n').count();
    let (mut at, mut line) = (0, 0);
    for tagged in tagged(message, TagPlace::LineStart) {
        let first = line + n_lines(at..tagged.start);
        at = tagged.end;
        line = first + n_lines(tagged);
        let shown = own.get_mut(first..=line).into_iter().flatten();
        shown.for_each(|own| *own = false);
    }
}

/// Excludes a dump: from the first to the last machine-written line, and to the end of its paragraph.
fn leave_out_dumps(lines: &[&str], own: &mut [bool]) {
    let is_diff = lines.iter().any(|line| line.starts_with("@@ -"));
    // A list may use one of the marks as its bullet; a diff has both.
    let has = |mark| lines.iter().any(|line| is_marked(line, &[mark]));
    let has_both = has('+') && has('-');
    let is_written = |line: &str| {
        is_machines(line) || (is_diff || has_both) && is_marked(line, &['+', '-', '@'])
    };
    // What stands in a fence is left out by itself: the words behind it are the writer's own.
    let open = lines.iter().zip(own.iter()).enumerate();
    let written = open.filter(|(_, (line, own))| **own && is_written(line));
    let written: Vec<usize> = written.map(|(idx, _)| idx).collect();
    let (Some(first), Some(last)) = (written.first(), written.last()) else {
        return;
    };
    let span = lines.get(*first..=*last).unwrap_or_default();
    let n_said = span.iter().filter(|it| !it.trim().is_empty()).count();
    if !is_diff && (written.len() < DUMP_LINES_MIN || written.len() * 2 < n_said) {
        return;
    }
    // Context lines of a diff start with a space.
    let goes_on = |line: &&&str| {
        is_diff && (line.is_empty() || line.starts_with([' ', '+', '-', '\\']))
            || !is_diff && !line.trim().is_empty()
    };
    let rest = lines.get(last + 1..).unwrap_or_default();
    let n_rest = rest.iter().take_while(goes_on).count();
    let shown = own.iter_mut().take(last + 1 + n_rest).skip(*first);
    shown.for_each(|own| *own = false);
}

/// Whether a line starts with a diff mark that no whitespace follows.
fn is_marked(line: &str, marks: &[char]) -> bool {
    let mut opening = line.chars();
    opening.next().is_some_and(|it| marks.contains(&it))
        && opening.next().is_some_and(|it| !it.is_whitespace())
}

/// Whether a line looks machine-written: a time to the second, columns, code, or more symbols than prose has.
fn is_machines(line: &str) -> bool {
    let stamp: Vec<char> = line.chars().take(TIME_CHARS).collect();
    let n_digits = stamp.iter().filter(|it| it.is_ascii_digit()).count();
    let is_part = |trio: &&[char]| matches!(trio, [before, ':', after] if before.is_ascii_digit() && after.is_ascii_digit());
    let is_timed = n_digits >= TIME_DIGITS_MIN && stamp.windows(3).filter(is_part).count() > 1;
    let around: Vec<char> = format!(" {line} ").chars().collect();
    let is_sign = |trio: &&[char]| match trio {
        [_, own, _] if "#$@[]\\^_{}|~<>=+".contains(*own) => true,
        // Punctuation inside a word, except hyphens, apostrophes, and numbers such as 9:30.
        [before, own, after] if own.is_ascii_punctuation() && !"-'*`".contains(*own) => {
            let is_number = before.is_ascii_digit() && after.is_ascii_digit();
            !before.is_whitespace() && !after.is_whitespace() && !is_number
        }
        _ => false,
    };
    let n_signs = around.windows(3).filter(is_sign).count();
    let n_graphic = around.iter().filter(|it| !it.is_whitespace()).count();
    let end = line.trim_end();
    let is_code = end.ends_with(['{', '}']) || end.ends_with(';') && end.contains(['(', '=']);
    let n_columns = line.trim().matches(['\t', '|']).count();
    is_timed
        || is_code
        || n_columns > 1
        || n_signs > 1 && n_signs * 100 >= n_graphic * SIGNS_PERCENT
}

/// The label of a line such as `Subject: Rent`, in lower case, and the text after the colon.
fn labelled(line: &str) -> Option<(String, &str)> {
    let (label, text) = line.split_once([':', '\u{ff1a}'])?;
    let (label, text) = (label.trim(), text.trim());
    let is_label = label.starts_with(char::is_alphabetic) && !label.contains(char::is_whitespace);
    (is_label && !text.is_empty() && !text.starts_with("//")).then(|| (label.to_lowercase(), text))
}

/// The header field of a mail's sender (RFC 5322), in lower case.
const SENDER_FIELD: &str = "from";

/// Header fields (RFC 5322) that no list of the writer's has beside `From`, as a journey has a `To` and a `Date`.
const MAIL_FIELDS: [&str; 5] = ["subject", "cc", "bcc", "reply-to", "message-id"];

/// Minimum labelled lines, with an address in angle brackets, that are the headers of a mail in any language.
const HEADERS_MIN: usize = 3;

/// Excludes a mail, from its headers to the end of the message. A header block begins a paragraph and consists of
/// lines with different labels of one word. It has the sender's field and another of the standard; or an address in
/// angle brackets, and a field of the standard or several lines; or in several lines two addresses and a time of day, as
/// no list of contacts has.
fn leave_out_headers(lines: &[&str], own: &mut [bool]) {
    let is_blank = |idx: usize| lines.get(idx).is_none_or(|line| line.trim().is_empty());
    let mut first = 0;
    while first < lines.len() {
        let rest = lines.get(first..).unwrap_or_default();
        let fields: Vec<(String, &str)> = rest.iter().map_while(|line| labelled(line)).collect();
        let labels: BTreeSet<&str> = fields.iter().map(|(label, _)| label.as_str()).collect();
        let has_sender = labels.contains(SENDER_FIELD);
        let has_field = MAIL_FIELDS.iter().any(|field| labels.contains(field));
        let has_address = fields.iter().any(|(_, text)| holds_address(text));
        let has_time = fields.iter().any(|(_, text)| holds_time(text));
        let n_addresses = fields.iter().filter(|(_, text)| is_address(text)).count();
        let is_mail = has_sender && has_field
            || has_time && n_addresses > 1 && fields.len() >= HEADERS_MIN
            || has_address && (has_sender || has_field || fields.len() >= HEADERS_MIN);
        let begins = first.checked_sub(1).is_none_or(is_blank);
        if begins && fields.len() > 1 && labels.len() == fields.len() && is_mail {
            own.iter_mut().skip(first).for_each(|own| *own = false);
            return;
        }
        first += fields.len().max(1);
    }
}

/// Whether a text is an address and nothing else.
fn is_address(text: &str) -> bool {
    let parts = text.split_once('@');
    parts.is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !text.contains(char::is_whitespace)
    })
}

/// Whether a text holds a time of day, as in `9:30`.
fn holds_time(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let is_time = |four: &[char]| matches!(four, [hour, ':', ten, one] if [hour, ten, one].iter().all(|it| it.is_ascii_digit()));
    letters.windows(4).any(is_time)
}

/// Whether a text holds an address in angle brackets, as in `Tom <tom@example.org>`.
fn holds_address(text: &str) -> bool {
    let mut behind = text.split('<').skip(1);
    behind.any(|behind| {
        let address = behind.split_once('>').map(|(address, _)| address);
        address.is_some_and(|it| it.contains('@') && !it.contains(char::is_whitespace))
    })
}

/// Replaces quotations of several words, paragraph by paragraph; quoted single words and titles stay.
fn without_quotations(text: &str) -> String {
    let paragraphs: Vec<String> = text.split("\n\n").map(unquoted).collect();
    paragraphs.join("\n\n")
}

fn unquoted(paragraph: &str) -> String {
    let mut out = String::with_capacity(paragraph.len());
    // Searching for each missing closing mark only once keeps this linear.
    let mut unclosed = BTreeSet::new();
    let mut characters = paragraph.chars();
    while let Some(open) = characters.next() {
        let marks = QUOTATION_MARKS.iter().find(|(own, _)| *own == open);
        let ends = marks.filter(|_| !unclosed.contains(&open));
        let quotation = ends.and_then(|(_, ends)| characters.as_str().split_once(*ends));
        let Some((inside, behind)) = quotation else {
            unclosed.extend(ends.map(|_| open));
            out.push(open);
            continue;
        };
        if n_words(inside) < QUOTED_WORDS_MIN {
            out.push_str(inside);
        } else {
            out.extend(inside.chars().filter(|c| *c == '\n'));
            out.push(TAKEN_OUT);
        }
        characters = behind.chars();
    }
    out
}

#[cfg(test)]
#[path = "own_words_tests.rs"]
mod tests;
