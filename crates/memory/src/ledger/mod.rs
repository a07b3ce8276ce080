//! What is known about each line of ours: an append-only file of records, found by the mark at the end of the line.
//!
//! Never holds the text of a line, and never decides what is worth noting.

mod commit;
mod legacy;
mod read;
mod record;
mod records;
mod taken_over;

pub use commit::{LedgerState, ledger_state, take_note_records};
#[cfg(test)]
pub(crate) use legacy::earlier_line;
pub(crate) use legacy::holds_closed_block;
pub(crate) use record::{NoteRecord, ToldRecord};
pub(crate) use records::Ledger;
pub(crate) use taken_over::{LostLines, TakenOver};

#[cfg(test)]
mod tests;
