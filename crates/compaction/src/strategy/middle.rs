//! The strategy `middle`: keeps the first user message and the newest messages, and summarises the rest.
//!
//! Trims the history if no summary can be made.

use std::ops::Range;

use base::TokenCount;

use super::Middle;
use crate::shown::{Shown, is_result, is_summary, is_user};

const MESSAGES_MIN: usize = 2;

/// Trim at least one part of this many.
const TRIMMED_PART: usize = 5;

/// Maximum size of a summary.
pub(crate) const OUTPUT_MAX: TokenCount = TokenCount(4_096);

/// The items between the first user message and the newest messages; a call stays with its result.
pub(super) fn leaving(shown: &Shown, middle: &Middle) -> Option<Range<usize>> {
    let items = &shown.items;
    // A summary in front, by another strategy, goes into the new one.
    let start = match items.iter().position(|item| !is_summary(item)) {
        Some(0) if items.first().is_some_and(is_user) => 1,
        Some(_) | None => 0,
    };
    let mut end = items.len().checked_sub(middle.protected_tail)?;
    while end > start && items.get(end).is_some_and(is_result) {
        end -= 1;
    }
    let zone = items.get(start..end)?;
    let n_messages = zone.iter().filter(|item| !is_summary(item)).count();
    (n_messages >= MESSAGES_MIN && end < items.len()).then_some(start..end)
}

/// All but the newest `messages_max` messages; `None` if that is less than a fifth of them. Without the bound, each turn
/// would end an epoch for the sake of two messages.
pub(super) fn trimmed(shown: &Shown, middle: &Middle) -> Option<Range<usize>> {
    let items = &shown.items;
    let n_summaries = items.iter().filter(|item| is_summary(item)).count();
    let n_messages = items.len() - n_summaries;
    let n_leaving = n_messages.saturating_sub(middle.messages_max);
    if n_leaving == 0 || n_leaving * TRIMMED_PART < n_messages {
        return None;
    }
    let wanted = items.len().checked_sub(middle.messages_max)?;
    let is_boundary = |at: &usize| items.get(*at).is_some_and(|item| !is_result(item));
    Some(0..(wanted..items.len()).find(is_boundary)?)
}
