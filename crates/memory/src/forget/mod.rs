//! Forgetting: turns a choice into a plan and removes the planned lines from the notes.
//!
//! Never changes a transcript, and never removes a line of the owner without the owner's consent.

mod model;

mod named;
mod notes;
mod plan;
mod standing;

mod copies;
mod listing;
mod put_back;

mod purge;
mod removal;
mod sweep;
mod take_back;
mod undo;

#[cfg(test)]
pub(crate) mod test_kit;

pub use listing::{Restorable, forgotten_candidates, forgotten_passages, keeps_copies, restorable};
pub use model::{
    ForgetChoice, ForgetError, ForgetPlan, ForgetQuestion, ForgetReport, Keeper, NoteChoice,
    NotedTexts, PlannedCandidate, PlannedEntry, PlannedLines, PlannedPassage, Reason, UndoReport,
};
pub use named::{n_words_held, sentences_meant, shares_word};
pub use plan::{forgettable_candidates, plan_forgetting, plan_hidden_lines};
pub use purge::{drop_forgotten, purge};
pub use removal::{begin_removal, begun_removal, end_removal};
pub use standing::OtherMessages;
pub use sweep::{asked_before, forget, left_standing, planned_tombstone, sweep};
pub use take_back::{DeletedSession, TakenBack, take_back_made_from};
pub use undo::undo_forgetting;
