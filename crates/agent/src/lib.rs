//! Joins conversation and knowledge: the turn, the replay, and what both share.
//!
//! Never prints and never reads the environment.

mod compact;
mod event;
mod flush;
mod joins;
mod make_room;
mod notes;
pub mod prompt;
pub mod recording;
mod replay;
mod runtime;
mod turn;

pub use event::{Event, OnEvent};
pub use replay::{ReplayClock, ReplayError, ReplayMode, ReplayReport, Source, replay};
pub use runtime::{Models, Runtime};
pub use turn::{TurnError, run_turn};
