//! The summary that takes the place of older messages.
//!
//! Gives a request and reads its reply; appends nothing.

mod brief;
mod plan;
mod render;
mod request;

pub use brief::{Summary, SummaryBrief};
pub use plan::SummaryPlan;
pub use render::{SummaryReplyError, render_summary};
pub use request::summary_request;
