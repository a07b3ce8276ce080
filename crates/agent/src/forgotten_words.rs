//! Takes forgotten words out of summaries, which would otherwise repeat them for good.
//!
//! Recognises the sentences of forgotten messages and forgotten texts; it cannot recognise a paraphrase.

use std::borrow::Cow;

use base::{Block, Message, sentences, without_sentences, words};
use memory::{TombstoneCause, Tombstones};
use session::{
    Fork, LineContent, Payload, ReadError, SessionName, SessionStore, View, ViewContent, ViewItem,
};

use crate::knowledge::session_source::SessionSource;

/// Shorter sentences are too common to be known by their words.
const SENTENCE_CHARS_MIN: usize = 12;

/// What the owner had forgotten of one session.
#[derive(Debug)]
pub struct ForgottenWords<'a> {
    tombstones: &'a Tombstones,
    /// The sentences of its forgotten messages.
    sentences: Vec<String>,
}

impl<'a> ForgottenWords<'a> {
    /// Reads the forgotten messages of a session; reads no transcript if there are none.
    pub fn read(
        sessions: &SessionStore,
        tombstones: &'a Tombstones,
        name: &SessionName,
    ) -> Result<Self, ReadError> {
        let path = SessionSource::path_of(name);
        let mut all = tombstones.all().iter();
        let is_concerned = all.any(|it| {
            it.why == TombstoneCause::Forgotten && it.entries.iter().any(|entry| entry.path == path)
        });
        let mut sentences = Vec::new();
        if is_concerned {
            for line in sessions.lines(name)? {
                if let LineContent::Entry(entry) = line?.content
                    && let Payload::Message(stored) = &entry.payload
                {
                    let text = stored.message.text();
                    let is_whole = tombstones.hides_entry(&entry.id);
                    let is_gone = |sentence: &&str| {
                        let left = tombstones.left_of(&[&entry.id], sentence);
                        is_whole || matches!(left, Cow::Owned(_))
                    };
                    sentences.extend(long_sentences(&text, &is_gone));
                }
            }
        }
        Ok(Self {
            tombstones,
            sentences,
        })
    }

    fn is_empty(&self) -> bool {
        self.sentences.is_empty() && self.tombstones.hides_nothing()
    }

    /// A text without the sentences that say what is forgotten, and without lines that then say nothing.
    pub fn without<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        let lines = text.lines().map(|line| self.line_without(line));
        let lines: Vec<Option<String>> = lines.collect();
        let is_whole = text
            .lines()
            .zip(&lines)
            .all(|(line, kept)| kept.as_deref() == Some(line));
        if is_whole {
            return Cow::Borrowed(text);
        }
        let lines: Vec<String> = lines.into_iter().flatten().collect();
        Cow::Owned(lines.join("\n"))
    }

    /// `None` if nothing of the line is left.
    fn line_without(&self, line: &str) -> Option<String> {
        if self.tombstones.hides_text(line) {
            return None;
        }
        let Some(left) = without_sentences(line, &|sentence| !self.says(sentence)) else {
            return Some(line.to_owned());
        };
        (!in_words(&left).is_empty()).then_some(left)
    }

    /// Whether a sentence is forgotten, holds a forgotten one, or is a part of one.
    fn says(&self, sentence: &str) -> bool {
        if self.tombstones.hides_text(sentence) {
            return true;
        }
        let own = in_words(sentence);
        let is_long = own.chars().count() >= SENTENCE_CHARS_MIN;
        self.sentences
            .iter()
            .any(|gone| own.contains(gone.as_str()) || is_long && gone.contains(&own))
    }

    /// The view with every summary and message without what is forgotten.
    pub fn view_without<'v>(&self, view: &'v View) -> Cow<'v, View> {
        if self.is_empty() {
            return Cow::Borrowed(view);
        }
        let items = view.items.iter().map(|item| self.item_without(item));
        Cow::Owned(View {
            items: items.collect(),
            is_cut: view.is_cut,
        })
    }

    fn item_without(&self, item: &ViewItem) -> ViewItem {
        let content = match &item.content {
            ViewContent::Summary(summary) => {
                ViewContent::Summary(self.without(summary).into_owned())
            }
            ViewContent::Message(message) => ViewContent::Message(self.message_without(message)),
        };
        if content == item.content {
            return item.clone();
        }
        ViewItem::new(item.entry.clone(), item.at, item.origin, content)
    }

    fn message_without(&self, message: &Message) -> Message {
        let mut message = message.clone();
        for block in message.content_mut() {
            if let Block::Text(text) = block
                && let Cow::Owned(left) = self.without(text)
            {
                *text = Some(left)
                    .filter(|left| !left.trim().is_empty())
                    .unwrap_or_else(|| FORGOTTEN.to_owned());
            }
        }
        message
    }

    /// Takes what is forgotten out of the summary that a fork copies.
    pub(crate) fn clean(&self, fork: &mut Fork) {
        fork.map_summary(|summary| self.without(summary).into_owned());
    }
}

/// Stands for a message of which nothing is left; a request must not hold an empty one.
const FORGOTTEN: &str = "[forgotten]";

fn long_sentences(text: &str, is_gone: &dyn Fn(&&str) -> bool) -> Vec<String> {
    let gone = text.lines().flat_map(sentences).filter(is_gone);
    gone.map(in_words)
        .filter(|words| words.chars().count() >= SENTENCE_CHARS_MIN)
        .collect()
}

/// A text as lower-case words, so that marks and spacing do not count.
fn in_words(text: &str) -> String {
    let text = text.to_lowercase();
    words(&text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gone(said: &str) -> Vec<String> {
        long_sentences(said, &|_| true)
    }

    #[test]
    fn forgotten_sentences_are_removed_with_lines_that_repeat_them() {
        let tombstones = Tombstones::default();
        let words = ForgottenWords {
            tombstones: &tombstones,
            sentences: gone("The vault opens with the blue heron. Thanks!"),
        };
        for (summary, expected) in [
            (
                "## Facts\n- The vault opens with the blue heron.\n- Tea at four.",
                "## Facts\n- Tea at four.",
            ),
            ("> user: \"the vault  opens with the Blue Heron\"", ""),
            (
                "Tea at four. The vault opens with the blue heron.",
                "Tea at four.",
            ),
            ("- opens with the blue heron", ""),
            ("Thanks! Tea at four.", "Thanks! Tea at four."),
            ("The vault is locked.", "The vault is locked."),
        ] {
            assert_eq!(words.without(summary), expected, "{summary}");
        }
    }
}
