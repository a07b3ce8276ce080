//! Long-term memory: reads `MEMORY.md`, plans changes to it and writes them.
//!
//! Never changes a line of the owner, and never overwrites content that it has not read.

mod by_hand;
mod change;
mod edit;
mod line;
mod preimage;

pub use by_hand::LinesByHand;
pub(crate) use by_hand::keep_lines_by_hand;
pub use change::{MemoryChange, OpenMemory, UndoError};
pub(crate) use change::{curated_text, preimages};
pub use edit::{Edit, edited};
pub(crate) use edit::{add as add_line, with_undone};
pub(crate) use line::UNTIL;
pub use line::{CuratedLine, LineOwner, NewLine, current_value, memory_lines};
pub use preimage::{ChangeId, ContentBefore, Preimage, Preimages};
