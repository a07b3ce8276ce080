//! Dreams: connects sessions, models and long-term memory with the `dreaming` crate, which decides what lasts.

mod conversations;
mod model;
mod outcome;
mod pass;
mod past_questions;
mod run;

pub use conversations::SessionConversations;
pub use outcome::{
    Backfill, Begin, DreamError, DreamOutcome, DreamProgress, DreamRequest, SessionFilter, Unread,
};
pub use run::dream;

#[cfg(test)]
mod correction_tests;
#[cfg(test)]
mod forgotten_meanwhile_tests;
#[cfg(test)]
mod judgement_tests;
#[cfg(test)]
mod nothing_lost_tests;
#[cfg(test)]
mod paraphrase_tests;
#[cfg(test)]
mod year_tests;
