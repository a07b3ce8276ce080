//! The strategies, one file each: which messages a compaction removes from the view, and when.
//!
//! Returns plans and entries; appends none.

mod plan;
mod policy;
mod rules;

mod handoff;
mod middle;
mod off;
mod replace;
mod tiered;

pub(crate) use middle::{CONTEXT_CLOSING, PROMPT as MIDDLE_PROMPT};
pub use plan::{compaction_entry, leaves, plan, plan_up_to, truncation};
pub(crate) use policy::WindowBounds;
pub use policy::{Middle, Permille, Policy, Replace, Strategy, Tiered, Waiting};
pub(crate) use rules::{Moment, PROMPT as SECTIONS_PROMPT, SummaryFrame};
pub(crate) use tiered::{PROMPT as TIERED_PROMPT, STACKED};
