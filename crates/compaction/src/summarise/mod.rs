//! The summary that takes the place of older messages.
//!
//! Gives requests and reads their replies; appends nothing.

mod brief;
mod exact;
mod missing;
mod plan;
mod previews;
mod prose;
mod render;
mod reply;
mod request;
mod room;
mod staged;

pub use brief::{Summary, SummaryBrief};
pub use plan::SummaryPlan;
pub use render::render_summary;
pub use reply::{SummaryReplyError, read_part, read_summary};
pub use request::{fits_whole, retry_request, spare_room, summary_evidence, summary_request};
pub use staged::{SummaryParts, merge_request, without_oversized};

pub(crate) use exact::{EXACT_HEADING, EXACT_SEPARATOR};
pub(crate) use prose::is_in_context;
pub(crate) use render::without_frame;
