//! What memory holds of the owner as a whole: their files, the last notes, what they said in the session.
//!
//! Searches nothing: who asks what is known about them names no word of it.

use std::collections::VecDeque;

use base::{Origin, counted, redact};
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
    let (said, n_older) = said(runtime, name, warn);
    about.found.extend(said);
    if n_older > 0 {
        about.left_out.push((SessionSource::path_of(name), n_older));
    }
    about
}

/// Of the files of passages those of which some are not shown, and how many.
pub(crate) fn not_shown(paths: &[String], shown: &[SearchResult]) -> Vec<(String, usize)> {
    let mut left: Vec<(String, usize)> = Vec::new();
    for path in paths {
        match left.iter_mut().find(|(of, _)| of == path) {
            Some((_, n_left)) => *n_left += 1,
            None => left.push((path.clone(), 1)),
        }
    }
    for (path, n_left) in &mut left {
        *n_left -= shown.iter().filter(|it| it.path == *path).count();
    }
    left.retain(|(_, n_left)| *n_left > 0);
    left
}

/// What is told of what is known besides what is shown, by file; nothing where all of it is shown.
pub(crate) fn left_out(left_out: &[(String, usize)]) -> Option<String> {
    let n_left: usize = left_out.iter().map(|(_, n_passages)| n_passages).sum();
    let mut sources: Vec<&String> = Vec::new();
    for (path, _) in left_out {
        if !sources.contains(&path) {
            sources.push(path);
        }
    }
    let command = |path: &&String| match SessionSource::name_of(path) {
        Some(name) => format!("`openclaw session show {name}`"),
        None => format!("`openclaw memory get {path}`"),
    };
    let commands: Vec<String> = sources.iter().take(SOURCES_SHOWN).map(command).collect();
    let verb = match commands.as_slice() {
        [] => return None,
        [_] => "shows",
        _ => "show",
    };
    let n_more = sources.len() - commands.len();
    let more = if n_more > 0 {
        let hold = counted(n_more as u64, "more file holds", "more files hold");
        format!("; {hold} the rest")
    } else {
        String::new()
    };
    let things = counted(n_left as u64, "more thing is", "more things are");
    let commands = commands.join(", ");
    Some(format!(
        "{things} known than are shown here: {commands} {verb} them{more}."
    ))
}

/// What the owner said last in the session, newest first, and how many older messages tell something, too.
fn said(
    runtime: &Runtime,
    name: &SessionName,
    warn: &mut dyn FnMut(String),
) -> (VecDeque<SearchResult>, usize) {
    let mut found = VecDeque::new();
    let mut n_older = 0;
    let stat = runtime.sessions.stat(name).ok().flatten();
    let is_short = stat.is_some_and(|stat| stat.len <= TRANSCRIPT_BYTES_MAX);
    let Some(knowledge) = runtime.knowledge.as_ref().filter(|_| is_short) else {
        return (found, n_older);
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
            if found.len() > MESSAGES_MAX {
                found.pop_back();
                n_older += 1;
            }
        }
    });
    if let Err(error) = read {
        warn(format!("not all that was said was read: {error}"));
    }
    (found, n_older)
}
