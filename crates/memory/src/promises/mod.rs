//! Promises: what to remind the owner of, kept in `PROMISES.md` and told once.
//!
//! Never shows anything: whoever claims what is due tells the owner.

mod change;
mod claim;
mod comes_up;
mod earlier;
mod occasion;
mod page;
mod plan;
mod undo;

pub use change::{
    AddedPromise, ChangedPromise, NewPromise, PromiseChange, add_promise, change_promise,
};
pub use claim::{PromiseList, ToldPromise, claim_due, next_due, promises, release_claim, settle};
pub use comes_up::claim_subject;
pub use earlier::{UnreadCopy, earlier_promises, unread_copies};
pub use occasion::{Occasion, PromiseTime, Repetition};
pub use page::{Promise, PromiseKind, UnreadLine};
pub use plan::PromiseError;
pub use undo::{last_changed, undo_promise};

#[cfg(test)]
mod comes_up_tests;
#[cfg(test)]
mod earlier_tests;
#[cfg(test)]
mod simulation_tests;
#[cfg(test)]
mod tests;
