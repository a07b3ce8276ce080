//! Follows a list that begins with a secret: `8841-2290, 1177-4521 and 9920-3312`.
//!
//! Uses no word lists; `prose` finds the first secret.

use std::ops::Range;

/// Minimum number of characters of an item. Shorter numbers follow each other in ordinary sentences.
const ITEM_CHARS_MIN: usize = 6;

/// Maximum number of letters of a word such as `and` between two items.
const JOINT_CHARS_MAX: usize = 3;

/// The other items of a list that begins with a secret. Each must have the shape of the first.
pub(super) fn items_after(text: &str, first: &Range<usize>) -> Vec<Range<usize>> {
    let secret = text.get(first.clone()).unwrap_or_default();
    let mut found = Vec::new();
    if secret.chars().count() < ITEM_CHARS_MIN || !secret.contains(char::is_numeric) {
        return found;
    }
    let mut at = first.end;
    while let Some(item) = item_after(text, at) {
        let written = text.get(item.clone()).unwrap_or_default();
        if written.chars().map(shape).ne(secret.chars().map(shape)) {
            break;
        }
        at = item.end;
        found.push(item);
    }
    found
}

/// The word after a comma, a line break, or a short word such as `and`.
fn item_after(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let is_gap = |c: char| c.is_whitespace() || ",;/-*\"`".contains(c);
    let mut behind = rest.trim_start_matches(is_gap);
    if behind.len() == rest.len() {
        return None;
    }
    let word = behind.split(' ').next().unwrap_or_default();
    let is_joint = word.chars().all(char::is_alphabetic) && word.chars().count() <= JOINT_CHARS_MAX;
    if is_joint {
        behind = behind.get(word.len()..)?.trim_start();
    }
    let ends = |c: char| c.is_whitespace() || ",;\"`()".contains(c);
    let item = behind.split(ends).next()?.trim_end_matches(['.', '!', '?']);
    let start = text.len() - behind.len();
    Some(start..start + item.len())
}

/// The kind of a character.
fn shape(c: char) -> char {
    match c {
        _ if c.is_numeric() => '0',
        _ if c.is_lowercase() => 'a',
        _ if c.is_uppercase() => 'A',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, first: &str, expected: &[&str]) {
        let start = text.find(first).unwrap();
        let items = items_after(text, &(start..start + first.len()));
        let items: Vec<&str> = items.into_iter().filter_map(|it| text.get(it)).collect();
        assert_eq!(items, expected, "{text}");
    }

    #[test]
    fn items_of_one_shape_continue_list() {
        check(
            "codes: 8841-2290, 1177-4521 and 9920-3312.",
            "8841-2290",
            &["1177-4521", "9920-3312"],
        );
        check("- ab12cd34\n- ef56gh78\n", "ab12cd34", &["ef56gh78"]);
        check("code 8841-2290, then 1177-4521", "8841-2290", &[]);
        check("PIN 4471, 2027 was better", "4471", &[]);
        check("ab12cd34 and nothing", "ab12cd34", &[]);
        check("ab12cd34", "ab12cd34", &[]);
    }
}
