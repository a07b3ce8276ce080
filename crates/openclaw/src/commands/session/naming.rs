//! Finds the session for a conversation of another program: the one that holds it already, or a new one in the scope of
//! its repository.
//!
//! Hooks, imports and migrations all ask here, so that no way in copies a conversation twice or out of its repository.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsStr;

use agent::{
    Repository, TakeMode, TakenState, beginning_in, beginning_of, share_conversation,
    take_conversation,
};
use base::{Timestamp, scope_of, short_hash, without_scope};
use import::{Conversation, ImportFormat};
use session::SessionNameError;
use unicode_normalization::UnicodeNormalization;

use super::import::FORMATS;
use crate::prelude::*;
use crate::repository::{self, Located};

/// The session for a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionFor {
    pub(crate) name: SessionName,
    /// Why it is private to the path of its directory, if the repository cannot be determined.
    pub(crate) doubt: Option<String>,
    /// The session that holds the conversation and becomes this one, because the owner chose another scope.
    pub(crate) moved_from: Option<SessionName>,
}

impl SessionFor {
    fn known(name: SessionName) -> Self {
        Self {
            name,
            doubt: None,
            moved_from: None,
        }
    }
}

/// The facts that determine the session for a conversation.
#[derive(Debug)]
pub(crate) struct Naming<'a> {
    pub(crate) store: &'a SessionStore,
    pub(crate) now: Timestamp,
    /// The name that the owner chose.
    pub(crate) named: Option<&'a SessionName>,
    /// The scope that the owner chose, a path or remote.
    pub(crate) scope: Option<&'a str>,
    /// The directory, if the conversation names none.
    pub(crate) directory: Option<&'a Path>,
    pub(crate) beginnings: &'a Beginnings,
}

/// The imported sessions by the hash of their first message, read once for all conversations of a command.
#[derive(Debug, Default)]
pub(crate) struct Beginnings(RefCell<Option<HashMap<String, Vec<SessionName>>>>);

impl Beginnings {
    /// The sessions that begin with one of these messages.
    fn sessions(&self, store: &SessionStore, hashes: &[String]) -> Result<Vec<SessionName>> {
        let mut known = self.0.borrow_mut();
        let known = match &mut *known {
            Some(known) => known,
            None => known.insert(Self::read(store)?),
        };
        let found = hashes.iter().filter_map(|hash| known.get(hash));
        Ok(found.flatten().cloned().collect())
    }

    fn read(store: &SessionStore) -> Result<HashMap<String, Vec<SessionName>>> {
        let mut known: HashMap<String, Vec<SessionName>> = HashMap::new();
        for name in store.names()? {
            // A damaged session continues nothing.
            if let Ok(Some(hash)) = beginning_in(store, &name) {
                known.entry(hash).or_default().push(name);
            }
        }
        Ok(known)
    }

    /// Adds a session that is about to begin.
    fn add(&self, hashes: &[String], name: &SessionName) {
        if let (Some(known), Some(hash)) = (&mut *self.0.borrow_mut(), hashes.first()) {
            known.entry(hash.clone()).or_default().push(name.clone());
        }
    }
}

impl<'a> Naming<'a> {
    /// Names sessions as an import does to which the owner added nothing.
    pub(crate) fn plain(
        (store, beginnings): (&'a SessionStore, &'a Beginnings),
        now: Timestamp,
    ) -> Self {
        Self {
            store,
            now,
            beginnings,
            named: None,
            scope: None,
            directory: None,
        }
    }

    /// The session for a conversation, the same for every command.
    ///
    /// OpenClaw's main session becomes the primary session here, unless that holds something else.
    pub(crate) fn session_for(&self, conversation: &Conversation) -> Result<SessionFor> {
        let names = names_of(conversation)?;
        let held = held(self.store, conversation.format, &ids_of(conversation))?;
        if self.scope.is_some() {
            let mut wanted = self.new_session(conversation, &names)?;
            if let Some(held) = held
                && held != wanted.name
                && self.may_become(&held, &wanted.name)?
            {
                wanted.moved_from = Some(held);
            }
            return Ok(wanted);
        }
        if self.named.is_some() {
            return self.new_session(conversation, &names);
        }
        if let Some(held) = held {
            return Ok(SessionFor::known(held));
        }
        if !COPYING.contains(&conversation.format) {
            return self.new_session(conversation, &names);
        }
        let beginning = beginning_of(conversation)?;
        if let Some(held) = self.continued(conversation, &beginning)? {
            return Ok(SessionFor::known(held));
        }
        let new = self.new_session(conversation, &names)?;
        self.beginnings.add(&beginning, &new.name);
        Ok(new)
    }

    /// Whether a session may move to this name: there is none, or one with the same conversation.
    fn may_become(&self, held: &SessionName, wanted: &SessionName) -> Result<bool> {
        Ok(!self.store.exists(wanted)? || share_conversation(self.store, held, wanted)?)
    }

    /// The session that holds the beginning of a conversation, under any id: a program that resumes a conversation
    /// copies it into a new file. A session that has since continued with other messages does not count.
    fn continued(
        &self,
        conversation: &Conversation,
        beginning: &[String],
    ) -> Result<Option<SessionName>> {
        for name in self.beginnings.sessions(self.store, beginning)? {
            let look = TakeMode::Look;
            let taken = take_conversation(self.store, &name, conversation, self.now, look)?;
            if matches!(taken.state, TakenState::Grown | TakenState::Unchanged) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// The session for a conversation that none holds.
    fn new_session(
        &self,
        conversation: &Conversation,
        names: &[SessionName],
    ) -> Result<SessionFor> {
        let place = if let Some(scope) = self.scope {
            Located {
                repository: repository::named(scope),
                doubt: None,
            }
        } else {
            let source = (conversation.format, &conversation.source);
            repository::of_conversation(source, self.directory)
        };
        let Located { repository, doubt } = place;
        if let Some(here) = repository {
            let wanted = self.named.map_or(names, std::slice::from_ref);
            return Ok(SessionFor {
                doubt,
                ..SessionFor::known(name_in(&here, wanted)?)
            });
        }
        Ok(SessionFor::known(match self.named {
            Some(name) => name.clone(),
            None => self.outside(conversation)?,
        }))
    }

    /// The session for a conversation that belongs to no repository.
    fn outside(&self, conversation: &Conversation) -> Result<SessionName> {
        let own = name_of(conversation)?;
        let is_openclaw = conversation.format == ImportFormat::OpenClaw;
        if !is_openclaw || conversation.title.as_deref() != Some(MAIN_KEY) {
            return Ok(own);
        }
        let main = session_named(agent::PRIMARY_SESSION)?;
        let state = |name: &SessionName| -> Result<TakenState> {
            Ok(take_conversation(self.store, name, conversation, self.now, TakeMode::Look)?.state)
        };
        let at_main = state(&main)?;
        let is_own = !is_held(at_main) && (at_main == TakenState::Differs || is_held(state(&own)?));
        Ok(if is_own { own } else { main })
    }
}

/// The names that a session made from the transcript file may have outside any repository, judged by the file's name.
pub(crate) fn names_of_transcript(format: ImportFormat, path: &Path) -> Vec<SessionName> {
    let names = ids_of_transcript(path).map(|id| named((format, id), None));
    names.into_iter().flatten().collect()
}

/// The ids that a transcript may have, judged by the name of its file.
pub(crate) fn ids_of_transcript(path: &Path) -> [&str; 2] {
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    // Codex puts the time before the id.
    let id = stem.char_indices().rev().nth(UUID_CHARS - 1);
    let id = id.and_then(|(at, _)| stem.get(at..)).unwrap_or(stem);
    [stem, id]
}

/// The formats of programs that copy a conversation into a new file when it is resumed.
const COPYING: [ImportFormat; 2] = [ImportFormat::ClaudeCode, ImportFormat::Codex];

/// Characters of the id of a transcript.
const UUID_CHARS: usize = 36;

/// The session that a conversation with one of these ids has here, in any scope and under any title; one in a repository
/// if there are several.
pub(crate) fn held(
    store: &SessionStore,
    format: ImportFormat,
    ids: &[&str],
) -> Result<Option<SessionName>> {
    Ok(held_among(&store.names()?, format, ids).cloned())
}

/// The one of these sessions that [`held`] finds.
pub(crate) fn held_among<'n>(
    names: &'n [SessionName],
    format: ImportFormat,
    ids: &[&str],
) -> Option<&'n SessionName> {
    let begin = format!("{}-", prefix(format));
    let ends: Vec<String> = ids.iter().map(|id| short_hash(id)).collect();
    let mut found: Vec<&SessionName> = names.iter().collect();
    found.retain(|name| {
        let title_and_id = without_scope(name.as_str()).strip_prefix(&begin);
        title_and_id.is_some_and(|it| {
            let id = it.rsplit('-').next().unwrap_or(it);
            ends.iter().any(|end| end == id)
        })
    });
    let in_repository = found
        .iter()
        .position(|name| scope_of(name.as_str()).is_some());
    let chosen = in_repository.unwrap_or_default();
    found.into_iter().nth(chosen)
}

/// The first of these names that is short enough to follow the scope of a repository.
fn name_in(here: &Repository, names: &[SessionName]) -> Result<SessionName> {
    let in_scope = |name: &SessionName| match Repository::of_session(name.as_str()) {
        Some(there) if there == *here => Ok(name.clone()),
        Some(_) | None => here.session_name(name.as_str()),
    };
    let mut found = names.iter().filter_map(|name| in_scope(name).ok());
    found.next().ok_or_else(|| {
        let failure = "with the scope of its repository, the name of the session is too long";
        CliError::new(ErrorKind::Usage, failure).hint("use a shorter name after `-s`")
    })
}

/// The key of OpenClaw's main session with its owner.
const MAIN_KEY: &str = "agent:main:main";

/// Whether the session holds the conversation, or its beginning.
fn is_held(state: TakenState) -> bool {
    match state {
        TakenState::Grown | TakenState::Unchanged | TakenState::WentOn => true,
        TakenState::New | TakenState::Empty | TakenState::Differs => false,
    }
}

/// Derives the session name from a conversation; it is the same at every import.
pub(super) fn name_of(conversation: &Conversation) -> Result<SessionName> {
    named(
        (conversation.format, own_id(conversation)),
        conversation.title.as_deref(),
    )
}

/// The names that a new session of a conversation may have: a long title has no place next to a scope.
fn names_of(conversation: &Conversation) -> Result<[SessionName; 2]> {
    let id = (conversation.format, own_id(conversation));
    Ok([name_of(conversation)?, named(id, None)?])
}

/// The ids that the session of a conversation may be named after; earlier versions named it after the file.
fn ids_of(conversation: &Conversation) -> [&str; 2] {
    [own_id(conversation), &conversation.id]
}

/// The id that the program gave the conversation, which a copy of its file keeps.
fn own_id(conversation: &Conversation) -> &str {
    let own = match conversation.format {
        ImportFormat::ClaudeCode | ImportFormat::Codex => conversation.source.id.as_deref(),
        ImportFormat::OpenClaw
        | ImportFormat::ChatGpt
        | ImportFormat::Claude
        | ImportFormat::Lines => None,
    };
    own.unwrap_or(&conversation.id)
}

fn named((format, id): (ImportFormat, &str), title: Option<&str>) -> Result<SessionName> {
    let prefix = prefix(format);
    let id = short_hash(id);
    let title = title.map(slug).unwrap_or_default();
    let name = if title.is_empty() {
        format!("{prefix}-{id}")
    } else {
        format!("{prefix}-{title}-{id}")
    };
    session_named(&name)
}

/// How the names of sessions with this format begin.
fn prefix(format: ImportFormat) -> &'static str {
    let is_own = |(_, known): &&(&'static str, _)| *known == format;
    match FORMATS.iter().find(is_own) {
        None | Some((_, ImportFormat::Lines)) => "import",
        Some((name, _)) => name,
    }
}

/// A name that openclaw forms is valid.
fn session_named(name: &str) -> Result<SessionName> {
    name.parse()
        .map_err(|error: SessionNameError| CliError::internal(&error))
}

/// Maximum number of characters of a title in a session name.
const TITLE_CHARS_MAX: usize = 30;

/// The letters and digits of a title, with a hyphen for each gap.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    // Composed, because an accent of its own is no letter.
    for character in title.to_lowercase().nfc() {
        if character.is_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let short: String = slug.chars().take(TITLE_CHARS_MAX).collect();
    short.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slug_makes_session_name_from_title() {
        for (title, expected) in [
            ("Which tea?", "which-tea"),
            ("agent:main:main", "agent-main-main"),
            ("\u{65e5}\u{672c}", "\u{65e5}\u{672c}"),
            (
                "\u{141}o\u{301}dz\u{301} trip",
                "\u{142}\u{f3}d\u{17a}-trip",
            ),
            ("--", ""),
            (&"a ".repeat(40), "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a"),
        ] {
            assert_eq!(slug(title), expected);
        }
    }
}
