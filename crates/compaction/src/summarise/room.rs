//! How much of a summary the reply may take.
//!
//! Knows no form: the lines around the reply are given.

use base::TokenCount;

use super::SummaryPlan;
use crate::show::summary_tokens;

/// A reply may take this much in any case.
const REPLY_MIN: TokenCount = TokenCount(100);

/// The most that a reply may take, so that the summary keeps to its plan with the lines of `frame` around it.
///
/// Where a summary may hardly be longer than these lines, the reply gets a little all the same: the
/// effect check tells whether the summary is worth it.
pub(super) fn room_for_reply(plan: &SummaryPlan, frame: &str) -> TokenCount {
    let frame = summary_tokens(frame);
    plan.output_max.saturating_sub(frame).max(REPLY_MIN)
}
