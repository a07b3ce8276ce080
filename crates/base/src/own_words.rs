//! Separates the writer's own words in a message from pasted matter: quotations, code, mail, chat transcripts.
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

/// Maximum characters of a salutation.
const SHORT_LINE_CHARS_MAX: usize = 48;

/// Maximum words of a salutation.
const SALUTATION_WORDS_MAX: usize = 4;

/// Maximum words of a closing, and of the name below it.
const CLOSING_WORDS_MAX: usize = 4;

/// Maximum words of a label before a colon, such as the name of a speaker.
const LABEL_WORDS_MAX: usize = 3;

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
/// let said = base::own_words("Can you answer this?\n\nDear Judit,\nI live in Palermo.\nBest, Tom");
/// assert_eq!(said.trim(), "Can you answer this?");
/// assert_eq!(base::own_words("Good news: we moved to Graz").trim(), "Good news: we moved to Graz");
/// ```
pub fn own_words(message: &str) -> String {
    let lines: Vec<&str> = message.lines().collect();
    let mut own = vec![true; lines.len()];
    leave_out_fences(&lines, &mut own);
    leave_out_marked(message, &lines, &mut own);
    leave_out_dumps(&lines, &mut own);
    leave_out_headers(&lines, &mut own);
    leave_out_transcripts(&lines, &mut own);
    leave_out_letters(&lines, &mut own);
    let mut out = String::with_capacity(message.len());
    for (line, is_own) in lines.iter().zip(own) {
        out.push_str(if is_own { line } else { "" });
        out.push('\n');
    }
    without_quotations(&out)
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
        let first = line + n_lines(at..tagged.range.start);
        at = tagged.range.end;
        line = first + n_lines(tagged.range);
        if tagged.is_closed {
            let shown = own.get_mut(first..=line).into_iter().flatten();
            shown.for_each(|own| *own = false);
        }
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
    let written: Vec<usize> = (0..lines.len())
        .filter(|idx| lines.get(*idx).is_some_and(|line| is_written(line)))
        .collect();
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

/// The label of a line such as `Tom: I live in Graz` or `Subject: Rent`, and the text after the colon.
fn labelled(line: &str) -> Option<(&str, &str)> {
    let (label, text) = line.split_once([':', '\u{ff1a}'])?;
    let (label, text) = (label.trim(), text.trim());
    let is_label = label.starts_with(char::is_alphabetic) && n_words(label) <= LABEL_WORDS_MAX;
    (is_label && !text.is_empty() && !text.starts_with("//")).then_some((label, text))
}

/// Header fields of a mail (RFC 5322), in lower case.
const HEADER_FIELDS: [&str; 7] = ["from", "to", "cc", "subject", "date", "sent", "reply-to"];

/// Minimum adjacent labelled lines above an empty line that are the headers of a mail in any language.
const HEADERS_MIN: usize = 3;

/// Excludes a mail, from its headers to the end of the message. A header block begins a paragraph and consists of
/// lines with different labels of one word. One of them is a field of the standard or holds an address; or there are
/// several, and a text follows after an empty line.
fn leave_out_headers(lines: &[&str], own: &mut [bool]) {
    let is_blank = |idx: usize| lines.get(idx).is_none_or(|line| line.trim().is_empty());
    let last = lines.iter().rposition(|line| !line.trim().is_empty());
    let mut first = 0;
    while first < lines.len() {
        let rest = lines.get(first..).unwrap_or_default();
        let fields = rest.iter().map_while(|line| labelled(line));
        let fields = fields.take_while(|(label, _)| !label.contains(char::is_whitespace));
        let fields: Vec<(String, &str)> = fields
            .map(|(label, text)| (label.to_lowercase(), text))
            .collect();
        let labels: BTreeSet<&str> = fields.iter().map(|(label, _)| label.as_str()).collect();
        let is_field = |(label, text): &(String, &str)| {
            HEADER_FIELDS.contains(&label.as_str()) || text.contains('@')
        };
        let end = first + fields.len();
        let has_body = is_blank(end) && last.is_some_and(|last| last > end);
        let is_mail = fields.iter().any(is_field) || fields.len() >= HEADERS_MIN && has_body;
        let begins = first.checked_sub(1).is_none_or(is_blank);
        if begins && fields.len() > 1 && labels.len() == fields.len() && is_mail {
            own.iter_mut().skip(first).for_each(|own| *own = false);
            return;
        }
        first = end.max(first + 1);
    }
}

/// Excludes a chat transcript, from its first line to the end of the message: adjacent labelled lines of which two
/// begin with a time, or in which a speaker takes turns with another.
fn leave_out_transcripts(lines: &[&str], own: &mut [bool]) {
    let mut first = None;
    let (mut speakers, mut last, mut n_timed) = (BTreeSet::new(), "", 0);
    for (idx, line) in lines.iter().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let spoken = behind_time(line);
        let Some((speaker, _)) = labelled(spoken) else {
            (first, n_timed) = (None, 0);
            speakers.clear();
            continue;
        };
        n_timed += usize::from(spoken.len() < line.len());
        let has_turns = !speakers.insert(speaker) && last != speaker;
        last = speaker;
        let first = *first.get_or_insert(idx);
        if has_turns || n_timed > 1 {
            own.iter_mut().skip(first).for_each(|own| *own = false);
            return;
        }
    }
}

/// The line without a leading time, as in `[10:02] Tom: hello`.
fn behind_time(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let before = line.strip_suffix(rest).unwrap_or_default();
    let is_time = before.contains(|c: char| c.is_ascii_digit()) && before.contains(':');
    if is_time { rest } else { line }
}

/// Excludes a letter with salutation and signature. Without an introduction before it, the whole message is one.
fn leave_out_letters(lines: &[&str], own: &mut [bool]) {
    let Some(end) = signature(lines) else { return };
    let salutation = (0..end).find(|idx| {
        let line = lines.get(*idx).map_or("", |line| line.trim());
        let before = idx.checked_sub(1).and_then(|before| lines.get(before));
        let begins_paragraph = before.is_none_or(|before| before.trim().is_empty());
        let is_salutation = line.ends_with([',', '!', '\u{ff0c}', '\u{3001}']);
        begins_paragraph
            && is_salutation
            && line.chars().count() <= SHORT_LINE_CHARS_MAX
            && n_words(line) <= SALUTATION_WORDS_MAX
    });
    if let Some(first) = salutation {
        own.iter_mut().skip(first).for_each(|own| *own = false);
    }
}

/// The line of a closing such as `Best, Tom`, or of `Regards` above a name, at the end of several lines.
fn signature(lines: &[&str]) -> Option<usize> {
    let mut said = (0..lines.len()).rev();
    let mut next = || said.find(|idx| lines.get(*idx).is_some_and(|line| !line.trim().is_empty()));
    let (last, before, _) = (next()?, next()?, next()?);
    let text = |idx: usize| lines.get(idx).map_or("", |line| line.trim());
    let is_short = |line: &str| {
        let ends = [
            '.', '!', '?', ':', '\u{3002}', '\u{ff01}', '\u{ff1f}', '\u{ff1a}',
        ];
        !line.ends_with(ends) && n_words(line) <= CLOSING_WORDS_MAX
    };
    let is_name = |line: &str| {
        is_short(line)
            && line
                .chars()
                .next()
                .is_some_and(|first| !first.is_lowercase() && first.is_alphabetic())
    };
    let on_one_line = text(last).split_once(", ").is_some_and(|(closing, name)| {
        n_words(closing) <= 3 && n_words(name) <= 3 && is_name(name) && is_name(closing)
    });
    if is_short(text(before)) && is_name(text(last)) {
        return Some(before);
    }
    on_one_line.then_some(last)
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
