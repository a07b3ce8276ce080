//! The only place that turns a view into the messages of a request.
//!
//! Never changes the view.

use session::View;

use crate::budget::Budget;
use crate::settings::WindowSettings;
use crate::shown::{Shown, is_summary, sent_tokens};
use crate::{oversized, pairing, prune};

/// Prepares a view for sending: pairs calls and results, prunes tool results, and shortens oversized
/// messages.
pub fn show(view: &View, settings: &WindowSettings, budget: &Budget) -> Shown {
    let mut items = pairing::pair(&view.items);
    for item in &mut items {
        if is_summary(item) {
            item.tokens = sent_tokens(&item.content);
        }
    }
    prune::cap(&mut items, budget);
    prune::prune(&mut items, settings);
    oversized::shorten(&mut items, budget.oversized);
    Shown {
        tokens: items.iter().map(|item| item.tokens).sum(),
        items,
    }
}

#[cfg(test)]
#[path = "show_tests.rs"]
mod tests;
