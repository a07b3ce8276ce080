//! Brings the stored branch in line with a client's conversation: rewinds to the point where they differ, and appends
//! the new messages.
//!
//! Holds the turn; asks a model only for notes of the messages left behind.

use base::{Origin, Timestamp};
use session::{StoredMessage, Turn};

use super::align::{Alignment, n_questions};
use super::branch::{Branch, Sent, place};
use super::conversation::ClientConversation;
use crate::error::TurnError;
use crate::event::OnEvent;
use crate::jobs::session_flush::flush_leaving;
use crate::runtime::Runtime;

/// Owner messages that may be left behind without a flush: the one that they took back.
const TAKEN_BACK_MAX: usize = 1;

/// Stores the new messages of a client's conversation.
pub(crate) async fn take_up(
    runtime: &Runtime,
    turn: &mut Turn,
    (now, sent): (Timestamp, &ClientConversation),
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let said = Sent::of(&sent.messages);
    let known = (turn.name(), turn.view());
    let (branch, found) = place(&runtime.home.sessions, known, &said)?;
    go_back(runtime, turn, (now, &branch, found), on_event).await?;
    let new = said.after(found.n_known).iter();
    let speaker = runtime.speaker(turn.name());
    let new = new.map(|(origin, part)| {
        let origin = match origin {
            Origin::Owner => speaker,
            Origin::Agent | Origin::Untrusted | Origin::System => *origin,
        };
        (now, StoredMessage::new(part.clone(), origin))
    });
    turn.append_messages(new.collect())?;
    Ok(())
}

async fn go_back(
    runtime: &Runtime,
    turn: &mut Turn,
    (now, branch, found): (Timestamp, &Branch, Alignment),
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let left = branch.said.get(found.n_kept..).unwrap_or_default();
    let target = found.n_kept.checked_sub(1);
    let target = target.and_then(|at| branch.entries.get(at));
    let Some(target) = target.filter(|_| !left.is_empty()) else {
        return Ok(());
    };
    if n_questions(left) > TAKEN_BACK_MAX {
        flush_leaving(runtime, turn, on_event).await?;
    }
    turn.append_rewind(now, target)?;
    Ok(())
}
