//! Forgetting: turns a choice into a plan and removes the planned lines from the notes.
//!
//! Never changes a transcript, and never removes a line of the owner without the owner's consent.

mod model;

mod kept;
mod named;
mod notes;
mod plan;

mod preimage;
mod run;
mod standing;
mod undo;

#[cfg(test)]
pub(crate) mod test_kit;

pub use kept::{StillKept, drop_forgotten, drop_kept, forget_for_good};
pub use model::{
    ForgetChoice, ForgetError, ForgetPlan, ForgetQuestion, ForgetReport, Keeper, NoteChoice,
    PlannedCandidate, PlannedEntry, PlannedLines, Reason, UndoReport,
};
pub use named::{n_words_held, sentences_meant};
pub use plan::{forgettable_candidates, left_standing, plan_forgetting, plan_hidden_lines};
pub use run::{asked_before, finish_asked, finish_forgetting, forget};
pub use standing::OtherMessages;
pub use undo::undo_forgetting;
