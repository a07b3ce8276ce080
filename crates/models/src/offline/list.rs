//! Joins the items of a list under the line that introduces it.
//!
//! Cuts items where their clauses end; judges none.

use super::clause::{NOTE_CHARS_MAX, boundaries, halves, trimmed};
use super::template::LIST_SEPARATOR;

/// A shorter piece of an item says too little.
const ITEM_CHARS_MIN: usize = 12;

/// The line with all items behind it, each within its share of a note; `None` where they have no room.
pub(super) fn joined(lead: &str, items: &[&str]) -> Option<String> {
    let mut text = format!("{lead} ");
    let mut left = NOTE_CHARS_MAX.checked_sub(text.chars().count())?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push_str(LIST_SEPARATOR);
            left = left.checked_sub(LIST_SEPARATOR.len())?;
        }
        let share = left / (items.len() - index);
        let piece = first_clauses(item, share);
        left = left.checked_sub(piece.chars().count())?;
        text.push_str(piece);
    }
    Some(text)
}

/// The clauses at the start of an item that fit; the first of them where none does.
fn first_clauses(item: &str, n_chars_max: usize) -> &str {
    let item = ended(item);
    if item.chars().count() <= n_chars_max {
        return item;
    }
    let mut ends = boundaries(item);
    // Before a colon stands what the item is about.
    ends.extend(item.find(": "));
    ends.sort_unstable();
    let pieces = ends.into_iter().map(|at| ended(halves(item, at).0));
    let mut whole = pieces.filter(|piece| {
        piece.chars().count() >= ITEM_CHARS_MIN && piece.matches('`').count().is_multiple_of(2)
    });
    let Some(first) = whole.next() else {
        return item;
    };
    whole
        .take_while(|piece| piece.chars().count() <= n_chars_max)
        .last()
        .unwrap_or(first)
}

/// A clause without its full stop.
fn ended(clause: &str) -> &str {
    let clause = trimmed(clause);
    let bare = clause.strip_suffix(['.', '\u{3002}']);
    bare.filter(|bare| !bare.ends_with('.')).unwrap_or(clause)
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
