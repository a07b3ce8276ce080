//! Finds the session of a conversation that names none.
//!
//! Two conversations that begin alike are two sessions, until their messages show which is which.

use base::short_hash;
use session::{SessionName, SessionStore};

use super::align::align;
use super::branch::{read_branch, sent_as};
use super::conversation::ClientConversation;
use crate::error::TurnError;

/// Most conversations with the same beginning that are looked through, the newest first.
const ALIKE_MAX: usize = 32;

/// The session that holds the beginning of a conversation, or the name for a new one; never one of those that are
/// `busy`: whoever waits for its reply knows more of it than was sent.
pub fn session_of(
    sessions: &SessionStore,
    sent: &ClientConversation,
    busy: &dyn Fn(&SessionName) -> bool,
) -> Result<SessionName, TurnError> {
    let said = sent_as(&sent.messages);
    let first = sent.messages.first().map(base::Message::text);
    let stem = format!("chat-{}", short_hash(&first.unwrap_or_default()));
    let named = |number: usize| match number {
        1 => stem.parse(),
        number => format!("{stem}-{number}").parse::<SessionName>(),
    };
    let mut n_begun = 0;
    while sessions.exists(&named(n_begun + 1)?)? {
        n_begun += 1;
    }
    let mut best = None;
    for number in (1..=n_begun).rev().take(ALIKE_MAX) {
        let name = named(number)?;
        if busy(&name) {
            continue;
        }
        let branch = read_branch(sessions, &name, &sent.messages)?;
        let found = align(&branch.said, &said);
        let is_alone =
            said.len() == found.n_known && found.n_kept < branch.said.len() && said.len() == 1;
        let rank = (found.n_kept == branch.said.len(), found.n_known);
        let is_better = best.as_ref().is_none_or(|(known, _)| *known < rank);
        if found.n_known > 0 && !is_alone && is_better {
            best = Some((rank, name));
        }
    }
    if let Some((_, name)) = best {
        return Ok(name);
    }
    let mut number = n_begun + 1;
    while busy(&named(number)?) {
        number += 1;
    }
    Ok(named(number)?)
}
