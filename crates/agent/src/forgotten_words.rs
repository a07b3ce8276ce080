//! Takes forgotten words out of summaries and out of the window, which would otherwise repeat them for good.
//!
//! Recognises the sentences of forgotten messages and forgotten texts; it cannot recognise a paraphrase.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

use base::disk::FileStat;
use base::{Block, EntryId, Message, Timestamp, locked, sentences, without_sentences, words};
use memory::{FileError, TombstoneCause, Tombstones, Workspace, load_tombstones};
use search::NoteSource;
use serde_json::Value;
use session::{
    BranchSummary, Compaction, CopiedFrom, Entry, Fork, Payload, ReadError, SessionName,
    SessionStore, View, ViewContent, ViewItem,
};

use crate::expand::session_of_id;
use crate::knowledge::session_source::SessionSource;

/// Shorter sentences are too common to be known by their words.
const SENTENCE_CHARS_MIN: usize = 12;

/// Number of sessions whose words are kept: as many as are talked in at once.
const SESSIONS_MAX: usize = 16;

/// Number of forks of forks whose originals are read.
const FORKS_MAX: usize = 8;

/// The texts of one session that the owner has forgotten.
#[derive(Debug)]
pub struct ForgottenWords {
    tombstones: Tombstones,
    /// The sentences of its forgotten messages, each with the time of its newest forget.
    sentences: Vec<(String, Timestamp)>,
    /// The messages that were checked, each with what is left of it if it loses something. A redaction changes the
    /// content of a message, so the content is part of the key.
    messages: Mutex<HashMap<(EntryId, u64), Option<Message>>>,
}

/// What was last read, for as long as the tombstones stay as they are; the newest last.
#[derive(Debug, Default)]
pub(crate) struct ForgottenCache(Mutex<Vec<KnownWords>>);

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
        let is_it = |(of, session, _): &&KnownWords| *of == stat && session == name;
        if let Some((.., known)) = locked(&self.0).iter().find(is_it) {
            return Ok(Arc::clone(known));
        }
        let tombstones = load_tombstones(workspace)?;
        let words = Arc::new(ForgottenWords::read(sessions, tombstones, name)?);
        let mut cached = locked(&self.0);
        cached.retain(|(of, session, _)| *of == stat && session != name);
        if cached.len() == SESSIONS_MAX {
            cached.remove(0);
        }
        cached.push((stat, name.clone(), Arc::clone(&words)));
        Ok(words)
    }
}

/// A part of a message, and the message that it belongs to.
struct MessagePart<'a> {
    /// The entry, and the entries that it is a copy of.
    ids: Vec<&'a EntryId>,
    /// Whether the whole message is forgotten.
    is_gone: bool,
    said_at: Option<Timestamp>,
}

/// What a removal for good takes out of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct GoneText {
    /// Whether the whole entry goes.
    pub(crate) is_whole: bool,
    /// The sentences that were forgotten, as they stand there.
    pub(crate) hidden: Vec<String>,
    /// The sentences that are hidden because they contain one of these, or are a part of one.
    pub(crate) near: Vec<String>,
}

impl ForgottenWords {
    /// Reads the forgotten messages of a session and, for a fork, of the sessions that it copies; reads no transcript
    /// if there are none.
    pub(crate) fn read(
        sessions: &SessionStore,
        tombstones: Tombstones,
        name: &SessionName,
    ) -> Result<Self, ReadError> {
        let mut sentences = Vec::new();
        for name in originals(sessions, &tombstones, name)? {
            let path = SessionSource::path_of(&name);
            let mut forgotten_at: HashMap<&EntryId, (Option<u64>, Timestamp)> = HashMap::new();
            let forgets = tombstones.all().iter();
            for forget in forgets.filter(|it| it.why == TombstoneCause::Forgotten) {
                for entry in forget.entries.iter().filter(|entry| entry.path == path) {
                    let known = forgotten_at.entry(&entry.id).or_insert((None, forget.at));
                    *known = (entry.offset.or(known.0), forget.at.max(known.1));
                }
            }
            if forgotten_at.is_empty() {
                continue;
            }
            let wanted = forgotten_at.iter();
            let wanted: Vec<(EntryId, Option<u64>)> = wanted
                .map(|(id, (offset, _))| ((*id).clone(), *offset))
                .collect();
            for entry in sessions.entries(&name, &wanted)? {
                if let Some((_, at)) = forgotten_at.get(&entry.id) {
                    let gone = forgotten_sentences(&entry, &tombstones).into_iter();
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

    /// The same for a text that was said at a time: it states again what was forgotten before that time.
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
                let key = (item.entry.clone(), content_hash_of(message));
                let mut known = locked(&self.messages);
                let known = known
                    .entry(key)
                    .or_insert_with(|| self.message_without(item, message));
                known.clone().map(ViewContent::Message)
            }
        };
        left.map_or_else(|| item.clone(), |content| item.with_content(content))
    }

    /// What is left of a message; `None` if it loses nothing.
    fn message_without(&self, item: &ViewItem, message: &Message) -> Option<Message> {
        let originals = item.copied_from.iter().flat_map(CopiedFrom::entries);
        let ids: Vec<&EntryId> = originals.chain([&item.entry]).collect();
        let part = MessagePart {
            is_gone: ids.iter().any(|id| self.tombstones.hides_entry(id)),
            said_at: item.entry.made_at(),
            ids,
        };
        let mut left = message.clone();
        for block in left.content_mut() {
            match block {
                Block::Text(text) | Block::Thinking(text) => self.clean_text(text, &part),
                Block::ToolCall(call) => self.clean_arguments(&mut call.arguments, &part),
                Block::Image(_) | Block::Unknown { .. } => {}
            }
        }
        (left != *message).then_some(left)
    }

    fn clean_text(&self, text: &mut String, part: &MessagePart<'_>) {
        if part.is_gone {
            FORGOTTEN.clone_into(text);
            return;
        }
        let own = self.tombstones.left_of(&part.ids, text);
        let shown = self.said_without(&own, part.said_at);
        if matches!((&own, &shown), (Cow::Borrowed(_), Cow::Borrowed(_))) {
            return;
        }
        let shown = shown.into_owned();
        *text = Some(shown)
            .filter(|left| !left.trim().is_empty())
            .unwrap_or_else(|| FORGOTTEN.to_owned());
    }

    /// Cleans the values in the arguments of a call, so that they stay valid JSON.
    fn clean_arguments(&self, arguments: &mut String, part: &MessagePart<'_>) {
        let Ok(found) = serde_json::from_str::<Value>(arguments) else {
            self.clean_text(arguments, part);
            return;
        };
        let mut left = found.clone();
        self.clean_value(&mut left, part);
        if left != found {
            *arguments = left.to_string();
        }
    }

    fn clean_value(&self, value: &mut Value, part: &MessagePart<'_>) {
        match value {
            Value::String(text) => self.clean_text(text, part),
            Value::Array(values) => values.iter_mut().for_each(|it| self.clean_value(it, part)),
            Value::Object(fields) => {
                let values = fields.values_mut();
                values.for_each(|it| self.clean_value(it, part));
            }
            Value::Number(_) if part.is_gone => *value = Value::Null,
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// What is hidden of an entry.
    pub(crate) fn gone_in(&self, entry: &Entry) -> GoneText {
        let originals = entry.payload.copied_from().into_iter();
        let originals = originals.flat_map(CopiedFrom::entries);
        let ids: Vec<&EntryId> = originals.chain([&entry.id]).collect();
        let mut part = MessagePart {
            is_gone: ids.iter().any(|id| self.tombstones.hides_entry(id)),
            said_at: entry.id.made_at(),
            ids,
        };
        let mut gone = GoneText::default();
        match &entry.payload {
            Payload::Message(_) if part.is_gone => gone.is_whole = true,
            Payload::Message(stored) => {
                for text in texts_of(&stored.message) {
                    self.look_through(&text, &part, &mut gone);
                }
            }
            Payload::Compaction(Compaction { summary, .. })
            | Payload::BranchSummary(BranchSummary { summary }) => {
                // A summary is younger than what it repeats.
                part.said_at = None;
                self.look_through(summary, &part, &mut gone);
            }
            Payload::Meta(_)
            | Payload::Reset(_)
            | Payload::Rewind(_)
            | Payload::CustomMessage(_)
            | Payload::Custom(_)
            | Payload::SessionInfo(_)
            | Payload::Other(_) => {}
        }
        gone
    }

    fn look_through(&self, text: &str, part: &MessagePart<'_>, gone: &mut GoneText) {
        for line in text.lines().map(str::trim) {
            if self.hides(line, part.said_at) {
                gone.near.push(line.to_owned());
                continue;
            }
            for sentence in sentences(line) {
                if matches!(self.tombstones.left_of(&part.ids, sentence), Cow::Owned(_)) {
                    gone.hidden.push(sentence.to_owned());
                } else if self.says(sentence, part.said_at) {
                    gone.near.push(sentence.to_owned());
                }
            }
        }
    }

    /// Takes forgotten text out of the summary that a fork copies.
    pub(crate) fn clean(&self, fork: &mut Fork) {
        fork.map_summary(|summary| self.without(summary).into_owned());
    }
}

/// Stands for a message of which nothing is left; a request must not hold an empty one.
const FORGOTTEN: &str = "[forgotten]";

/// A session and, if tombstones hide messages, the sessions that it is a fork of.
fn originals(
    sessions: &SessionStore,
    tombstones: &Tombstones,
    name: &SessionName,
) -> Result<Vec<SessionName>, ReadError> {
    let mut found = vec![name.clone()];
    let mut all = tombstones.all().iter();
    if all.all(|it| it.entries.is_empty()) || !sessions.exists(name)? {
        return Ok(found);
    }
    let mut parent = sessions.lineage(name)?.parent;
    while let Some(id) = parent.take()
        && found.len() < FORKS_MAX
    {
        // Of a session that cannot be read, the entries are known by the copies.
        if let Some((name, lineage)) = session_of_id(sessions, &id)? {
            found.push(name);
            parent = lineage.parent;
        }
    }
    Ok(found)
}

/// The sentences that the owner had forgotten of an entry.
fn forgotten_sentences(entry: &Entry, tombstones: &Tombstones) -> Vec<String> {
    let Payload::Message(stored) = &entry.payload else {
        return Vec::new();
    };
    let is_whole = tombstones.hides_entry(&entry.id);
    let is_gone = |sentence: &&str| {
        let left = tombstones.left_of(&[&entry.id], sentence);
        is_whole || matches!(left, Cow::Owned(_))
    };
    long_sentences(&stored.message.text(), &is_gone)
}

/// The texts of a message, also those in the arguments of its calls.
fn texts_of(message: &Message) -> Vec<String> {
    let mut texts = Vec::new();
    for block in message.content() {
        match block {
            Block::Text(text) | Block::Thinking(text) => texts.push(text.clone()),
            Block::ToolCall(call) => match serde_json::from_str::<Value>(&call.arguments) {
                Ok(value) => strings_in(&value, &mut texts),
                Err(_) => texts.push(call.arguments.clone()),
            },
            Block::Image(_) | Block::Unknown { .. } => {}
        }
    }
    texts
}

fn strings_in(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|it| strings_in(it, texts)),
        Value::Object(fields) => fields.values().for_each(|it| strings_in(it, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A hash of what a message says.
fn content_hash_of(message: &Message) -> u64 {
    let mut hasher = DefaultHasher::new();
    for block in message.content() {
        match block {
            Block::Text(text) | Block::Thinking(text) => text.hash(&mut hasher),
            Block::ToolCall(call) => call.arguments.hash(&mut hasher),
            Block::Image(_) | Block::Unknown { .. } => {}
        }
    }
    hasher.finish()
}

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
#[path = "forgotten_words_tests.rs"]
mod tests;
