//! The title of a session: the one that the owner set, or the beginning of the first message.
//!
//! Needs no model.

use base::{TAKEN_OUT, head, own_words, redact};

/// The longest title, in characters.
const TITLE_CHARS_MAX: usize = 60;

/// Marks a shortened title.
const ELLIPSIS: char = '\u{2026}';

/// Derives a title from the first message.
///
/// Skips quoted material such as a pasted mail, unless the message contains nothing else.
pub(super) fn title_of(message: &str) -> Option<String> {
    shortened_title(&own_words(message).replace(TAKEN_OUT, " "))
        .or_else(|| shortened_title(message))
}

/// A title on one line, without secrets, cut between words; `None` if the text is blank.
pub fn shortened_title(text: &str) -> Option<String> {
    let text = redact(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = head(&line, TITLE_CHARS_MAX);
    if cut.len() == line.len() {
        return (!line.is_empty()).then_some(line);
    }
    let words = cut.rsplit_once(' ').map_or(cut, |(words, _)| words);
    Some(format!("{words}{ELLIPSIS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: Option<&str>) {
        assert_eq!(title_of(message).as_deref(), expected, "{message:?}");
    }

    #[test]
    fn title_is_one_line_of_first_words() {
        check(" \n", None);
        check("Plan the\n\n move ", Some("Plan the move"));
        check(
            "Which of the three offers for the roof is the best one if it has to last for thirty years?",
            Some("Which of the three offers for the roof is the best one if\u{2026}"),
        );
        let unspaced = "\u{65e5}".repeat(61);
        check(
            &unspaced,
            Some(&format!("{}\u{2026}", "\u{65e5}".repeat(60))),
        );
        check(
            "Can you answer this?\n\nFrom: Tom <tom@example.org>\nSubject: News\n\nI live in Palermo.",
            Some("Can you answer this?"),
        );
    }

    #[test]
    fn i14_title_is_redacted() {
        let key = format!("sk-{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2));
        let title = title_of(&format!("My key is {key}")).unwrap();
        assert!(title.starts_with("My key is "), "{title}");
        assert!(!title.contains("a1B2c3D4"), "{title}");
    }
}
