//! The earlier value of a line, as a newer line names it.
//!
//! Pure.

use std::ops::Range;

use base::Script;

/// Length limit of the earlier value in a line, in characters.
const OLDER_CHARS_MAX: usize = 60;

/// The part of an earlier text that differs from a later one, as a whole phrase of at most `OLDER_CHARS_MAX`
/// characters, cut after a word: without the words that both begin and end with, if these are at least half of it, else
/// from the clause in which the two begin to differ. The later one may go on after the words that the earlier one ends
/// with. A value without a letter, or of one character of a script without spaces, says nothing by itself: the clause
/// around it says what it is. Empty if the later text says all of the earlier one.
pub fn earlier_value(older: &str, newer: &str) -> String {
    let (own, other) = (parts(older), parts(newer));
    let (own_words, other_words) = (folded(&own), folded(&other));
    let pairs = own_words.iter().zip(&other_words);
    let n_start = pairs.take_while(|(left, right)| left == right).count();
    let rest = own_words.get(n_start..).unwrap_or_default();
    let other_rest = other_words.get(n_start..).unwrap_or_default();
    let n_end = n_shared_end(rest, other_rest);
    let end = own.len() - n_end;
    let n_shared = n_start + n_end;
    let is_mostly_other = n_shared * 2 < own.len();
    let differing = own_words.get(n_start..end).unwrap_or_default();
    let start = n_start + n_shared_inside(differing, other_rest);
    let value = if is_mostly_other {
        n_start - n_before_in_clause(&own, n_start)..own.len()
    } else {
        start..end
    };
    let words = own.get(value.clone()).unwrap_or_default();
    if !words
        .iter()
        .any(|part| part.contains(char::is_alphanumeric))
    {
        return String::new();
    }
    let is_named = words.iter().any(|part| part.contains(char::is_alphabetic));
    let is_letter = |part: &&str| part.chars().all(|c| Script::of(c) != Script::Other);
    let is_part_of_word = matches!(words, [only] if is_letter(only));
    let (value, whole) = if is_named && !is_part_of_word {
        (value.clone(), value)
    } else {
        clause(&own, value)
    };
    let text = shortened(own.get(value.clone()).unwrap_or_default());
    if value.end < whole.end {
        format!("{text} {CUT_VALUE}")
    } else {
        text
    }
}

/// The number of words at the beginning of a difference that the other text also has, at another place: at least two,
/// as in `is on 14 December` next to `party is on 19 December`.
fn n_shared_inside(own: &[String], other: &[String]) -> usize {
    let has = |n: &usize| {
        let run = own.get(..*n).unwrap_or_default();
        other.windows(*n).any(|window| window == run)
    };
    (2..own.len()).rev().find(has).unwrap_or(0)
}

/// The parts as they are compared: without case and punctuation.
fn folded(parts: &[&str]) -> Vec<String> {
    let is_edge = |c: char| !c.is_alphanumeric();
    let fold = |part: &&str| part.trim_matches(is_edge).to_lowercase();
    parts.iter().map(fold).collect()
}

/// The number of parts at the end of `own` that the other text also has: at its end, or, if they are most of `own`,
/// anywhere.
fn n_shared_end(own: &[String], other: &[String]) -> usize {
    let n_at_end = |other: &[String]| {
        let ends = own.iter().rev().zip(other.iter().rev());
        ends.take_while(|(left, right)| left == right).count()
    };
    let at_end = n_at_end(other);
    if at_end > 0 {
        return at_end;
    }
    let anywhere = (0..other.len()).map(|end| n_at_end(other.get(..end).unwrap_or_default()));
    anywhere.max().filter(|n| n * 2 > own.len()).unwrap_or(0)
}

/// Whether a part ends a clause: a punctuation mark is at its end.
fn ends_clause(part: &str) -> bool {
    let ends = [
        ',', ';', '.', ':', '\u{3001}', '\u{3002}', '\u{ff0c}', '\u{ff1b}',
    ];
    part.trim_end().ends_with(ends)
}

/// Number of parts before a place that belong to its clause.
fn n_before_in_clause(parts: &[&str], place: usize) -> usize {
    let before = parts.get(..place).unwrap_or_default().iter().rev();
    before.take_while(|part| !ends_clause(part)).count()
}

/// The clause around some parts, between marks of punctuation; if it is too long, as many of the parts next to them as
/// fit. With the whole clause.
fn clause(parts: &[&str], value: Range<usize>) -> (Range<usize>, Range<usize>) {
    let n_chars = |of: &Range<usize>| {
        let text = parts.get(of.clone()).unwrap_or_default().concat();
        text.trim().chars().count()
    };
    let mut left = n_before_in_clause(parts, value.start);
    let last = value.end.saturating_sub(1);
    let behind = parts.get(last..).unwrap_or_default().iter();
    let mut right = behind.take_while(|part| !ends_clause(part)).count();
    let n_parts = parts.len();
    let widened = |left: usize, right: usize| {
        value.start - left..(last + right + 1).min(n_parts).max(value.end)
    };
    let whole = widened(left, right);
    while n_chars(&widened(left, right)) > OLDER_CHARS_MAX && left + right > 0 {
        if left > right {
            left -= 1;
        } else {
            right -= 1;
        }
    }
    (widened(left, right), whole)
}

/// Ends a value that was cut.
pub const CUT_VALUE: char = '\u{2026}';

/// The parts as one text, cut after a word if it is too long.
fn shortened(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts {
        if (text.clone() + part).trim().chars().count() > OLDER_CHARS_MAX {
            return format!("{} {CUT_VALUE}", text.trim());
        }
        text.push_str(part);
    }
    let is_edge = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '.');
    text.trim_matches(is_edge).to_owned()
}

/// The words of a text with the spaces after them; each letter of a script without spaces.
fn parts(text: &str) -> Vec<&str> {
    let is_dense = |c: char| Script::of(c) != Script::Other;
    let mut parts = Vec::new();
    for word in text.split_inclusive(char::is_whitespace) {
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let n_bytes = if is_dense(first) {
                first.len_utf8()
            } else {
                rest.find(is_dense).unwrap_or(rest.len())
            };
            let (part, after) = rest.split_at_checked(n_bytes).unwrap_or((rest, ""));
            parts.push(part);
            rest = after;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_value_is_part_of_older_text_that_changed() {
        for (older, newer, value) in [
            (
                "We live in Connewitz",
                "We live in Markkleeberg",
                "Connewitz",
            ),
            (
                "I live in Graz",
                "I have lived in Szeged since 2026-03",
                "I live in Graz",
            ),
            (
                "I prefer tea over coffee",
                "I prefer coffee over tea now",
                "I prefer tea over coffee",
            ),
            ("I like Heathrow", "I hate airports", "I like Heathrow"),
            ("Ann eats no meat", "Ann eats fish again", "no meat"),
            (
                "Mum's birthday is on 14 December",
                "Mum's birthday party is on 19 December",
                "Mum's birthday is on 14 December",
            ),
            (
                "\u{6bce}\u{671d}\u{7d05}\u{8336}\u{3092}\u{98f2}\u{3080}",
                "\u{6bce}\u{671d}\u{7dd1}\u{8336}\u{3092}\u{98f2}\u{3080}",
                "\u{6bce}\u{671d}\u{7d05}\u{8336}\u{3092}\u{98f2}\u{3080}",
            ),
            ("I sing", "I sing in a choir", ""),
            (
                "I'm Ottoline, 44, I restore pianos in Graz",
                "I'm Ottoline, 44, I restore pianos; since 2026-12-03 I live in Linz, not in Graz any more",
                "",
            ),
            (
                "I'm Ottoline, 44; since 2026-12-03 I live in Linz with Radek, at the river",
                "I'm Ottoline, 44; since 2026-12-05 I live in Graz again",
                "since 2026-12-03 I live in Linz with Radek, at the river",
            ),
            (
                "My main project is the footbridge over the Parthe at Schoenefeld, timber and steel, 32 m span",
                "The footbridge is finished",
                "My main project is the footbridge over the Parthe at \u{2026}",
            ),
            (
                "I take 75 micrograms of levothyroxine every morning, an hour before coffee.",
                "I take 88 micrograms of levothyroxine every morning, an hour before coffee; Dr Uhlig raised it.",
                "I take 75 micrograms of levothyroxine every morning",
            ),
            (
                "The guild meets on 2026-12-12 at 15:00.",
                "The guild meets on 2026-12-19 at 15:00.",
                "The guild meets on 2026-12-12 at 15:00",
            ),
            (
                "Tante Wiebke wohnt seit dem Sommer im Heim an der Ohra in Zimmer 214 im zweiten Stock",
                "Tante Wiebke wohnt seit dem Sommer im Heim an der Ohra in Zimmer 118 im zweiten Stock",
                "Sommer im Heim an der Ohra in Zimmer 214 im zweiten Stock",
            ),
        ] {
            assert_eq!(earlier_value(older, newer), value, "{older}");
        }
    }
}
