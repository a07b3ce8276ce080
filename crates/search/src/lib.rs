//! Search: cuts notes and documents into passages, indexes them, and answers questions from the index.
//!
//! Reads only through its ports: it does not refer to the owner's files, never treats the index as the source of truth,
//! and calls no chat model.

mod note_source;
mod passage_source;

mod passage;
mod terms;

mod index;
mod rank;
mod sync;

#[cfg(test)]
mod notes_kit;

pub use index::{
    Embedding, Index, IndexError, Inspection, VectorScan, hindrance, when_free, when_made,
};
pub use note_source::{
    ForgottenFilter, LineOrigins, NoteFile, NoteLabel, NoteSource, PreparedNote,
};
pub use passage::{
    Heading, MarkdownFile, Passage, PassageKind, ResumePlace, Stretch, cut_markdown,
};
pub use passage_source::{
    DocumentStat, IndexedStamp, MessagesInMemory, PassageSource, Source, SourceMessage,
};
pub use rank::{
    Ask, Degraded, EvidenceKind, EvidenceWeight, EvidenceWeights, Explanation, Freshness, LeftOut,
    Nearest, NothingFound, SearchAnswer, SearchMode, SearchOptions, SearchResult, SpanCount,
    StandingLine, TermShare, WEIGHTS, answer, ends_first, in_order, notes_holding, refresh, search,
    search_remembered,
};
pub use sync::{
    Corpus, Difference, NOTE_BYTES_MAX, SyncError, SyncProblem, SyncProgress, SyncReport, Unread,
    difference, sync,
};
pub use terms::{CommonWords, WishCues};
