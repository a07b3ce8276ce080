//! How much of a summary the reply may take.
//!
//! Knows no form: the lines around the reply are given.

use base::TokenCount;

use super::SummaryPlan;
use super::exact::EXACT_PERCENT;
use super::missing::MISSING_PERCENT;
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

/// So many times the room is made smaller by what was too much.
const CUTS_MAX: usize = 4;

/// How much of `max` the lines of a reply may take so that what is added for those that were cut away fits
/// as well; `whole` tells what a summary takes whose lines have so much room.
pub(super) fn room_for_lines(
    max: TokenCount,
    whole: impl Fn(TokenCount) -> TokenCount,
) -> TokenCount {
    let mut room = max;
    for _ in 0..CUTS_MAX {
        let excess = whole(room).saturating_sub(max);
        if excess == TokenCount::ZERO {
            return room;
        }
        room = room.saturating_sub(excess);
    }
    max.percent(100 - MISSING_PERCENT - EXACT_PERCENT)
}
