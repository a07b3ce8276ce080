//! The strategy `none`: no summaries; messages leave only if the request does not fit.

use std::ops::Range;

use super::rules::Rules;
use super::{Policy, WindowBounds};
use crate::budget::Budget;
use crate::cut::cut_point;
use crate::rung::Rung;
use crate::shown::Shown;
use crate::trigger::ContextUsage;

#[derive(Debug)]
pub(super) struct Off;

impl Rules for Off {
    fn policy(&self, bounds: WindowBounds) -> Policy {
        bounds.only_if_too_large()
    }

    fn leaving(
        &self,
        shown: &Shown,
        usage: &ContextUsage,
        budget: &Budget,
    ) -> Option<Range<usize>> {
        Some(0..cut_point(shown, usage, budget)?)
    }

    fn first_rung(&self, _best: Rung) -> Rung {
        Rung::Truncate
    }

    fn keeps_recent_tokens(&self) -> bool {
        true
    }
}
