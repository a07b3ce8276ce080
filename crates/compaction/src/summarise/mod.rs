//! The summary that replaces older messages.
//!
//! Builds requests and reads their replies; appends nothing.

mod check;
mod frame;
mod plan;
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

pub(crate) use frame::{EXACT_SEPARATOR, added_identifiers, without_frame};
