//! Separates the writer's own words in a message from pasted text: mail, chats, code, quotations.
//!
//! Goes by structure alone, whatever the language; text of doubtful structure counts as pasted.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::n_words;
use crate::parts::{TagPlace, tagged};

/// Replaces a removed quotation; nobody types this character.
pub const TAKEN_OUT: char = '\u{fffc}';

/// A quotation with this many words is somebody else's.
const QUOTED_WORDS_MIN: usize = 4;

/// Maximum characters of a salutation, signature or label.
const SHORT_LINE_CHARS_MAX: usize = 48;

/// Maximum words of a salutation.
const SALUTATION_WORDS_MAX: usize = 4;

/// Maximum words of a label before a colon, such as the name of a speaker.
const LABEL_WORDS_MAX: usize = 3;

/// A block this large after a short first paragraph was pasted, not typed.
const BLOCK_LINES_MIN: usize = 4;
const BLOCK_CHARS_MIN: usize = 600;

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
/// ```
pub fn own_words(message: &str) -> String {
    own_words_where(message, &|_| false)
}

/// Like [`own_words`], for a caller that knows which labels before a colon are the writer's own, such as `Remember`.
pub fn own_words_where(message: &str, is_own_label: &dyn Fn(&str) -> bool) -> String {
    let lines: Vec<&str> = message.lines().collect();
    let mut own = vec![true; lines.len()];
    leave_out_fences(&lines, &mut own);
    leave_out_marked(message, &lines, &mut own);
    leave_out_dumps(&lines, &mut own);
    leave_out_labelled(&lines, &mut own);
    leave_out_letters(&lines, &mut own);
    leave_out_blocks(&lines, &mut own);
    let mut out = String::with_capacity(message.len());
    for (line, is_own) in lines.iter().zip(own) {
        if is_own {
            let is_other = label(line).is_some_and(|label| !is_own_label(label));
            out.push_str(if is_other { "" } else { line });
        }
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

/// The label of a line such as `Tom: I live in Graz` or `Subject: Rent`.
fn label(line: &str) -> Option<&str> {
    let line = behind_time(line);
    let at = line.find([':', '\u{ff1a}'])?;
    let (label, rest) = line.split_at_checked(at)?;
    let rest = rest.trim_start_matches([':', '\u{ff1a}']);
    let label = label.trim().trim_matches(['*', '_', '-', '[', ']']);
    let is_time_or_address = rest.starts_with("//") || label.chars().all(|c| !c.is_alphabetic());
    let is_joined = at + 1 < line.len() && rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    let is_label =
        !label.is_empty() && n_words(label) <= LABEL_WORDS_MAX && !rest.trim().is_empty();
    (is_label && !is_time_or_address && !is_joined).then_some(label)
}

/// The line without a leading time, as in `[10:02] Tom: hello`.
fn behind_time(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let before = line.strip_suffix(rest).unwrap_or_default();
    let is_time = before.contains(|c: char| c.is_ascii_digit()) && before.contains(':');
    if is_time { rest } else { line }
}

/// Two adjacent labelled lines start headers or a chat, which run to the end of the message.
fn leave_out_labelled(lines: &[&str], own: &mut [bool]) {
    let labelled: Vec<usize> = (0..lines.len())
        .filter(|idx| lines.get(*idx).is_some_and(|line| label(line).is_some()))
        .collect();
    let run = labelled.windows(2).find_map(|pair| match pair {
        [first, second] if second - first <= 2 => Some(*first),
        _ => None,
    });
    if let Some(first) = run {
        own.iter_mut().skip(first).for_each(|own| *own = false);
    }
}

/// Excludes a letter: all from its salutation on, or, before a signature, all after the first paragraph.
fn leave_out_letters(lines: &[&str], own: &mut [bool]) {
    let is_short = |line: &str| {
        let line = line.trim();
        !line.is_empty() && line.chars().count() <= SHORT_LINE_CHARS_MAX
    };
    let last = lines.iter().rposition(|line| !line.trim().is_empty());
    let salutation = (0..lines.len()).find(|idx| {
        let line = lines.get(*idx).copied().unwrap_or_default();
        let before = idx.checked_sub(1).and_then(|before| lines.get(before));
        let begins_paragraph = before.is_none_or(|before| before.trim().is_empty());
        let end = line.trim_end();
        let is_salutation =
            end.ends_with([',', '\u{ff0c}', '\u{3001}']) || *idx > 0 && end.ends_with('!');
        begins_paragraph
            && last.is_some_and(|last| *idx < last)
            && is_short(line)
            && n_words(line) <= SALUTATION_WORDS_MAX
            && is_salutation
    });
    let end = signature(lines);
    // A line just above the name at the end is a closing, not a salutation.
    if let Some(first) = salutation.filter(|first| end.is_none_or(|end| *first < end)) {
        own.iter_mut().skip(first).for_each(|own| *own = false);
        return;
    }
    let Some(end) = end else { return };
    // Without a salutation the letter starts after the first paragraph, or with the message.
    let gap = lines.iter().position(|line| line.trim().is_empty());
    let first = gap.filter(|gap| *gap < end).unwrap_or(0);
    own.iter_mut().skip(first).for_each(|own| *own = false);
}

/// The line of a closing such as `Best, Tom`, or of `Regards,` above a name, at the end of several lines.
fn signature(lines: &[&str]) -> Option<usize> {
    let said: Vec<usize> = (0..lines.len())
        .filter(|idx| lines.get(*idx).is_some_and(|line| !line.trim().is_empty()))
        .collect();
    let [.., before, last] = said.as_slice() else {
        return None;
    };
    let text = |idx: usize| lines.get(idx).map_or("", |line| line.trim());
    let ends_open = |line: &str| line.ends_with([',', '\u{ff0c}']) && n_words(line) <= 4;
    let is_name = |line: &str| {
        let bare = !line.ends_with(['.', '!', '?', '\u{3002}', '\u{ff01}', '\u{ff1f}']);
        bare && n_words(line) <= 4 && line.chars().next().is_some_and(char::is_uppercase)
    };
    let on_one_line = text(*last).split_once(", ").is_some_and(|(closing, name)| {
        n_words(closing) <= 3 && n_words(name) <= 3 && is_name(name) && is_name(closing)
    });
    if said.len() > 2 && ends_open(text(*before)) && is_name(text(*last)) {
        return Some(*before);
    }
    (said.len() > 2 && on_one_line).then_some(*last)
}

/// Excludes a long block after a short first paragraph.
fn leave_out_blocks(lines: &[&str], own: &mut [bool]) {
    let Some(gap) = lines.iter().position(|line| line.trim().is_empty()) else {
        return;
    };
    let (before, after) = lines.split_at_checked(gap).unwrap_or((lines, &[]));
    let n_before: usize = before.iter().map(|line| line.chars().count()).sum();
    let n_after: usize = after.iter().map(|line| line.chars().count()).sum();
    let n_lines = after.iter().filter(|line| !line.trim().is_empty()).count();
    let last = before.last().map_or("", |line| line.trim_end());
    let ends_with_colon = last.ends_with([':', '\u{ff1a}']);
    let opens = ends_with_colon || last.ends_with(['?', '\u{ff1f}', '\u{2026}']);
    let is_block = n_after >= BLOCK_CHARS_MIN || opens && n_lines >= BLOCK_LINES_MIN;
    let is_introduced = n_before > 0 && n_after > 2 * n_before;
    if is_block && is_introduced || opens && n_lines > 0 && before.len() == 1 && ends_with_colon {
        own.iter_mut().skip(gap).for_each(|own| *own = false);
    }
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
