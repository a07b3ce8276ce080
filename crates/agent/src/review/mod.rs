//! Prepares candidates for review: their order, their evidence, and the change that accepting one makes.
//!
//! Decides nothing and writes nothing.

mod change;
mod order;
mod sources;

pub use change::{LineChange, changed_lines, lines_beside};
pub use order::{ReviewOrder, waiting_among};
pub use sources::{EvidenceContext, EvidenceSource, SourceLine};
