//! The tombstone, and the hash that recognises a text.
//!
//! Pure.

use base::{EntryId, Timestamp, content_hash, short_hash, text_id};
use serde::{Deserialize, Serialize};

use crate::WorkspacePath;
use crate::daily_log::without_comments;

/// The record of one forget or rejection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tombstone {
    pub id: TombstoneId,
    /// When it was made.
    pub at: Timestamp,
    /// Its reason.
    pub why: TombstoneCause,
    /// The texts that must not come back.
    #[serde(default)]
    pub texts: Vec<TextHash>,
    /// Those of the texts that the owner has stated again; they are no longer hidden.
    #[serde(default, rename = "toldAgain", skip_serializing_if = "Vec::is_empty")]
    pub reinstated: Vec<TextHash>,
    /// The hidden entries of transcripts.
    #[serde(default)]
    pub entries: Vec<ForgottenEntry>,
    /// Those of the entries that are hidden only because a forgotten note is based on them: other notes made from them
    /// stay visible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<EntryId>,
    /// The files that held its lines, in order.
    #[serde(default)]
    pub files: Vec<WorkspacePath>,
    /// What happens to the owner's lines in these files.
    pub owner_lines: OwnerLines,
    /// Whether a sweep has taken its lines out of all files since.
    pub progress: TombstoneProgress,
    /// When it was removed for good, from the transcripts too: nothing restores it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_at: Option<Timestamp>,
    /// The hash of the request, by which a repeated request is recognised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<TextHash>,
}

text_id! {
    /// The id of a tombstone: eight hex digits.
    TombstoneId
}

/// The reason for a tombstone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TombstoneCause {
    /// Forgotten by the owner: hidden everywhere.
    Forgotten,
    /// Rejected as a memory: never proposed again, but visible where it was said.
    Rejected,
}

/// A hidden entry of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ForgottenEntry {
    pub id: EntryId,
    /// The path of its transcript relative to the home, such as `sessions/main.jsonl`.
    pub path: String,
    /// Its line in the transcript, from 1.
    pub line: usize,
    /// The byte offset of that line when it was forgotten; `None` if an earlier version wrote the tombstone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The hidden sentences of its text; empty if the whole entry is hidden.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<TextHash>,
}

impl ForgottenEntry {
    /// Whether the whole entry is hidden.
    pub fn is_whole(&self) -> bool {
        self.sentences.is_empty()
    }
}

/// What happens to lines that the owner wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OwnerLines {
    /// They stay in the file and are hidden everywhere else.
    #[serde(rename = "left")]
    Leave,
    /// They are removed; the owner has confirmed it.
    #[serde(rename = "removed")]
    Remove,
}

impl From<bool> for OwnerLines {
    fn from(removes: bool) -> Self {
        if removes { Self::Remove } else { Self::Leave }
    }
}

/// Whether the owner's lines may still be removed, if the owner agreed: after that, lines that the owner writes stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TombstoneProgress {
    /// Some lines may still be in the files.
    Begun,
    /// All lines are removed.
    Done,
}

/// A hash that recognises a text in another place, in other case, or as another kind of list item.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct TextHash(String);

/// Hex digits of a [`TextHash`]: enough to rule out collisions.
const HASH_DIGITS: usize = 32;

impl Tombstone {
    /// The texts that it still hides or bars.
    pub fn standing_texts(&self) -> impl Iterator<Item = &TextHash> {
        let texts = self.texts.iter();
        texts.filter(|text| !self.reinstated.contains(text))
    }
}

impl TombstoneId {
    /// Derives the id from time, texts and entries.
    pub fn of(at: Timestamp, texts: &[TextHash], entries: &[ForgottenEntry]) -> Self {
        Self(short_hash(&format!("{at}\n{texts:?}\n{entries:?}")))
    }
}

impl TextHash {
    /// Hashes a text, ignoring our comments, list and heading marks, whitespace and case; `None` if nothing is left.
    pub fn of(text: &str) -> Option<Self> {
        let words = normal(text);
        (!words.is_empty()).then(|| {
            let mut hex = content_hash(words.as_bytes());
            hex.truncate(HASH_DIGITS);
            Self(hex)
        })
    }
}

impl TryFrom<String> for TextHash {
    type Error = String;

    /// Parses a stored hash.
    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.len() == HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            Ok(Self(text))
        } else {
            Err(format!("{text:?} is not a text hash"))
        }
    }
}

fn normal(text: &str) -> String {
    let text = without_comments(text);
    let lowercase = text.to_lowercase();
    // `[ ]` would be split into two words; `[x]` is one.
    let closed = lowercase.replace("[ ]", "[x]");
    let mut words: Vec<&str> = closed.split_whitespace().collect();
    let n_marks = words.iter().take_while(|word| is_mark(word)).count();
    words.drain(..n_marks);
    words.join(" ")
}

/// Whether a word is only a list, quote or heading mark.
fn is_mark(word: &str) -> bool {
    let number = word.trim_end_matches(['.', ')']);
    matches!(word, "-" | "*" | "+" | "\u{2022}" | "[x]" | ">")
        || word.bytes().all(|byte| byte == b'#')
        || (number.len() < word.len()
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_hash_ignores_list_marks_case_and_comments() {
        let known = TextHash::of("Anna's number is 555 0199");
        for text in [
            "- Anna's number is 555 0199",
            "  * anna's  NUMBER is\n555 0199",
            "3. Anna's number is 555 0199",
            "- [ ] Anna's number is 555 0199",
            "- [X] Anna's number is 555 0199",
            "## Anna's number is 555 0199",
            "- Anna's number is 555 0199 <!-- n:0a0a0a0a e:x h:81ab03ff o:owner -->",
            "- Anna's number is 555 0199 ^0a0a0a0a",
        ] {
            assert_eq!(TextHash::of(text), known, "{text}");
        }
        for text in ["Anna's number is 555 0198", "Anna's number", "3 of Anna's"] {
            assert_ne!(TextHash::of(text), known, "{text}");
        }
        assert_ne!(TextHash::of("I like C"), TextHash::of("I like C++"));
        for nothing in ["", " \n", "- ", "##"] {
            assert_eq!(TextHash::of(nothing), None, "{nothing:?}");
        }
    }
}
