//! How a chat goes on: whether, with which model, and with which end.
//!
//! Decides nothing.

use crate::exit_code::Exit;

/// How a chat came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Wanted,
    /// Its session was deleted by another process.
    Gone,
    /// A message had no reply, and nobody is there to try again.
    Failed(Exit),
}

/// What is known of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastSeen {
    Reachable,
    /// It did not answer the last message.
    Unreachable,
}

/// Whether the chat goes on.
pub(super) enum Next {
    GoOn,
    End(Ending),
}
