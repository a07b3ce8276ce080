//! Takes forgotten words out of summaries and out of the window, which would otherwise repeat them for good.
//!
//! Recognises the sentences of forgotten messages and forgotten texts; it cannot recognise a paraphrase.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use base::disk::FileStat;
use base::{Block, EntryId, Message, Timestamp, locked, sentences, without_sentences, words};
use memory::{FileError, TombstoneCause, Tombstones, Workspace, load_tombstones};
use search::NoteSource;
use session::{
    Fork, LineContent, Payload, ReadError, SessionName, SessionStore, View, ViewContent, ViewItem,
};

use crate::knowledge::session_source::SessionSource;

/// Shorter sentences are too common to be known by their words.
const SENTENCE_CHARS_MIN: usize = 12;

/// The texts of one session that the owner has forgotten.
#[derive(Debug)]
pub struct ForgottenWords {
    tombstones: Tombstones,
    /// The sentences of its forgotten messages, each with the time of its newest forget.
    sentences: Vec<(String, Timestamp)>,
    /// The messages that were looked through, with what is left of those that lose something.
    messages: Mutex<HashMap<EntryId, Option<Message>>>,
}

/// What was last read, for as long as the tombstones stay as they are.
#[derive(Debug, Default)]
pub(crate) struct ForgottenCache(Mutex<Option<KnownWords>>);

/// Words with the metadata of the tombstones and the session that they come from.
type KnownWords = (Option<FileStat>, SessionName, Arc<ForgottenWords>);

impl ForgottenCache {
    /// What the owner had forgotten of a session, as of now.
    pub(crate) fn words<E: From<FileError> + From<ReadError>>(
        &self,
        (sessions, workspace): (&SessionStore, &Workspace),
        name: &SessionName,
    ) -> Result<Arc<ForgottenWords>, E> {
        // Before the tombstones: a change in between is then read next time.
        let stat = workspace.disk().stat(&workspace.layout().tombstones());
        let stat = stat.map_err(FileError::from)?;
        let mut cached = locked(&self.0);
        if let Some((of, session, known)) = &*cached
            && *of == stat
            && session == name
        {
            return Ok(Arc::clone(known));
        }
        let tombstones = load_tombstones(workspace)?;
        let words = Arc::new(ForgottenWords::read(sessions, tombstones, name)?);
        *cached = Some((stat, name.clone(), Arc::clone(&words)));
        Ok(words)
    }
}

impl ForgottenWords {
    /// Reads the forgotten messages of a session; does not read a transcript if there are none.
    pub(crate) fn read(
        sessions: &SessionStore,
        tombstones: Tombstones,
        name: &SessionName,
    ) -> Result<Self, ReadError> {
        let path = SessionSource::path_of(name);
        let mut forgotten_at: HashMap<&EntryId, Timestamp> = HashMap::new();
        let forgets = tombstones.all().iter();
        for forget in forgets.filter(|it| it.why == TombstoneCause::Forgotten) {
            for entry in forget.entries.iter().filter(|entry| entry.path == path) {
                let at = forgotten_at.entry(&entry.id).or_insert(forget.at);
                *at = forget.at.max(*at);
            }
        }
        let mut sentences = Vec::new();
        if !forgotten_at.is_empty() {
            for line in sessions.lines(name)? {
                if let LineContent::Entry(entry) = line?.content
                    && let Payload::Message(stored) = &entry.payload
                    && let Some(at) = forgotten_at.get(&entry.id)
                {
                    let text = stored.message.text();
                    let is_whole = tombstones.hides_entry(&entry.id);
                    let is_gone = |sentence: &&str| {
                        let left = tombstones.left_of(&[&entry.id], sentence);
                        is_whole || matches!(left, Cow::Owned(_))
                    };
                    let gone = long_sentences(&text, &is_gone).into_iter();
                    sentences.extend(gone.map(|sentence| (sentence, *at)));
                }
            }
        }
        Ok(Self {
            tombstones,
            sentences,
            messages: Mutex::default(),
        })
    }

    /// The tombstones that these words come from.
    pub(crate) fn tombstones(&self) -> &Tombstones {
        &self.tombstones
    }

    fn is_empty(&self) -> bool {
        self.sentences.is_empty() && self.tombstones.hides_nothing()
    }

    /// A text without the sentences that state something forgotten, and without lines that are then empty of content.
    pub fn without<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.said_without(text, None)
    }

    /// The same for a text that was said at a time: what was forgotten before that, it says again.
    fn said_without<'t>(&self, text: &'t str, said_at: Option<Timestamp>) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        let lines = text.lines().map(|line| self.line_without(line, said_at));
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
    fn line_without(&self, line: &str, said_at: Option<Timestamp>) -> Option<String> {
        if self.hides(line, said_at) {
            return None;
        }
        let Some(left) = without_sentences(line, &|sentence| !self.says(sentence, said_at)) else {
            return Some(line.to_owned());
        };
        (!in_words(&left).is_empty()).then_some(left)
    }

    /// Whether a sentence is forgotten, holds a forgotten one, or is a part of one.
    fn says(&self, sentence: &str, said_at: Option<Timestamp>) -> bool {
        if self.hides(sentence, said_at) {
            return true;
        }
        if self.sentences.is_empty() {
            return false;
        }
        let own = in_words(sentence);
        let is_long = own.chars().count() >= SENTENCE_CHARS_MIN;
        self.sentences.iter().any(|(gone, since)| {
            let is_said = own.contains(gone.as_str()) || is_long && gone.contains(&own);
            is_said && said_at.is_none_or(|at| at <= *since)
        })
    }

    /// Whether a text is forgotten, and was not said again since.
    fn hides(&self, text: &str, said_at: Option<Timestamp>) -> bool {
        let since = || self.tombstones.hidden_since(text);
        self.tombstones.hides_text(text)
            && said_at.is_none_or(|at| since().is_none_or(|since| at <= since))
    }

    /// The view with every summary and message without forgotten text.
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
        let left = match &item.content {
            ViewContent::Summary(summary) => match self.without(summary) {
                Cow::Borrowed(_) => None,
                Cow::Owned(left) => Some(ViewContent::Summary(left)),
            },
            ViewContent::Message(message) => {
                // A view is looked through for each request, and grows by its last messages alone.
                let mut known = locked(&self.messages);
                let known = known
                    .entry(item.entry.clone())
                    .or_insert_with(|| self.message_without(&item.entry, message));
                known.clone().map(ViewContent::Message)
            }
        };
        left.map_or_else(
            || item.clone(),
            |content| ViewItem::new(item.entry.clone(), item.at, item.origin, content),
        )
    }

    /// What is left of a message; `None` if it loses nothing.
    fn message_without(&self, entry: &EntryId, message: &Message) -> Option<Message> {
        let mut left = message.clone();
        let is_whole = self.tombstones.hides_entry(entry);
        for block in left.content_mut() {
            if let Block::Text(text) = block {
                let own = self.tombstones.left_of(&[entry], text);
                let shown = match (is_whole, self.said_without(&own, entry.made_at())) {
                    (true, _) => FORGOTTEN.to_owned(),
                    (false, Cow::Borrowed(_)) if matches!(own, Cow::Borrowed(_)) => continue,
                    (false, shown) => shown.into_owned(),
                };
                *text = Some(shown)
                    .filter(|left| !left.trim().is_empty())
                    .unwrap_or_else(|| FORGOTTEN.to_owned());
            }
        }
        (left != *message).then_some(left)
    }

    /// Takes forgotten text out of the summary that a fork copies.
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

    fn gone(said: &str) -> Vec<(String, Timestamp)> {
        let at = "2026-04-20T12:00:00Z".parse().unwrap();
        let gone = long_sentences(said, &|_| true).into_iter();
        gone.map(|sentence| (sentence, at)).collect()
    }

    #[test]
    fn forgotten_sentences_are_removed_with_lines_that_repeat_them() {
        let words = ForgottenWords {
            tombstones: Tombstones::default(),
            sentences: gone("The vault opens with the blue heron. Thanks!"),
            messages: Mutex::default(),
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

    #[test]
    fn message_loses_forgotten_sentence_unless_it_says_it_after_the_forget() {
        let words = ForgottenWords {
            tombstones: Tombstones::default(),
            sentences: gone("The vault opens with the blue heron."),
            messages: Mutex::default(),
        };
        let said = Message::user("Tea at four. The vault opens with the blue heron.");
        for (at, expected) in [
            ("2026-04-20T11:00:00Z", Some("Tea at four.")),
            ("2026-04-20T12:00:00Z", Some("Tea at four.")),
            ("2026-04-20T13:00:00Z", None),
        ] {
            let entry = EntryId::generate(at.parse().unwrap());
            let left = words.message_without(&entry, &said);
            assert_eq!(left.map(|left| left.text()).as_deref(), expected, "{at}");
        }
        let foreign = words.message_without(&EntryId::new("e1"), &said);
        assert_eq!(foreign.unwrap().text(), "Tea at four.");
    }
}
