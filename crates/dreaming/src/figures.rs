//! Extracts the numbers of a text, by digits alone, in any language.

use std::collections::BTreeSet;

/// The numbers of a text without leading zeros. A separator before a group of three digits joins, any other splits.
pub(crate) fn figures(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let chars: Vec<char> = text.chars().collect();
    let digit = |idx: usize| chars.get(idx).and_then(|c| c.to_digit(10));
    let mut idx = 0;
    while idx < chars.len() {
        if digit(idx).is_none() {
            idx += 1;
            continue;
        }
        let mut number = String::new();
        let mut n_groups = 0;
        loop {
            while let Some(value) = digit(idx) {
                number.extend(char::from_digit(value, 10));
                idx += 1;
            }
            let joins = matches!(
                chars.get(idx),
                Some(',' | '.' | '\'' | '\u{2019}' | '\u{202f}' | '\u{a0}' | ' ')
            );
            let is_group = (1..=3).all(|n| digit(idx + n).is_some()) && digit(idx + 4).is_none();
            // More than three digits before the first separator are a number of their own.
            n_groups += 1;
            if !joins || !is_group || n_groups == 1 && number.len() > 3 {
                break;
            }
            idx += 1;
        }
        let plain = number.trim_start_matches('0');
        found.insert(if plain.is_empty() { "0" } else { plain }.to_owned());
    }
    found
}
