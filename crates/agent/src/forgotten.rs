//! Tells whether an entry of a transcript was forgotten.
//!
//! The only place that follows a copy to what it is a copy of.

use memory::Tombstones;
use session::{CopiedFrom, Entry};

/// Whether the entry was forgotten, or one of which it is a copy.
pub(crate) fn is_forgotten(entry: &Entry, tombstones: &Tombstones) -> bool {
    let copied = entry.payload.copied_from();
    tombstones.hides_entry(&entry.id) || copied.is_some_and(|from| is_copy(from, tombstones))
}

/// Whether it is a copy of what was forgotten.
pub(crate) fn is_copy(from: &CopiedFrom, tombstones: &Tombstones) -> bool {
    from.entries().any(|entry| tombstones.hides_entry(entry))
}
