//! The strategy `handoff`: one summary replaces everything older; the newest messages stay verbatim.

use std::ops::Range;

use super::rules::Rules;
use super::{Policy, Waiting, WindowBounds};
use crate::budget::Budget;
use crate::cut::cut_point;
use crate::shown::Shown;
use crate::trigger::ContextUsage;

#[derive(Debug)]
pub(super) struct Handoff;

impl Rules for Handoff {
    fn policy(&self, bounds: WindowBounds) -> Policy {
        Policy {
            waiting: Waiting::Nobody,
            ..bounds.owner_waits_from(bounds.full)
        }
    }

    fn leaving(
        &self,
        shown: &Shown,
        usage: &ContextUsage,
        budget: &Budget,
    ) -> Option<Range<usize>> {
        Some(0..cut_point(shown, usage, budget)?)
    }

    fn keeps_recent_tokens(&self) -> bool {
        true
    }
}
