//! What a turn or a replay reports while it runs.
//!
//! Holds no words for people: whoever listens finds them.

use base::{EntryId, TokenCount};
use session::Turn;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A recorded message is durable, and `decide` has acted on it.
    Message {
        /// Its place in the recording, from 0.
        index: u64,
        /// The entry that holds it.
        entry: EntryId,
        /// Who spoke.
        role: &'static str,
        /// The request that would be sent now.
        context_tokens: TokenCount,
    },
    /// Something happened to the window.
    Window(compaction::Event),
    /// Something that the owner should know and that stops nothing.
    Warning(String),
}

/// Takes events as they happen.
pub type OnEvent<'a> = &'a mut (dyn FnMut(Event) + Send);

/// Tells what was found broken in the transcript when the turn began.
pub(crate) fn warn_of_repairs(turn: &Turn, on_event: OnEvent<'_>) {
    for repair in turn.repairs() {
        on_event(Event::Warning(format!("session {}: {repair}", turn.name())));
    }
}
