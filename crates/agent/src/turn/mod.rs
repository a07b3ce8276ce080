//! The turn: from the owner's message to the reply, a stage a file.
//!
//! Asks the models only for replies; what else a turn needs of them is made in `jobs`.

mod ask;
mod calls;
pub(crate) mod fit_window;
pub(crate) mod input;
mod keep_asked;
mod overflow;
pub(crate) mod recall;
mod recall_changes;
pub(crate) mod reply;
pub(crate) mod reply_scope;
pub(crate) mod run;

#[cfg(test)]
mod fallback_tests;
