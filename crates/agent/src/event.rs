//! What a turn or a replay reports while it runs.
//!
//! Holds no words for people: whoever listens finds them.

use std::time::Duration;

use base::{EntryId, TokenCount, ToolOutcome};
use search::Degraded;
use session::{SessionName, Turn};

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
    /// The model that should answer did not, and another one is asked.
    AskedInstead {
        /// The other one.
        model: String,
        /// Why the one before did not answer.
        reason: String,
    },
    /// The model did not answer, and is asked once more after a wait.
    AskedAgain {
        /// Why it did not answer.
        reason: String,
        /// How long is waited.
        wait: Duration,
    },
    /// A piece of the reply.
    ReplyDelta(String),
    /// A piece of what the model thinks before it answers.
    ThinkingDelta(String),
    /// Memory holds something about the message, or may miss something.
    Recalled {
        /// How many passages are shown to the model.
        n_passages: usize,
        /// Why something may be missing.
        degraded: Option<Degraded>,
        /// What cannot be read, by path.
        unreadable: Vec<String>,
    },
    /// The model calls a tool.
    ToolStarted {
        /// The tool.
        name: String,
        /// JSON text as the model wrote it.
        arguments: String,
    },
    /// The tool has answered.
    ToolEnded {
        /// The tool.
        name: String,
        /// Whether it did what was asked.
        outcome: ToolOutcome,
        /// The beginning of its answer, where it did not.
        reason: Option<String>,
    },
    /// Somebody else has the turn of the session, or waits for it longer.
    WaitingForTurn {
        /// The session.
        session: SessionName,
        /// Their process, where it is known.
        pid: Option<u32>,
    },
    /// Something happened to the window.
    Window(compaction::Event),
    /// Something that the owner may want to know.
    Notice(String),
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
