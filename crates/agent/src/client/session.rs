//! Finds the session of a conversation that names none.
//!
//! Conversations with the same beginning get separate sessions; later messages distinguish them.

use base::short_hash;
use session::{ReadError, SessionName};

use super::branch::{Sent, place, question_of};
use super::conversation::ClientConversation;
use crate::error::TurnError;
use crate::runtime::Runtime;

/// Limit of sessions with the same beginning that are searched, newest first.
const ALIKE_MAX: usize = 32;

/// The session that a conversation continues, or the name for a new one. Skips `busy` sessions: a client that
/// continues one would wait for its reply first.
pub fn session_of(
    runtime: &Runtime,
    sent: &ClientConversation,
    busy: &dyn Fn(&SessionName) -> bool,
) -> Result<SessionName, TurnError> {
    let sessions = &runtime.home.sessions;
    let said = Sent::of(&sent.messages);
    let first = sent.messages.first().map(question_of);
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
        let view = match sessions.read(&name, runtime.resume_limit()) {
            Ok(snapshot) => snapshot.view,
            Err(ReadError::NotFound(_) | ReadError::NotBegun(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let (branch, found) = place(sessions, (&name, &view), &said)?;
        let n_said = said.said.len();
        let goes_on = found.n_kept == branch.said.len();
        let is_alone = n_said == 1 && found.n_known == n_said && !goes_on;
        let rank = (goes_on, found.n_known);
        let is_better = best.as_ref().is_none_or(|(known, _)| *known < rank);
        if found.n_known > 0 && !is_alone && is_better {
            best = Some((rank, name));
        }
        // All but the newest message match, so no other session can match better.
        if goes_on && found.n_known > 0 && found.n_known + 1 == n_said {
            break;
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
