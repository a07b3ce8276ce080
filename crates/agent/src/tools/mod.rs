//! The tools that the assistant may call in the primary session: searching, reading, noting, forgetting.
//!
//! Never does what the owner was not asked about, where it cannot be undone.

mod arguments;
mod toolbox;

mod forget;
mod memory_get;
mod memory_search;
mod remember;

pub use forget::{ForgetError, ForgetPlace, Forgetting, OwnerAnswer};
pub(crate) use toolbox::{answer, specs, tokens};
