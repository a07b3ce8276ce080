//! Separates the writer's own words in a message from pasted text: quotations, code, mail with its headers.
//!
//! Looks at the form only, in any language; text without such a form counts as the writer's own.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::n_words;
use crate::parts::{TagPlace, tagged};

/// Replaces a removed quotation; nobody types this character.
pub const TAKEN_OUT: char = '\u{fffc}';

/// A quotation with at least this many words counts as another person's words.
const QUOTED_WORDS_MIN: usize = 4;

/// Minimum number of machine-written lines in a dump (a diff, a log, code, a table). At least every second line must
/// be machine-written.
const DUMP_LINES_MIN: usize = 3;

/// Minimum share of symbols in a machine-written line, in percent.
const SIGNS_PERCENT: usize = 10;

/// A line starts with a timestamp if its first `TIME_CHARS` characters contain colons and at least this many digits.
const TIME_DIGITS_MIN: usize = 10;
const TIME_CHARS: usize = 20;

/// Opening quotation marks, each with its possible closing marks.
const QUOTATION_MARKS: [(char, &[char]); 10] = [
    ('"', &['"']),
    ('\u{201c}', &['\u{201d}']),
    ('\u{201e}', &['\u{201c}', '\u{201d}']),
    ('\u{ab}', &['\u{bb}']),
    ('\u{bb}', &['\u{ab}']),
    ('\u{300c}', &['\u{300d}']),
    ('\u{300e}', &['\u{300f}']),
    ('\u{201d}', &['\u{201d}']),
    (SINGLE, &[APOSTROPHE]),
    ('\u{201a}', &[SINGLE, APOSTROPHE]),
];

/// Closes a quotation, unless a letter follows it, as in a word.
const APOSTROPHE: char = '\u{2019}';

const SINGLE: char = '\u{2018}';

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
    leave_out_chats(&lines, &mut own);
    let (n_before, n_bytes) = mail_start(&lines).unwrap_or((lines.len(), 0));
    let mut out = String::with_capacity(message.len());
    for (idx, (line, is_own)) in lines.iter().zip(own).enumerate() {
        let said = match idx.cmp(&n_before) {
            Ordering::Less => line,
            Ordering::Equal => line.get(..n_bytes).unwrap_or_default(),
            Ordering::Greater => "",
        };
        out.push_str(if is_own { said } else { "" });
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
///
/// A quoted mail follows a line that says who wrote it and when.
fn leave_out_marked(message: &str, lines: &[&str], own: &mut [bool]) {
    let mut next = lines.iter().skip(1);
    for (line, own) in lines.iter().zip(own.iter_mut()) {
        let line = line.trim();
        let is_quoted = next
            .next()
            .is_some_and(|it| it.trim_start().starts_with('>'));
        let is_attribution = is_quoted && line.ends_with(COLONS) && is_dated(line);
        *own &= !line.starts_with(['>', '<', '|']) && !is_attribution;
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

/// Excludes a dump: from the first to the last machine-written line, and up to the end of the paragraph.
fn leave_out_dumps(lines: &[&str], own: &mut [bool]) {
    let is_diff = lines.iter().any(|line| line.starts_with("@@ -"));
    // A list may use one of the marks for its items, but a diff uses both.
    let has = |mark| lines.iter().any(|line| is_marked(line, &[mark]));
    let has_both = has('+') && has('-');
    let is_written = |line: &str| {
        is_machines(line) || (is_diff || has_both) && is_marked(line, &['+', '-', '@'])
    };
    // The lines in a code fence are left out separately, because the text after the fence is the writer's own.
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
    // Context lines of a diff begin with a space.
    let goes_on = |line: &&&str| {
        is_diff && (line.is_empty() || line.starts_with([' ', '+', '-', '\\']))
            || !is_diff && !line.trim().is_empty()
    };
    let rest = lines.get(last + 1..).unwrap_or_default();
    let n_rest = rest.iter().take_while(goes_on).count();
    let shown = own.iter_mut().take(last + 1 + n_rest).skip(*first);
    shown.for_each(|own| *own = false);
}

/// Excludes the messages of an exported chat, each up to the end of its paragraph. One line that looks like such a
/// message counts only if it is a paragraph of a longer text: an appointment may look the same.
fn leave_out_chats(lines: &[&str], own: &mut [bool]) {
    let is_blank = |idx: Option<usize>| {
        let line = idx.and_then(|idx| lines.get(idx));
        line.is_none_or(|line| line.trim().is_empty())
    };
    let chats = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_chat_message(line));
    let chats: Vec<usize> = chats.map(|(idx, _)| idx).collect();
    let is_paragraph = |idx: usize| is_blank(idx.checked_sub(1)) && is_blank(Some(idx + 1));
    let is_export = match chats.as_slice() {
        [] => false,
        [only] => {
            let mut others = lines.iter().enumerate().filter(|(idx, _)| idx != only);
            is_paragraph(*only) && others.any(|(_, line)| !line.trim().is_empty())
        }
        _ => true,
    };
    let mut is_shown = false;
    for (idx, (line, own)) in lines.iter().zip(own).enumerate() {
        let is_message = is_export && chats.binary_search(&idx).is_ok();
        is_shown = is_message || is_shown && !line.trim().is_empty();
        *own &= !is_shown;
    }
}

/// Whether a line is a message as messengers export it: `2/11/26, 10:01 - Petra Tarn: Hello`, or with brackets around
/// the date and the time.
fn is_chat_message(line: &str) -> bool {
    let line = line
        .trim_start_matches(['[', '\u{200e}', '\u{200f}'])
        .trim_start();
    let Some((date, rest)) = line.split_once(',') else {
        return false;
    };
    let parts: Vec<&str> = date.split(['.', '/', '-']).collect();
    let is_number = |part: &&str| !part.is_empty() && part.chars().all(|it| it.is_ascii_digit());
    let mut behind = rest.splitn(2, [']', '-']);
    let (time, said) = (
        behind.next().unwrap_or_default(),
        behind.next().unwrap_or_default(),
    );
    let named = said.split_once(COLONS);
    parts.len() == 3
        && parts.iter().all(is_number)
        && holds_time(time)
        && time.chars().filter(|it| it.is_alphabetic()).count() <= MERIDIEM_LETTERS_MAX
        && named.is_some_and(|(name, text)| !name.trim().is_empty() && !text.trim().is_empty())
}

/// The letters of `am` or `p. m.` after a time of day.
const MERIDIEM_LETTERS_MAX: usize = 2;

/// Whether a line starts with a diff mark that no whitespace follows.
fn is_marked(line: &str, marks: &[char]) -> bool {
    let mut opening = line.chars();
    opening.next().is_some_and(|it| marks.contains(&it))
        && opening.next().is_some_and(|it| !it.is_whitespace())
}

/// Whether a line looks machine-written: it has a time with seconds, columns, code, or more symbols than prose.
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

const COLONS: [char; 2] = [':', '\u{ff1a}'];

/// Maximum number of words in a label, as in `Reply to` or `Enviado el`.
const LABEL_WORDS_MAX: usize = 2;

/// The label of a line such as `Subject: Rent`, in lower case, and the text after the colon.
fn labelled(line: &str) -> Option<(String, &str)> {
    let (label, text) = line.split_once(COLONS)?;
    let (label, text) = (label.trim(), text.trim());
    let is_label = label.starts_with(char::is_alphabetic) && n_words(label) <= LABEL_WORDS_MAX;
    (is_label && !text.is_empty() && !text.starts_with("//")).then(|| (label.to_lowercase(), text))
}

/// The header field for the sender of a mail (RFC 5322), in lower case.
const SENDER_FIELD: &str = "from";

/// Header fields (RFC 5322) that do not occur next to `From` in lists that people write. `To` and `Date` do, for
/// example in a travel plan.
const MAIL_FIELDS: [&str; 5] = ["subject", "cc", "bcc", "reply-to", "message-id"];

/// Minimum number of labelled lines that, with two addresses and a time of day, are the headers of a mail in any language.
const HEADERS_MIN: usize = 3;

/// The line and the byte in it at which a mail begins, which goes on to the end of the message.
///
/// A mail begins with a block of lines with different labels of one or two words. The block begins a paragraph, or follows a rule of
/// dashes or the like, a line that ends in a colon, or a sentence in the line of its first label.
fn mail_start(lines: &[&str]) -> Option<(usize, usize)> {
    let is_before = |idx: usize| {
        let line = lines.get(idx).map_or("", |line| line.trim());
        line.is_empty() || line.ends_with(COLONS)
    };
    let last_text = lines.iter().rposition(|line| !line.trim().is_empty());
    let mut first = 0;
    while let Some(line) = lines.get(first) {
        let below = lines.get(first + 1..).unwrap_or_default();
        let below = below.iter().map_while(|line| labelled(line));
        let below: Vec<(String, &str)> = below.collect();
        let whole = labelled(line);
        let begins = first
            .checked_sub(1)
            .is_none_or(|before| is_before(before) || lines.get(before).is_some_and(is_rule));
        let whole_line = whole.clone().filter(|_| begins).map(|field| (0, field));
        let starts = [whole_line, behind_sentence(line)];
        // The front matter of a page also has a rule above it, which is the first line and has no words.
        let is_forwarded = first.checked_sub(1).is_some_and(|before| {
            let rule = lines.get(before).filter(|line| is_rule(line));
            rule.is_some_and(|rule| before > 0 || rule.contains(char::is_alphabetic))
        });
        let place = FieldsPlace {
            is_forwarded,
            has_text_below: last_text.is_some_and(|last| last > first + below.len()),
        };
        for (at, field) in starts.into_iter().flatten() {
            let fields: Vec<(String, &str)> = [field].into_iter().chain(below.clone()).collect();
            if is_mail(&fields, place) {
                return Some((first, at));
            }
        }
        first += if whole.is_some() { below.len() + 1 } else { 1 };
    }
    None
}

/// The text around labelled lines.
#[derive(Clone, Copy)]
struct FieldsPlace {
    /// A rule of dashes or the like is above them, as above a forwarded mail.
    is_forwarded: bool,
    has_text_below: bool,
}

/// Whether labelled lines are the headers of a mail.
///
/// They must meet one of four conditions. First: they have the sender's field and another field of the standard. Second:
/// one has an address in angle brackets, and another is a field of the standard, or has a letter, which a telephone number
/// does not have, while a text follows, which a contact does not have. Third: they are several, with two addresses and a time of day, which a list of contacts does not have.
/// Fourth: they are several below a rule, one of them has a year and a time of day, and a text follows.
fn is_mail(fields: &[(String, &str)], place: FieldsPlace) -> bool {
    let labels: BTreeSet<&str> = fields.iter().map(|(label, _)| label.as_str()).collect();
    if fields.len() < 2 || labels.len() < fields.len() {
        return false;
    }
    let has_sender = labels.contains(SENDER_FIELD);
    let has_field = MAIL_FIELDS.iter().any(|field| labels.contains(field));
    let has_address = fields.iter().any(|(_, text)| holds_address(text));
    let has_text = |(_, text): &(String, &str)| {
        !holds_address(text) && !is_address(text) && text.contains(char::is_alphabetic)
    };
    let has_time = fields.iter().any(|(_, text)| holds_time(text));
    let n_dated = fields.iter().filter(|(_, text)| is_dated(text)).count();
    let n_addresses = fields.iter().filter(|(_, text)| is_address(text)).count();
    has_sender && has_field
        || has_address
            && (has_sender || has_field || place.has_text_below && fields.iter().any(has_text))
        || has_time && n_addresses > 1 && fields.len() >= HEADERS_MIN
        || place.is_forwarded && n_dated == 1 && fields.len() >= HEADERS_MIN && place.has_text_below
}

/// The first label in a line that follows a sentence or another label, with its place and the text after its colon.
fn behind_sentence(line: &str) -> Option<(usize, (String, &str))> {
    let is_end = |sign: &char| !sign.is_alphanumeric() && *sign != ',';
    // Where the last word begins, if a sentence or a label ends before it.
    let mut word = None;
    let (mut last, mut is_behind_blank) = (None, false);
    for (at, sign) in line.char_indices() {
        if sign.is_whitespace() {
            is_behind_blank = true;
            continue;
        }
        if COLONS.contains(&sign) {
            let field = word
                .take()
                .and_then(|at| Some((at, labelled(line.get(at..)?)?)));
            if field.is_some() {
                return field;
            }
        } else if is_behind_blank {
            word = last.filter(is_end).map(|_| at);
        }
        (last, is_behind_blank) = (Some(sign), false);
    }
    None
}

/// Whether a line is a rule, with or without a text in it.
fn is_rule(line: &&str) -> bool {
    let mut signs = line.trim().chars();
    let first = signs.next().filter(|sign| "-_=*".contains(*sign));
    first.is_some()
        && signs
            .take(RULE_SIGNS_MIN - 1)
            .filter(|sign| Some(*sign) == first)
            .count()
            == RULE_SIGNS_MIN - 1
}

/// Minimum number of equal signs that make a rule.
const RULE_SIGNS_MIN: usize = 3;

/// Whether a text is only an address.
fn is_address(text: &str) -> bool {
    let parts = text.split_once('@');
    parts.is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !text.contains(char::is_whitespace)
    })
}

/// Whether a text contains a time of day, as in `9:30`.
fn holds_time(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let is_time = |four: &[char]| matches!(four, [hour, ':', ten, one] if [hour, ten, one].iter().all(|it| it.is_ascii_digit()));
    letters.windows(4).any(is_time)
}

/// Whether a text contains a time of day and a year.
fn is_dated(text: &str) -> bool {
    let mut runs = text.split(|it: char| !it.is_ascii_digit());
    holds_time(text) && runs.any(|run| run.len() == YEAR_DIGITS)
}

const YEAR_DIGITS: usize = 4;

/// Whether a text contains an address in angle brackets, as in `Tom <tom@example.org>`.
fn holds_address(text: &str) -> bool {
    let mut behind = text.split('<').skip(1);
    behind.any(|behind| {
        let address = behind.split_once('>').map(|(address, _)| address);
        address.is_some_and(|it| it.contains('@') && !it.contains(char::is_whitespace))
    })
}

/// Replaces quotations of several words, paragraph by paragraph. Quoted single words and titles stay.
fn without_quotations(text: &str) -> String {
    let paragraphs: Vec<String> = text.split("\n\n").map(unquoted).collect();
    paragraphs.join("\n\n")
}

fn unquoted(paragraph: &str) -> String {
    let mut out = String::with_capacity(paragraph.len());
    // Each missing closing mark is searched only once, which keeps the time linear.
    let mut unclosed = BTreeSet::new();
    let mut characters = paragraph.chars();
    while let Some(open) = characters.next() {
        // Before a figure, it shortens a year.
        let is_year = open == SINGLE && characters.as_str().starts_with(char::is_numeric);
        let marks = QUOTATION_MARKS
            .iter()
            .find(|(own, _)| *own == open && !is_year);
        let ends = marks.filter(|_| !unclosed.contains(&open));
        let quotation = ends.and_then(|(_, ends)| split_at_end(characters.as_str(), ends));
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

/// The content of a quotation, and the text after its closing mark. The closing mark is the first one or, if that looks
/// like an apostrophe, the last one before the next opening mark. An apostrophe also ends words such as a plural, so
/// the first one may be inside the quotation.
fn split_at_end<'t>(text: &'t str, ends: &[char]) -> Option<(&'t str, &'t str)> {
    let mut closing = None;
    for (at, mark) in text.match_indices(|it| ends.contains(&it) || it == SINGLE) {
        let behind = text.get(at + mark.len()..)?;
        let is_in_word = mark.starts_with(APOSTROPHE) && behind.starts_with(char::is_alphabetic);
        if mark.starts_with(APOSTROPHE) && ends.contains(&APOSTROPHE) && !is_in_word {
            closing = Some((at, behind));
        } else if mark.starts_with(ends) && !is_in_word {
            closing = closing.or(Some((at, behind)));
            break;
        } else if ends.contains(&APOSTROPHE) && mark.starts_with(SINGLE) {
            break;
        }
    }
    let (at, behind) = closing?;
    text.get(..at).zip(Some(behind))
}

#[cfg(test)]
#[path = "own_words_tests.rs"]
mod tests;
