//! Tells from which repositories a reply in the owner's conversation was made, so that other programs see it there
//! alone.
//!
//! Judges by the places of the passages that the model was shown, never by words.

use std::collections::BTreeSet;

use base::{Message, scope_of};
use memory::{WorkspacePath, lines_known_from};
use search::SearchResult;
use session::{Entry, Payload, Turn, ViewItem};

use crate::knowledge::scope::Repository;
use crate::knowledge::session_source::SessionSource;
use crate::runtime::HomeAccess;

/// The start of every scope.
const SCOPE: &str = "repo-";

/// The scopes of what the model saw before a reply: the passages shown to it, and the results of its tools since the
/// owner's message. The scope of the session itself is left out.
pub(crate) fn scopes_of_reply(
    home: &HomeAccess,
    turn: &Turn,
    shown: &[SearchResult],
) -> Vec<String> {
    let mut scopes: BTreeSet<String> = shown
        .iter()
        .flat_map(|passage| scopes_of_passage(home, passage))
        .collect();
    let messages = turn.view().items.iter().rev().filter_map(ViewItem::message);
    let since = messages.take_while(|message| !matches!(message, Message::User { .. }));
    for message in since {
        if let Message::ToolResult(_) = message {
            scopes.extend(scopes_in(&message.text()));
        }
    }
    of_others(turn, scopes)
}

/// The scopes that the result of a tool names, without that of the session itself.
pub(crate) fn scopes_of_result(turn: &Turn, result: &Message) -> Vec<String> {
    of_others(turn, scopes_in(&result.text()))
}

fn of_others(turn: &Turn, scopes: BTreeSet<String>) -> Vec<String> {
    let own = scope_of(turn.name().as_str());
    let others = scopes.into_iter();
    others.filter(|scope| own != Some(scope)).collect()
}

/// The scopes of the sessions and places that a text names.
fn scopes_in(text: &str) -> BTreeSet<String> {
    let places = text.match_indices(SCOPE);
    let scopes = places.filter_map(|(at, _)| scope_of(text.get(at..)?));
    scopes.map(str::to_owned).collect()
}

fn scopes_of_passage(home: &HomeAccess, passage: &SearchResult) -> Vec<String> {
    if let Some(session) = SessionSource::name_of(&passage.path) {
        let there = Repository::holding(&home.sessions, &session);
        return there.map(|it| it.scope().to_owned()).into_iter().collect();
    }
    let path = passage.path.parse::<WorkspacePath>().ok();
    let known = path.and_then(|path| lines_known_from(&home.workspace, &path).ok());
    let known = known.unwrap_or_default().into_iter();
    let lines = passage.place().lines();
    let there = known.filter(|(own, _)| own.overlaps(lines));
    there
        .filter_map(|(_, session)| scope_of(&session).map(str::to_owned))
        .collect()
}

/// Whether an entry was made from text that only one repository may see; it is not noted, because it is already in
/// memory there.
pub(crate) fn is_of_repository(entry: &Entry) -> bool {
    matches!(&entry.payload, Payload::Message(stored) if !stored.scopes.is_empty())
}
