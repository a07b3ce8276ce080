//! Makes a text fit for one line of a file of ours.
//!
//! Never decides what the line should say.

use base::head;

/// The text on one line, words parted by single spaces.
pub(crate) fn single(text: &str) -> String {
    text.split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The text without anything that begins or ends an HTML comment, in which our files keep their marks.
pub(crate) fn harmless(text: &str) -> String {
    text.replace("<!--", "&lt;!--")
        .replace("-->", "--&gt;")
        .replace("--!>", "--!&gt;")
}

/// At most `n_chars` characters: whole sentences where these are more than half of it, else whole words.
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
    use super::*;

    #[test]
    fn text_is_made_one_harmless_line() {
        assert_eq!(single(" a\n b\t\u{0}c\u{2028}d "), "a b c d");
        assert_eq!(
            harmless("a <!-- flush --> b --!> <<!--"),
            "a &lt;!-- flush --&gt; b --!&gt; <&lt;!--"
        );
    }

    #[test]
    fn text_is_cut_at_sentences_or_words() {
        assert_eq!(capped("as it is", 8), "as it is");
        assert_eq!(capped("One. Two three four", 12), "One. Two...");
        assert_eq!(capped("One two three. Four five.", 18), "One two three.");
        assert_eq!(capped("Eins zwei drei", 10), "Eins...");
        assert_eq!(capped("日本語日本語日本語", 6), "日本語...");
        assert_eq!(capped("", 0), "");
    }
}
