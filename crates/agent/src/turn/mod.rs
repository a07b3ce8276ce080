//! The turn: from the owner's message to the reply, a stage a file.
//!
//! Asks the models only for replies; `jobs` asks them for everything else that a turn needs.

mod ask;
mod calls;
mod correction;
pub(crate) mod fit_window;
pub(crate) mod input;
mod keep_asked;
mod keep_reminder;
mod listing;
mod overflow;
pub(crate) mod recall;
mod recall_changes;
mod refused_reminder;
pub(crate) mod reply;
pub(crate) mod reply_scope;
pub(crate) mod run;
pub(crate) mod tell_due;

#[cfg(test)]
mod fallback_tests;
