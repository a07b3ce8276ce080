//! What memory holds of the owner as a whole: their files, the last notes, what they said in the session.
//!
//! Searches nothing: who asks what is known about them names no word of it.

use std::collections::{BTreeSet, VecDeque};

use base::{Origin, redact};
use memory::{AboutOwner, PassageKind, SearchResult, Source};
use models::told_about_owner;
use session::SessionName;

use crate::{Runtime, SessionSource};

/// A longer transcript is not read for this.
const TRANSCRIPT_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// So many of the last messages of the owner are given.
const MESSAGES_MAX: usize = 20;

/// So many places of what is left out are named.
const SOURCES_SHOWN: usize = 3;

/// What is known about the owner, what always holds first; what cannot be read is told and left out.
pub(crate) fn about_owner(
    runtime: &Runtime,
    name: &SessionName,
    warn: &mut dyn FnMut(String),
) -> AboutOwner {
    let mut about = runtime.workspace.about_owner().unwrap_or_else(|error| {
        warn(format!("not all that is known was read: {error}"));
        AboutOwner::default()
    });
    let mut said = said(runtime, name, warn);
    let older = said.split_off(said.len().min(MESSAGES_MAX));
    about.found.extend(said);
    about.left_out.extend(older);
    about
}

/// What is told of what is known besides; nothing where all of it is shown.
pub(crate) fn left_out(
    shown: &[SearchResult],
    rest: impl Iterator<Item = SearchResult>,
) -> Option<String> {
    let mut known: BTreeSet<String> = shown.iter().map(|it| words_of(&it.text)).collect();
    let mut sources: Vec<String> = Vec::new();
    let mut n_left = 0_usize;
    for passage in rest {
        if !known.insert(words_of(&passage.text)) {
            continue;
        }
        n_left += 1;
        if !sources.contains(&passage.path) {
            sources.push(passage.path);
        }
    }
    let command = |path: &String| match SessionSource::name_of(path) {
        Some(name) => format!("`openclaw session show {name}`"),
        None => format!("`openclaw memory get {path}`"),
    };
    let commands: Vec<String> = sources.iter().take(SOURCES_SHOWN).map(command).collect();
    let things = if n_left == 1 {
        "thing is"
    } else {
        "things are"
    };
    let verb = match commands.as_slice() {
        [] => return None,
        [_] => "shows",
        _ => "show",
    };
    let n_more = sources.len() - commands.len();
    let more = if n_more > 0 {
        format!("; {n_more} more files hold the rest")
    } else {
        String::new()
    };
    let commands = commands.join(", ");
    Some(format!(
        "{n_left} more {things} known than are shown here: {commands} {verb} them{more}."
    ))
}

/// What makes two passages the same: a note of a log is a line of a list, what was said is none.
fn words_of(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// What the owner said last in the session, newest first.
fn said(
    runtime: &Runtime,
    name: &SessionName,
    warn: &mut dyn FnMut(String),
) -> VecDeque<SearchResult> {
    let mut found = VecDeque::new();
    let stat = runtime.sessions.stat(name).ok().flatten();
    let is_short = stat.is_some_and(|stat| stat.len <= TRANSCRIPT_BYTES_MAX);
    let Some(knowledge) = runtime.knowledge.as_ref().filter(|_| is_short) else {
        return found;
    };
    let path = SessionSource::path_of(name);
    let read = knowledge.sessions().each_entry(&path, &mut |_, message| {
        let told = told_about_owner(&redact(&message.text));
        if message.origin == Origin::Owner && message.speaker == "user" && !told.is_empty() {
            found.push_front(SearchResult {
                source: Source::Session,
                path: path.clone(),
                start_line: message.place.line,
                end_line: message.place.line,
                text: told,
                score: 0.0,
                kind: PassageKind::Message,
                speaker: Some(message.speaker),
                origin: message.origin,
                day: message.day,
                renews: None,
                also: Vec::new(),
                explanation: None,
            });
        }
    });
    if let Err(error) = read {
        warn(format!("not all that was said was read: {error}"));
    }
    found
}
