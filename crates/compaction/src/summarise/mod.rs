//! The summary that replaces older messages.
//!
//! Builds requests and reads their replies; appends nothing.

mod check;
mod missing;
mod plan;
mod prose;
mod render;
mod reply;
mod request;
mod staged;

pub use check::SummaryReplyError;
pub use plan::{Summary, SummaryBrief, SummaryPlan};
pub use render::render_summary;
pub use reply::{read_part, read_summary};
pub use request::{fits_whole, retry_request, spare_room, summary_evidence, summary_request};
pub use staged::{SummaryParts, merge_request, without_oversized};

pub(crate) use missing::{EXACT_HEADING, EXACT_SEPARATOR};
pub(crate) use render::without_frame;
