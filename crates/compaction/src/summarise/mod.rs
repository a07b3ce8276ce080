//! The summary that takes the place of older messages.
//!
//! Gives requests and reads their replies; appends nothing.

mod missing;
mod plan;
mod prose;
mod render;
mod reply;
mod request;
mod staged;

pub use plan::{Summary, SummaryBrief, SummaryPlan};
pub use render::render_summary;
pub use reply::{SummaryReplyError, read_part, read_summary};
pub use request::{fits_whole, retry_request, spare_room, summary_evidence, summary_request};
pub use staged::{SummaryParts, merge_request, without_oversized};

pub(crate) use missing::{EXACT_HEADING, EXACT_SEPARATOR};
pub(crate) use prose::is_in_context;
pub(crate) use render::without_frame;
