//! Search: from a question to passages, best first, each with the evidence for its score.
//!
//! Age, deleted text and writing order never change a score.

mod model;

mod named;
mod named_date;
mod query;
mod score;

mod slips;

mod bearing;
mod bounds;
mod called;
mod echo;
mod fold;
mod found_term;
mod fuse;

mod gather;
mod holding;
mod likeness;
mod literal;
mod meaning;
mod near_words;
mod newer;
mod other_language;
mod pack;
mod parts;
mod ranked;
mod results;
mod span;
mod stretches;
mod texts;
mod wishes;

mod explain;
mod fresh;
mod run;
mod wire;

#[cfg(test)]
pub(crate) use bounds::Bounds;
pub use explain::{Explanation, TermShare};
pub use fresh::{Ask, Freshness, answer, refresh, search_remembered};
pub use holding::notes_holding;
#[cfg(test)]
pub(crate) use meaning::QuestionVector;
pub use model::{
    Degraded, LeftOut, Nearest, NothingFound, SearchAnswer, SearchMode, SearchOptions,
    SearchResult, StandingLine,
};
pub use run::search;
pub use score::{EvidenceKind, EvidenceWeight, EvidenceWeights, WEIGHTS};
pub(crate) use score::{TermPlace, real};
pub use span::{SpanCount, ends_first, in_order};
