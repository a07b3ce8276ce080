//! What the owner is shown of candidates: in which order, what says so, what accepting changes.
//!
//! Decides nothing and writes nothing.

mod change;
mod order;
mod sources;

pub use change::{LineChange, changed_lines, lines_beside};
pub use order::{ReviewOrder, waiting_among};
pub use sources::{EvidenceSource, SourceLine, Sources};
