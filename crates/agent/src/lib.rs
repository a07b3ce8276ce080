//! Joins conversation and knowledge: the turn, the replay, and what both share.
//!
//! Never prints and never reads the environment.

mod metered;
mod models;
mod runtime;
mod turn;
mod waiting;

mod knowledge;
mod recall;
mod session_source;

mod forgetting;
mod owner_forgetting;
mod session_entries;

pub mod prompt;

mod asking;
mod background;
mod backlog;
mod compact;
mod evidence;
mod extract;
mod flush;
mod grounds;
mod make_room;
mod notes;
mod overflow;
mod pairing;
mod sandbox;
mod step;
mod summarise;

mod reply;
mod tools;

mod heartbeat;
mod rest;
pub mod service;

mod dream;
mod expand;
mod history;
mod owner_compaction;

pub mod review;
pub mod timeline;

mod replay;
mod scope;
mod take;

mod event;
mod fence;

#[cfg(test)]
mod continuity_tests;
#[cfg(test)]
mod fallback_tests;
#[cfg(test)]
mod test_kit;

pub use background::{Background, Execution, Tended, finish_background, tend_background};
pub use dream::{
    Backfill, Begin, DreamError, DreamOutcome, DreamRequest, SessionConversations, Talks, Told,
    Unread, dream,
};
pub use event::{Event, OnEvent};
pub use expand::{ExpandError, ExpandOptions, Expansion, Order, Piece, expand};
pub use forgetting::{ForgetLines, ForgetPlanError, Forgot};
pub use history::{Forked, Rewound, fork, rewind};
pub use knowledge::{IndexAccess, IndexPlace, Knowledge, OnProgress};
pub use overflow::KnownWindow;
pub use pairing::{Hooks, Moment};

pub use metered::{Counts, Metered, Statistics};
pub use models::{Models, OtherModels};
pub use owner_compaction::{
    Compacted, CompactionPlan, Planned, StaysWhole, compact_now, plan_compaction,
};
pub use owner_forgetting::{Asker, OwnerForgetting};
pub use recall::RECALL_TYPE;
pub use replay::{ReplayClock, ReplayError, ReplayMode, ReplayReport, Source, replay};
pub use reply::Stop;
pub use rest::{end_chat, end_unanswered_chat, flush_if_idle, new_session, note_long_backlog};
pub use runtime::{PRIMARY_SESSION, RECALL_BUDGET, Runtime, resume_limit};
pub use sandbox::Sandbox;
pub use scope::{Repository, Viewer};
pub use session_source::SessionSource;
pub use take::{Act, TakeError, Taken, TakenState, take_conversation};
pub use tools::{
    Answer, Approver, Door, FileAccess, ForgetError, ForgetFound, ForgetOffer, ForgetPlace,
    Forgetting, GraphAction, GraphAnswer, OutsideCall, OwnerAnswer, ToolAccess,
};
pub use turn::{TurnError, run_turn, run_turn_until};
pub use waiting::TURN_PATIENCE;
