//! The search index, derived from notes and transcripts.
//!
//! Never the only copy of anything: it may be deleted at any time.

mod record;
mod schema;

mod lexical;
mod postings;
mod private;
mod read_only;
mod room;
mod store;
mod vectors;
mod waiting;
mod words;

mod pack;
mod pack_write;

mod embed;
mod index_vectors;
mod open;
mod refill;
mod snapshot;
mod write;

mod error;

pub use embed::Embedding;
pub(crate) use embed::fill;
pub use error::IndexError;
pub(crate) use index_vectors::PackedVectors;
pub use open::{Index, Inspection, VectorScan};
pub(crate) use pack::{PackedStretch, signs};
pub(crate) use postings::{StretchHits, StretchId, TermPostings};
#[cfg(test)]
pub(crate) use record::StretchRecord;
pub(crate) use record::{PassageRecord, PieceRecord};
pub use room::hindrance;
pub(crate) use schema::meta::{FORGOTTEN, KNOWN};
pub(crate) use snapshot::IndexSnapshot;
pub(crate) use store::{FileRow, StretchMark, StretchRow, Totals};
pub(crate) use vectors::{EmbedderRow, SCALE, VectorRow};
pub use waiting::{when_free, when_made};
pub(crate) use write::{BatchWriter, DocumentWrite};
