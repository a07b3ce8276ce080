//! Cues for standing wishes, requests, courtesy and subjects of questions.
//!
//! Independent of languages: the caller of the index supplies the functions.

use std::borrow::Cow;

use crate::passage::ends_in_question;

/// Recognises wishes, requests, courtesy and subjects; the default finds no wish or request, and takes the question as
/// it is.
#[derive(Debug, Clone, Copy)]
pub struct WishCues {
    /// Whether a line may state a standing wish.
    pub wish: fn(&str) -> bool,
    /// Whether a question asks for advice or for a task, so that wishes may apply.
    pub advice: fn(&str) -> bool,
    /// Whether the text is a question.
    pub asks: fn(&str) -> bool,
    /// The question without phrases such as how often, how much, and when first or last.
    pub subject: fn(&str) -> String,
    /// The question without polite words around it, which would count as words to look for.
    pub plain: for<'t> fn(&'t str) -> Cow<'t, str>,
}

impl Default for WishCues {
    fn default() -> Self {
        Self {
            wish: |_| false,
            advice: |_| false,
            asks: ends_in_question,
            subject: str::to_owned,
            plain: |question| Cow::Borrowed(question),
        }
    }
}
