//! What lines and questions are worded with that tells standing wishes, and the subjects of questions.
//!
//! Knows no language: whoever opens the index brings what is known of languages.

use std::ptr;

/// Tells wishes, requests and subjects at sight; without knowledge of languages, the whole question is the subject.
#[derive(Debug, Clone, Copy)]
pub struct WishCues {
    /// Whether a line may state how somebody wants things for good.
    pub wish: fn(&str) -> bool,
    /// Whether a question asks for advice or for something to be done, so that wishes may concern it.
    pub advice: fn(&str) -> bool,
    /// A question without the words by which it asks how often, how much, or when first or last.
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

impl PartialEq for WishCues {
    fn eq(&self, other: &Self) -> bool {
        ptr::fn_addr_eq(self.wish, other.wish)
            && ptr::fn_addr_eq(self.advice, other.advice)
            && ptr::fn_addr_eq(self.subject, other.subject)
    }
}

impl Eq for WishCues {}
