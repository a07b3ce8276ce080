//! The only place that turns a view into the messages of a request.
//!
//! Never changes the view.

use session::View;

use crate::budget::Budget;
use crate::settings::WindowSettings;
use crate::shown::{ShowNotes, Shown, is_summary, sent_tokens};
use crate::{oversized, pairing, prune};

/// Prepares a view for sending: pairs calls and results, prunes tool results, and shortens oversized
/// messages.
pub fn show(view: &View, settings: &WindowSettings, budget: &Budget) -> Shown {
    let (mut items, pairing) = pairing::pair(&view.items);
    for item in &mut items {
        if is_summary(item) {
            item.tokens = sent_tokens(&item.content);
        }
    }
    let n_capped = prune::cap(&mut items, budget);
    let n_pruned = prune::prune(&mut items, settings);
    let n_oversized = oversized::shorten(&mut items, budget.oversized);
    Shown {
        tokens: items.iter().map(|item| item.tokens).sum(),
        items,
        notes: ShowNotes {
            n_results_filled: pairing.n_filled,
            n_results_dropped: pairing.n_dropped,
            n_capped,
            n_pruned,
            n_oversized,
        },
    }
}

#[cfg(test)]
#[path = "show_tests.rs"]
mod tests;
