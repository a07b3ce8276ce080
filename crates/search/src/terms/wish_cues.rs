//! What lines and questions are worded with that concern standing wishes.
//!
//! Knows no language: whoever opens the index brings what is known of languages.

use std::ptr;

/// Tells wishes and requests at sight; without knowledge of languages, none.
#[derive(Debug, Clone, Copy)]
pub struct WishCues {
    /// Whether a line may state how somebody wants things for good.
    pub wish: fn(&str) -> bool,
    /// Whether a question asks for advice or for something to be done, so that wishes may concern it.
    pub advice: fn(&str) -> bool,
}

impl Default for WishCues {
    fn default() -> Self {
        Self {
            wish: |_| false,
            advice: |_| false,
        }
    }
}

impl PartialEq for WishCues {
    fn eq(&self, other: &Self) -> bool {
        ptr::fn_addr_eq(self.wish, other.wish) && ptr::fn_addr_eq(self.advice, other.advice)
    }
}

impl Eq for WishCues {}
