//! The tools that the assistant may call: in every session bringing back what a summary stands for, in
//! the primary one memory, the files of the workspace, and what the owner's servers bring.
//!
//! Never does what the owner was not asked about, where it cannot be undone.

mod toolbox;

mod door;
mod files;
mod forget;
mod graph;
mod memory_get;
mod memory_search;
mod outside;
mod remember;
mod session_expand;

pub use door::{Door, ForgetOffer};
pub use files::FileAccess;
pub(crate) use forget::places_of;
pub use forget::{ForgetError, ForgetFound, ForgetPlace, Forgetting, OwnerAnswer};
pub use graph::{GraphAction, GraphAnswer};
pub use outside::{Approver, OutsideCall};
pub use toolbox::{Answer, ToolAccess};
pub(crate) use toolbox::{answer, broken_off, is_own, specs, tokens};
