//! Surface features of a text: whether it asks, and who speaks.
//!
//! Never interprets the text.

use base::QUESTION_MARKS;

/// Whether a text ends in a question.
pub(crate) fn ends_in_question(text: &str) -> bool {
    let end = text.trim_end_matches(|c: char| c.is_whitespace() || "\"')]*_".contains(c));
    end.ends_with(QUESTION_MARKS)
}

/// Longest name before a colon, in characters.
const SPEAKER_CHARS_MAX: usize = 40;

/// Splits a line such as `Anna: we leave at noon` into speaker and text.
pub(crate) fn speaker(text: &str) -> Option<(&str, &str)> {
    let (name, said) = text.split_once(':')?;
    let name = name.trim().trim_matches('*').trim();
    let is_of_name = |c: char| c.is_alphabetic() || " .'-\u{2019}".contains(c);
    let is_name = name.starts_with(char::is_uppercase)
        && name.chars().count() <= SPEAKER_CHARS_MAX
        && name.split_whitespace().count() <= 3
        && name.chars().all(is_of_name);
    let said = said.trim_start_matches('*');
    (is_name && said.starts_with(char::is_whitespace)).then_some((name, said.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_is_recognised_by_final_mark() {
        for text in ["When?", "In Rome, \"really?\"", "\u{4f60}\u{5462}\u{ff1f}"] {
            assert!(ends_in_question(text), "{text}");
        }
        for text in ["We leave tomorrow.", "Really? Yes.", ""] {
            assert!(!ends_in_question(text), "{text}");
        }
    }

    #[test]
    fn speaker_is_name_before_colon() {
        assert_eq!(speaker("Anna: hi"), Some(("Anna", "hi")));
        assert_eq!(speaker("**Anna Lee:** hi"), Some(("Anna Lee", "hi")));
        for text in [
            "at 10:30 we left",
            "anna: hi",
            "https://a.example",
            "no colon",
            "A b c d: hi",
        ] {
            assert_eq!(speaker(text), None, "{text}");
        }
    }
}
