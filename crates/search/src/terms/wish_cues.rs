//! Cues for standing wishes, requests and subjects of questions.
//!
//! Knows no language: the caller of the index supplies the functions.

/// Recognises wishes, requests and subjects; the default finds no wish or request and takes the question as subject.
#[derive(Debug, Clone, Copy)]
pub struct WishCues {
    /// Whether a line may state a standing wish.
    pub wish: fn(&str) -> bool,
    /// Whether a question asks for advice or for a task, so that wishes may apply.
    pub advice: fn(&str) -> bool,
    /// The question without phrases such as how often, how much, and when first or last.
    pub subject: fn(&str) -> String,
}

impl Default for WishCues {
    fn default() -> Self {
        Self {
            wish: |_| false,
            advice: |_| false,
            subject: str::to_owned,
        }
    }
}
