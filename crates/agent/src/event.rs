//! Events of a running turn or replay.
//!
//! Holds no user-facing text besides notices and warnings; the listener words the rest.

use std::time::Duration;

use base::{EntryId, TokenCount, ToolOutcome};
use search::{Degraded, Unread};
use session::SessionName;

use crate::reminders::DueReminder;

/// An event of a turn or replay.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A replayed message is durable, and the window was fitted after it.
    Message {
        /// Its place in the recording, from 0.
        index: u64,
        /// The entry that holds it.
        entry: EntryId,
        /// The speaker's role.
        role: &'static str,
        /// Size of the request that would be sent now.
        context_tokens: TokenCount,
    },
    /// A model failed to answer, and a fallback is asked.
    FallbackModel {
        /// The fallback.
        model: String,
        /// Why the model before it failed.
        reason: String,
    },
    /// A model did not answer and is asked again after a wait.
    AskedAgain {
        /// Why it did not answer.
        reason: String,
        /// How long the wait is.
        wait: Duration,
    },
    /// A piece of the reply.
    ReplyDelta(String),
    /// A piece of the model's reasoning before its answer.
    ThinkingDelta(String),
    /// Memory was searched for the message, with matches or with a degraded index.
    Recalled {
        /// Passages shown to the model.
        n_passages: usize,
        /// Why passages may be missing.
        degraded: Option<Degraded>,
        /// Paths that cannot be read.
        unreadable: Vec<String>,
        /// How much is not indexed yet.
        unread: Unread,
    },
    /// The model calls a tool.
    ToolStarted {
        /// The tool.
        name: String,
        /// JSON text as the model wrote it.
        arguments: String,
    },
    /// A tool has answered.
    ToolEnded {
        /// The tool.
        name: String,
        /// Whether the call succeeded.
        outcome: ToolOutcome,
        /// The beginning of the answer of a failed call.
        reason: Option<String>,
    },
    /// Another process holds the session's turn or is ahead in the queue.
    WaitingForTurn {
        session: SessionName,
        /// The holder's process id, if known.
        pid: Option<u32>,
    },
    /// An event of the window, such as a flush or a compaction.
    Window(compaction::WindowEvent),
    /// A promise fell due and was claimed for this turn. Every listener shows it, in quiet modes too.
    ReminderDue(DueReminder),
    /// What the turn changed in memory, and how to undo it.
    MemoryChanged(String),
    /// Information for the owner.
    Notice(String),
    /// A problem that the owner should know about; the turn continues.
    Warning(String),
}

/// Receives events as they happen.
pub type OnEvent<'a> = &'a mut (dyn FnMut(Event) + Send);
