//! The tools that the assistant may call: in every session bringing back what a summary stands for, in
//! the primary one searching, reading, noting and forgetting too.
//!
//! Never does what the owner was not asked about, where it cannot be undone.

mod arguments;
mod toolbox;

mod forget;
mod memory_get;
mod memory_search;
mod remember;
mod session_expand;

pub use forget::{ForgetError, ForgetPlace, Forgetting, OwnerAnswer};
pub(crate) use toolbox::{answer, specs, tokens};
