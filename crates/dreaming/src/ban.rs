//! Reads what the assistant is never to do, and what it may do again: `You may suggest restaurants again`.
//!
//! Sees one line in English, which says nothing besides; compares two, and judges no age.

use std::collections::BTreeSet;

use crate::words::stem;

/// What is forbidden, or allowed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ban {
    /// The stems of what is to be done or not.
    matter: BTreeSet<String>,
    /// Whether it is allowed again.
    is_lifted: bool,
}

/// How a line forbids something.
#[rustfmt::skip]
const FORBIDDING: &[&[&str]] = &[
    &["never"], &["don't", "ever"], &["don't"], &["do", "not", "ever"], &["do", "not"], &["stop"], &["you", "must", "never"],
    &["you", "should", "never"],
];

/// Words that change nothing.
const BESIDE: &[&str] = &[
    "please", "me", "to", "from", "now", "on", "any", "more", "anymore", "again", "ever", "ok",
    "okay", "the", "a",
];

/// What a line forbids or allows again; `None` where it does neither.
pub(crate) fn ban(text: &str) -> Option<Ban> {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let clause = lower.trim_end_matches(['.', '!', ' ']);
    if clause.contains([',', ';', ':', '?', '(', '.']) {
        return None;
    }
    let words: Vec<&str> = clause.split_whitespace().collect();
    let n_front = words
        .iter()
        .take_while(|word| BESIDE.contains(word))
        .count();
    let words = words.get(n_front..)?;
    let is_lifted = matches!(words, ["you", "may" | "can", ..]) && words.contains(&"again");
    let rest = if is_lifted {
        words.get(2..)
    } else {
        FORBIDDING.iter().find_map(|own| words.strip_prefix(*own))
    };
    let matter: BTreeSet<String> = rest?
        .iter()
        .filter(|word| !BESIDE.contains(word))
        .map(|word| stem(word))
        .collect();
    (matter.len() > 1).then_some(Ban { matter, is_lifted })
}

impl Ban {
    /// Whether it allows something again, which says nothing where it was never forbidden.
    pub(crate) fn is_lifted(&self) -> bool {
        self.is_lifted
    }

    /// Whether both are about the same, and only one forbids it.
    pub(crate) fn turns(&self, other: &Self) -> bool {
        self.matter == other.matter && self.is_lifted != other.is_lifted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_done_again_is_forbidden_no_more() {
        for (new, old, expected) in [
            (
                "You may suggest restaurants again.",
                "Never suggest restaurants.",
                true,
            ),
            (
                "You can suggest restaurants again",
                "Please don't suggest restaurants",
                true,
            ),
            (
                "You may suggest restaurants to me again",
                "Please stop suggesting restaurants!",
                true,
            ),
            (
                "Never suggest restaurants",
                "You may suggest restaurants again",
                true,
            ),
            (
                "You may suggest hotels again",
                "Never suggest restaurants",
                false,
            ),
            (
                "You may suggest vegan restaurants again",
                "Never suggest restaurants",
                false,
            ),
            (
                "Never suggest restaurants",
                "Don't suggest restaurants",
                false,
            ),
        ] {
            let pair = ban(new).zip(ban(old));
            let found = pair.map(|(new, old)| new.turns(&old));
            assert_eq!(found, Some(expected), "{new:?} after {old:?}");
        }
        for text in [
            "You may suggest restaurants",
            "You may suggest restaurants again, but no bars",
            "I never suggest restaurants",
            "Never mind",
            "You can try again",
        ] {
            assert_eq!(ban(text), None, "{text}");
        }
    }
}
