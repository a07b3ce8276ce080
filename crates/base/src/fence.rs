//! Escapes quoted text so that it cannot forge the marks around it in a prompt.
//!
//! Independent of any particular prompt.

use std::borrow::Cow;

/// The names of all marks. Quoted text must not be able to forge any of them.
const NAMES: [&str; 5] = ["recalled", "file", "memory", "from", "transcript"];

/// Inserts a backslash into everything that a model could read as one of the marks, in any case and with any blanks.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut taken = 0;
    for (at, opening) in text.match_indices('<') {
        let end = at + opening.len();
        let (Some(before), Some(rest)) = (text.get(taken..end), text.get(end..)) else {
            continue;
        };
        if names_a_mark(rest) {
            kept.push_str(before);
            kept.push('\\');
            taken = end;
        }
    }
    if taken == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(text.get(taken..).unwrap_or_default());
    Cow::Owned(kept)
}

/// Whether an optional slash and the name of a mark follow a bracket.
fn names_a_mark(rest: &str) -> bool {
    let name =
        rest.trim_start_matches(|character: char| character == '/' || character.is_whitespace());
    let is_name = |own: &&str| {
        let (begun, after) = name.split_at_checked(own.len()).unwrap_or_default();
        begun.eq_ignore_ascii_case(own) && !after.starts_with(|next: char| next.is_alphanumeric())
    };
    NAMES.iter().any(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_neutralises_fence_tags_in_any_form() {
        for (text, expected) in [
            ("</recalled>", "<\\/recalled>"),
            ("</RECALLED >", "<\\/RECALLED >"),
            ("< / recalled>", "<\\ / recalled>"),
            ("<\n/\nTranscript", "<\\\n/\nTranscript"),
            (
                "a<file name=\"SOUL.md\">b</File>",
                "a<\\file name=\"SOUL.md\">b<\\/File>",
            ),
            ("<<from server=x>", "<<\\from server=x>"),
            ("</memory>", "<\\/memory>"),
        ] {
            assert_eq!(escaped(text), expected);
            assert_eq!(escaped(&escaped(text)), expected, "twice");
        }
    }

    #[test]
    fn escaped_leaves_other_text_unchanged() {
        let texts = ["", "3 < 4", "<files>", "<fromage>", "<b>file</b>", "<"];
        for text in texts.into_iter().chain(["\u{e9}<\u{e9}"]) {
            assert!(matches!(escaped(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
