//! Cuts a sentence at the ends of its clauses.
//!
//! Adds no character and never cuts a word.

use unicode_segmentation::UnicodeSegmentation;

/// The most characters of a note.
pub(super) const NOTE_CHARS_MAX: usize = 300;

/// The most clauses of one sentence; a longer one is a dump.
const CLAUSES_MAX: usize = 8;

/// Fewer words before a question or a doubt are an address or a sigh, not a statement.
pub(super) const STATEMENT_WORDS_MIN: usize = 4;

/// What joins a clause to the one before it and says nothing itself.
const JOINTS: &[&str] = &[
    "and ", "but ", "so ", "also ", "or ", "then ", "plus ", "because ",
];

/// How a clause begins that adds only doubt or wishes to the statement before it.
#[rustfmt::skip]
const FILLER_OPENINGS: &[&str] = &[
    "i'm not sure", "i am not sure", "i want to make sure", "i want to ensure",
    "i'm not really sure", "i'm confused", "i'm not certain", "i can't seem to figure",
    "it doesn't seem to", "i hope", "i'm hoping", "i don't know", "here's ", "here is ",
    "something like this", "maybe something like", "i'm excited", "that would be",
];

/// The clauses of a statement that can stand alone, none longer than a note.
///
/// Doubts and wishes at the end are left out.
pub(super) fn clauses(statement: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = without_filler(without_joint(statement));
    while found.len() < CLAUSES_MAX && rest.chars().count() > NOTE_CHARS_MAX {
        let Some(at) = last_boundary(rest) else {
            break;
        };
        let (head, tail) = halves(rest, at);
        found.push(trimmed(head));
        rest = without_joint(tail);
    }
    found.push(shortened(rest));
    found.retain(|clause| !clause.is_empty());
    found
}

/// At most the characters of a note, cut where a clause ends or else a word.
pub(super) fn shortened(text: &str) -> &str {
    if text.chars().count() <= NOTE_CHARS_MAX {
        return text;
    }
    if let Some(at) = last_boundary(text) {
        return trimmed(halves(text, at).0);
    }
    let limit = base::head(text, NOTE_CHARS_MAX).len();
    let end = text
        .split_word_bound_indices()
        .map(|(at, _)| at)
        .take_while(|at| *at <= limit)
        .last();
    text.get(..end.unwrap_or(0)).unwrap_or_default().trim_end()
}

/// Cuts off the clauses of doubt at the end; nothing is left of a sentence that is all doubt.
fn without_filler(statement: &str) -> &str {
    let is_filler = |clause: &str| {
        let holds_something = clause.contains(|c: char| c.is_ascii_digit() || c == '`' || c == '/');
        !holds_something && opens_with(clause, FILLER_OPENINGS)
    };
    if is_filler(statement) {
        return "";
    }
    for at in boundaries(statement) {
        let (head, rest) = halves(statement, at);
        if is_filler(rest) && head.unicode_words().count() >= STATEMENT_WORDS_MIN {
            return trimmed(head);
        }
    }
    statement
}

/// Whether a clause begins in one of these ways, which are spelt in lower case.
pub(super) fn opens_with(clause: &str, openings: &[&str]) -> bool {
    base::opens_with(without_joint(clause), openings)
}

/// A clause without what joins it to the one before.
pub(super) fn without_joint(clause: &str) -> &str {
    let mut rest = clause.trim_start();
    while let Some(after) = JOINTS.iter().find_map(|joint| {
        let head = rest.get(..joint.len())?;
        head.eq_ignore_ascii_case(joint)
            .then(|| rest.get(joint.len()..))
            .flatten()
    }) {
        rest = after.trim_start();
    }
    rest
}

/// Both sides of a place; the whole and nothing where the place is none.
pub(super) fn halves(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// A clause without the marks after it.
pub(super) fn trimmed(clause: &str) -> &str {
    clause.trim_end_matches([
        ' ', ',', ';', ':', '-', '\u{2013}', '\u{2014}', '\u{ff0c}', '\u{3001}', '\u{ff1b}',
    ])
}

/// The last end of a clause at which a note may be cut: rather before a clause of its own than inside a list.
fn last_boundary(text: &str) -> Option<usize> {
    let limit = base::head(text, NOTE_CHARS_MAX).len();
    let shortest = base::head(text, NOTE_CHARS_MAX / 4).len();
    let mut near = boundaries(text);
    near.retain(|at| (shortest..=limit).contains(at));
    let before_clause = near.iter().rfind(|at| {
        let rest = halves(text, **at).1;
        without_joint(rest).len() < rest.len() || rest.starts_with(char::is_uppercase)
    });
    before_clause.or(near.last()).copied()
}

/// Where clauses begin: after a comma, semicolon, dash or full stop outside brackets and code.
pub(super) fn boundaries(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut is_code = false;
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '`' => is_code = !is_code,
            _ => {}
        }
        let end = at + character.len_utf8();
        let after = text.get(end..).and_then(|rest| rest.chars().next());
        let is_unspaced = matches!(
            character,
            '\u{ff0c}' | '\u{3001}' | '\u{3002}' | '\u{ff1b}' | '\u{ff01}'
        );
        let is_spaced = character == ' '
            && matches!(
                previous,
                ',' | ';' | '-' | '\u{2013}' | '\u{2014}' | '.' | '!' | '?'
            );
        // A number after a comma belongs to a date or a list.
        let goes_on = after.is_none_or(|c| c.is_ascii_digit());
        if (is_unspaced || is_spaced) && !goes_on && depth == 0 && !is_code {
            found.push(end);
        }
        previous = character;
    }
    found
}

#[cfg(test)]
#[path = "clause_tests.rs"]
mod tests;
