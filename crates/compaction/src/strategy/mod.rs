//! The strategies, one file each: what a compaction removes from the view and when.
//!
//! Returns plans and entries; appends none.

mod policy;

mod middle;
mod plan;
mod replace;
mod tiered;

pub(crate) use middle::OUTPUT_MAX as MIDDLE_OUTPUT_MAX;
pub use plan::{compaction_entry, leaves, plan, plan_up_to, truncation};
pub(crate) use policy::WindowBounds;
pub use policy::{Middle, Permille, Policy, Replace, Strategy, Tiered, Waiting};
pub(crate) use replace::last_request;
