//! What a tombstone is, and how a text is known again.
//!
//! Pure; knows neither files nor the index.

use base::{EntryId, Timestamp, content_hash, short_hash, text_id};
use serde::{Deserialize, Serialize};

use crate::WorkspacePath;
use crate::daily_log::without_comments;

/// What was forgotten or rejected in one go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tombstone {
    /// Names it.
    pub id: TombstoneId,
    /// When it was made.
    pub at: Timestamp,
    /// Why it is there.
    pub why: Why,
    /// The texts that must not come back.
    #[serde(default)]
    pub texts: Vec<TextHash>,
    /// Those of them that the owner has stated again since: they are shown.
    #[serde(default, rename = "toldAgain", skip_serializing_if = "Vec::is_empty")]
    pub reinstated: Vec<TextHash>,
    /// The entries of transcripts that are hidden.
    #[serde(default)]
    pub entries: Vec<ForgottenEntry>,
    /// Those of them that are hidden for one of the things that they say: notes of the others stay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<EntryId>,
    /// The files from which lines are taken, in order.
    #[serde(default)]
    pub files: Vec<WorkspacePath>,
    /// What becomes of the owner's lines in these files.
    pub owner_lines: OwnerLines,
    /// Whether these files are done.
    pub progress: Progress,
    /// The request. The same request again finishes this, and once it is done forgets nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<TextHash>,
}

text_id! {
    /// Names a tombstone; eight hex digits.
    TombstoneId
}

/// Why a tombstone is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Why {
    /// The owner wants it forgotten: it is hidden everywhere.
    Forgotten,
    /// The owner rejected it as a memory: it is not proposed again, and stays where it was said.
    Rejected,
}

/// An entry of a transcript that is hidden.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ForgottenEntry {
    /// The entry.
    pub id: EntryId,
    /// Its transcript relative to the home, such as `sessions/main.jsonl`.
    pub path: String,
    /// Its line there, from 1.
    pub line: usize,
}

/// What becomes of the lines that the owner wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OwnerLines {
    /// They stay in their file and are hidden from everything else.
    #[serde(rename = "left")]
    Leave,
    /// The owner confirmed that they go.
    #[serde(rename = "removed")]
    Remove,
}

/// How far the files of a tombstone are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Progress {
    /// Lines may still stand in them.
    Begun,
    /// The lines are gone.
    Done,
}

/// A text as it is known again: in another place, in other case, as another kind of list item.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct TextHash(String);

/// Hex digits of a [`TextHash`]: enough that no two texts of a lifetime share one.
const HASH_DIGITS: usize = 32;

impl Tombstone {
    /// The texts that it hides or bars now.
    pub fn standing_texts(&self) -> impl Iterator<Item = &TextHash> {
        let texts = self.texts.iter();
        texts.filter(|text| !self.reinstated.contains(text))
    }
}

impl TombstoneId {
    /// The id of what is forgotten at an instant.
    pub fn of(at: Timestamp, texts: &[TextHash], entries: &[ForgottenEntry]) -> Self {
        Self(short_hash(&format!("{at}\n{texts:?}\n{entries:?}")))
    }
}

impl TextHash {
    /// The hash of a text; comments of ours, list marks, heading marks, white space and case make no
    /// difference. `None` where nothing is left.
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

    /// Takes a hash as it stands in a file.
    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.len() == HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            Ok(Self(text))
        } else {
            Err(format!("{text:?} is not the hash of a text"))
        }
    }
}

fn normal(text: &str) -> String {
    let text = without_comments(text);
    let lowercase = text.to_lowercase();
    // An open box is two words; a checked one is one.
    let closed = lowercase.replace("[ ]", "[x]");
    let mut words: Vec<&str> = closed.split_whitespace().collect();
    let n_marks = words.iter().take_while(|word| is_mark(word)).count();
    words.drain(..n_marks);
    words.join(" ")
}

/// Whether a word only says what kind of line this is.
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
    fn a_text_is_known_again_whatever_line_it_stands_in() {
        let known = TextHash::of("Anna's number is 555 0199");
        for text in [
            "- Anna's number is 555 0199",
            "  * anna's  NUMBER is\n555 0199",
            "3. Anna's number is 555 0199",
            "- [ ] Anna's number is 555 0199",
            "- [X] Anna's number is 555 0199",
            "## Anna's number is 555 0199",
            "- Anna's number is 555 0199 <!-- n:0a0a0a0a e:x h:81ab03ff o:owner -->",
        ] {
            assert_eq!(TextHash::of(text), known, "{text}");
        }
        for text in ["Anna's number is 555 0198", "Anna's number", "3 of Anna's"] {
            assert_ne!(TextHash::of(text), known, "{text}");
        }
        assert_ne!(TextHash::of("I like C"), TextHash::of("I like C++"));
        for nothing in ["", " \n", "- ", "##", "<!-- /flush 5e0c9d12 -->"] {
            assert_eq!(TextHash::of(nothing), None, "{nothing:?}");
        }
    }
}
