//! How much of what was said one block of notes has room for.
//!
//! Counts the plain facts that the owner tells; notes nothing itself.

use base::{FLUSH_NOTES_MAX, Message, Origin};
use session::{Entry, Payload};

use crate::evidence::ends;

/// So many plain facts of the owner may one block hold: the rest of its room is for what else is worth a note.
const OF_OWNER_MAX: usize = FLUSH_NOTES_MAX * 2 / 3;

/// No note is made of fewer bytes.
const NOTE_BYTES_MIN: usize = 8;

/// How many of these entries, from the first on, one block has room for; at least one.
pub(crate) fn n_with_room(entries: &[Entry]) -> usize {
    let texts: Vec<Option<String>> = entries.iter().map(said_by_owner).collect();
    let n_bytes: usize = texts.iter().flatten().map(String::len).sum();
    if n_bytes < OF_OWNER_MAX * NOTE_BYTES_MIN {
        return entries.len();
    }
    let mut n_notes = 0;
    let n_fitting = texts.iter().take_while(|text| {
        n_notes += text.as_deref().map_or(0, models::n_facts);
        n_notes <= OF_OWNER_MAX
    });
    n_fitting.count().max(1).min(entries.len())
}

fn said_by_owner(entry: &Entry) -> Option<String> {
    let Payload::Message(stored) = &entry.payload else {
        return None;
    };
    let is_user = matches!(stored.message, Message::User { .. });
    let is_owner = is_user && stored.origin() == Origin::Owner;
    is_owner.then(|| ends(&stored.message.text()).into_owned())
}

#[cfg(test)]
#[path = "note_room_tests.rs"]
mod tests;
