//! The text of an error with its causes.
//!
//! Adds no hint.

use std::error::Error;

/// The first line of an error and of each of its causes, outermost first; a cause that the text before it names is left
/// out.
pub fn with_causes(error: &dyn Error) -> String {
    let first_line = |error: &dyn Error| {
        let text = error.to_string();
        text.lines().next().unwrap_or_default().trim().to_owned()
    };
    let mut text = first_line(error);
    let mut cause = error.source();
    while let Some(next) = cause {
        let line = first_line(next);
        if !text.contains(&line) {
            text.push_str(": ");
            text.push_str(&line);
        }
        cause = next.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{text}")]
    struct Nested {
        text: &'static str,
        source: Option<Box<Nested>>,
    }

    fn nested(texts: &[&'static str]) -> Option<Box<Nested>> {
        let (text, rest) = texts.split_first()?;
        Some(Box::new(Nested {
            text,
            source: nested(rest),
        }))
    }

    #[test]
    fn causes_follow_error_without_repetition() {
        for (texts, expected) in [
            (&["cannot write"][..], "cannot write"),
            (
                &["cannot write", "the disk is full"],
                "cannot write: the disk is full",
            ),
            (
                &[
                    "cannot write: the disk is full",
                    "the disk is full",
                    "os error 28\nat line 3",
                ],
                "cannot write: the disk is full: os error 28",
            ),
        ] {
            assert_eq!(with_causes(&*nested(texts).unwrap()), expected);
        }
    }
}
