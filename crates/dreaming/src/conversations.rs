//! The ports through which dreams read sessions and analyse texts.
//!
//! Independent of the format of transcripts.

use std::collections::BTreeSet;
use std::fmt::Debug;

use base::{EntryId, Origin, SessionId, SourceError, Timestamp};

/// Read access to sessions.
///
/// Never returns text that was rewound, recalled or forgotten.
pub trait Conversations: Send + Sync + Debug {
    /// Lists the current sessions.
    fn sessions(&self) -> Result<Vec<SessionStat>, SourceError>;

    /// Passes the messages of a session to `sink`, in order, starting at byte `from`.
    fn read(
        &self,
        path: &str,
        from: u64,
        sink: &mut dyn FnMut(SpokenMessage),
    ) -> Result<(), SourceError>;

    /// The messages of those entries that still exist, in any order; `None` means any session.
    fn find(
        &self,
        entries: &[(Option<SessionId>, EntryId)],
    ) -> Result<Vec<FoundMessage>, SourceError>;
}

/// Limit of the texts of others that are kept with a message, in bytes: a page or two of each of some tools.
const HEARD_BYTES_MAX: usize = 256 * 1024;

/// Keeps a text that the assistant read in answer to a message, unless those before it fill the limit.
pub fn hear(heard: &mut Vec<String>, text: String) {
    let n_before: usize = heard.iter().map(String::len).sum();
    if n_before.saturating_add(text.len()) <= HEARD_BYTES_MAX {
        heard.push(text);
    }
}

/// A message, and the texts of others that the assistant read before it answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundMessage {
    /// The message.
    pub said: SpokenMessage,
    /// The texts of tools and pages between it and the next message of a person.
    pub heard: Vec<String>,
}

/// Metadata of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStat {
    /// Its path relative to the home, such as `sessions/main.jsonl`.
    pub path: String,
    /// Its length in bytes.
    pub n_bytes: u64,
    /// Time and entry of its last message; `None` if it has none.
    pub last: Option<(Timestamp, EntryId)>,
    /// Whether a flush has covered its last message.
    pub is_flushed: bool,
}

/// A message of a person, the assistant or a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenMessage {
    /// The path of the session.
    pub path: String,
    /// The id of the session.
    pub session: SessionId,
    /// The id of its entry.
    pub entry: EntryId,
    /// Its line in the transcript, from 1.
    pub line: usize,
    /// Where that line begins, in bytes.
    pub offset: u64,
    /// When it was said.
    pub at: Timestamp,
    /// Who answers for it.
    pub origin: Origin,
    /// Whether a person wrote it, not the assistant or a tool.
    pub is_person: bool,
    /// Its text without recalled parts.
    pub text: String,
}

/// Language-dependent analysis of texts.
#[derive(Debug, Clone, Copy)]
pub struct TextReading {
    /// Blanks out all parts of a message that are not its author's own words, such as quotations.
    pub in_person: fn(&str) -> String,
    /// Maximum characters of a paragraph that counts as typed; a longer one may be pasted.
    pub paragraph_chars_max: usize,
    /// The numbers that a text states in words, each with all its possible values.
    pub claimed: fn(&str) -> Vec<BTreeSet<u64>>,
    /// Whether a lowercase word belongs to the calendar, such as the name of a month.
    pub is_calendar_word: fn(&str) -> bool,
    /// Whether a part of a text contains a negation or a prohibition, in the language of the whole text: a part may be
    /// too short to tell its language.
    pub denies: fn(&str, &str) -> bool,
    /// Whether a text is in a language that capitalises all nouns.
    pub capitalises_nouns: fn(&str) -> bool,
    /// The stop words in a text, in lower case; empty if its language is unknown.
    pub common_words: fn(&str) -> BTreeSet<String>,
    /// Whether a text speaks in the first person.
    pub is_first_person: fn(&str) -> bool,
    /// Whether a sentence stands on the first line of a message, or below nothing but requests to keep something: below
    /// other words it may be part of something pasted.
    pub opens: fn(&str, &str) -> bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_beyond_limit_is_not_kept_and_shorter_one_after_it_is() {
        let mut heard = Vec::new();
        let page = "p".repeat(HEARD_BYTES_MAX - 10);
        for text in [&page, "longer than ten", "ten bytes."] {
            hear(&mut heard, text.to_owned());
        }
        assert_eq!(heard, [page.as_str(), "ten bytes."]);
    }
}
