//! Cuts the middle out of texts, divides a budget among texts, and fits texts onto one line.
//!
//! Never splits a character.

use base::{TokenCount, estimate_text, head, tail, visible};

/// Shortens a text to `max` tokens: head, marker, tail. `marker` gets the number of hidden tokens.
///
/// A text that fits is returned unchanged. If even the marker does not fit, only the head remains.
pub fn middle(text: &str, max: TokenCount, marker: impl Fn(TokenCount) -> String) -> String {
    let whole = estimate_text(text);
    if whole <= max {
        return text.to_owned();
    }
    let widest = estimate_text(&format!("\n{}\n", marker(whole)));
    let room = max.saturating_sub(widest);
    if room == TokenCount::ZERO {
        return head_tokens(text, max).to_owned();
    }
    let start = head_tokens(text, TokenCount(room.0.div_ceil(2)));
    let end = longest(text, room.saturating_sub(estimate_text(start)), tail);
    let hidden = whole.saturating_sub(estimate_text(start) + estimate_text(end));
    format!("{start}\n{}\n{end}", marker(hidden))
}

/// The largest size per text that keeps the total within `budget`; `None` if no limit is needed.
pub(crate) fn cap(
    sizes: impl IntoIterator<Item = TokenCount>,
    budget: TokenCount,
) -> Option<TokenCount> {
    let mut sizes: Vec<u64> = sizes.into_iter().map(|size| size.0).collect();
    sizes.sort_unstable();
    let mut left = budget.0;
    let mut n_left = u64::try_from(sizes.len()).unwrap_or(u64::MAX);
    for size in sizes {
        let share = left / n_left;
        if size > share {
            return Some(TokenCount(share));
        }
        left -= size;
        n_left -= 1;
    }
    None
}

/// Head and tail of a text around a marker, which gets the number of hidden characters.
pub(crate) fn ends(
    text: &str,
    (n_head, n_tail): (usize, usize),
    marker: impl FnOnce(usize) -> String,
) -> String {
    let n_hidden = text.chars().count().saturating_sub(n_head + n_tail);
    let (head, tail) = (head(text, n_head), tail(text, n_tail));
    format!("{head}\n{}\n{tail}", marker(n_hidden))
}

/// The longest prefix of at most `max` tokens.
pub(crate) fn head_tokens(text: &str, max: TokenCount) -> &str {
    longest(text, max, head)
}

/// Finds by binary search the largest `part` of a text, such as its head, with at most `max` tokens.
fn longest(text: &str, max: TokenCount, part: fn(&str, usize) -> &str) -> &str {
    let candidate = part(text, max.to_chars());
    let (mut low, mut high) = (0, candidate.chars().count());
    while low < high {
        let probe = high - (high - low) / 2;
        if estimate_text(part(candidate, probe)) <= max {
            low = probe;
        } else {
            high = probe - 1;
        }
    }
    part(candidate, low)
}

pub(crate) fn single(text: &str) -> String {
    visible(text)
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Escapes the delimiters of HTML comments, because the files of memory keep their marks in such comments.
pub(crate) fn harmless(text: &str) -> String {
    text.replace("<!--", "&lt;!--")
        .replace("-->", "--&gt;")
        .replace("--!>", "--!&gt;")
}

/// At most `n_chars` characters, cut after a sentence if that keeps more than half of them, otherwise after a word.
pub(crate) fn capped(text: &str, n_chars: usize) -> String {
    let start = head(text, n_chars);
    if start.len() == text.len() {
        return text.to_owned();
    }
    let sentences = [". ", "! ", "? ", "\u{3002}"]
        .into_iter()
        .filter_map(|end| start.rfind(end).map(|at| at + end.trim_end().len()))
        .max()
        .and_then(|end| start.get(..end))
        .filter(|sentences| sentences.chars().count() * 2 > n_chars);
    let words = || {
        let short = head(text, n_chars.saturating_sub(3));
        let whole = short.rsplit_once(' ').map_or(short, |(words, _)| words);
        format!("{}...", whole.trim_end())
    };
    sentences.map_or_else(words, str::to_owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marker(hidden: TokenCount) -> String {
        format!("[{hidden} hidden]")
    }

    #[test]
    fn middle_shortens_text_between_its_ends() {
        let text = "0123456789".repeat(10);
        assert_eq!(
            middle(&text, TokenCount(12), marker),
            "0123456789012345\n[17 hidden]\n4567890123456789"
        );
        assert_eq!(middle("short", TokenCount(2), marker), "short");
        assert_eq!(middle(&text, TokenCount(1), marker), "0123");
    }

    #[test]
    fn cap_limits_longest_first() {
        let sizes = |sizes: &[u64]| sizes.iter().copied().map(TokenCount).collect::<Vec<_>>();
        for (all, budget, expected) in [
            (&[10, 20, 30][..], 60, None),
            (&[10, 20, 90], 60, Some(30)),
            (&[90, 10, 90], 60, Some(25)),
            (&[], 0, None),
        ] {
            let found = cap(sizes(all), TokenCount(budget));
            assert_eq!(found, expected.map(TokenCount), "{all:?}");
        }
    }

    proptest! {
        #[test]
        fn middle_fits_limit_and_keeps_both_ends(text in "[a-zäß日🙂]{0,300}", max in 0_u64..120) {
            let max = TokenCount(max);
            let short = middle(&text, max, marker);
            prop_assert!(estimate_text(&short) <= max);
            if estimate_text(&text) <= max {
                prop_assert_eq!(&short, &text);
            } else if let Some((start, rest)) = short.split_once("\n[") {
                prop_assert!(text.starts_with(start));
                prop_assert!(text.ends_with(rest.split_once("]\n").unwrap().1));
            }
        }

        #[test]
        fn cap_is_largest_that_fits(sizes in prop::collection::vec(0_u64..1_000, 0..20), budget in 0_u64..5_000) {
            let total = |cap: u64| sizes.iter().map(|size| (*size).min(cap)).sum::<u64>();
            match cap(sizes.iter().copied().map(TokenCount), TokenCount(budget)) {
                None => prop_assert!(total(u64::MAX) <= budget),
                Some(TokenCount(cap)) => {
                    prop_assert!(total(cap) <= budget);
                    prop_assert!(total(cap + 1) > budget);
                }
            }
        }
    }

    #[test]
    fn single_and_harmless_make_one_line_without_comment_marks() {
        assert_eq!(single(" a\n b\t\u{0}c\u{2028}d "), "a b c d");
        assert_eq!(
            harmless("a <!-- flush --> b --!> <<!--"),
            "a &lt;!-- flush --&gt; b --!&gt; <&lt;!--"
        );
    }

    #[test]
    fn capped_cuts_at_sentences_or_words() {
        assert_eq!(capped("as it is", 8), "as it is");
        assert_eq!(capped("One. Two three four", 12), "One. Two...");
        assert_eq!(capped("One two three. Four five.", 18), "One two three.");
        assert_eq!(capped("Eins zwei drei", 10), "Eins...");
        assert_eq!(capped("日本語日本語日本語", 6), "日本語...");
        assert_eq!(capped("", 0), "");
    }
}
