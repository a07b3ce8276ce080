//! Search: from a question to passages, best first, each with the reasons of its score.
//!
//! Never lets age, deleted text or the order of writing change a score.

mod model;
mod time;

mod named;
mod named_date;
mod query;
mod score;
mod scripts;
mod slips;

mod bounds;
mod close_look;
mod fold;
mod fuse;
mod gather;
mod likeness;
mod literal;
mod meaning;
mod near_words;
mod newer;
mod only_asked;
mod pack;
mod parts;
mod ranked;
mod results;
mod stretches;

mod explain;
mod fresh;
mod run;

pub use explain::{Explanation, TermShare};
pub use fresh::{Ask, Freshness, answer, hide_forgotten, refresh};
pub use model::{
    Degraded, LeftOut, NothingFound, SearchAnswer, SearchMode, SearchOptions, SearchResult,
};
pub(crate) use near_words::stem_of;
pub use run::search;
pub(crate) use score::Place;
pub use score::{Evidence, WEIGHTS, Weight, Weights};
pub use time::{DaySpan, named_span};
