//! Connects conversations and memory: turns, replays, dreams, and the service around them.
//!
//! Never prints and never reads the environment.

mod error;
mod event;
mod runtime;
mod turn;
mod turn_input;

mod fence;
mod hooks;
mod known_window;
mod metered;
mod models;
mod sandbox;
mod waiting;
mod worth;

mod knowledge;
mod recall;
mod recall_changes;
mod refresher;
mod scope;
mod session_entries;
mod session_source;

mod forgetting;
mod forgotten_words;

pub mod prompt;

mod asking;
mod backlog;
mod evidence;
mod grounds;
mod heartbeat;
mod notes;
mod off_thread;
mod summarise;

mod compact;
mod compaction_events;
mod driver;
mod fit_window;
mod flush;
mod jobs;
mod overflow;
mod owner_compaction;
mod poll;
mod standing_lines;
mod step;
mod unseen;

mod replaced;
mod reply;
mod reply_scope;
mod tools;

mod client;

mod idle;
pub mod service;
mod session_end;

mod about;
mod asked;
mod course;
mod dream;
mod expand;
mod history;
mod keep_asked;

pub mod review;

mod bridge;
mod relocate;
mod replay;
mod take;
mod title;

#[cfg(test)]
mod compaction_kit;
#[cfg(test)]
mod continuity_tests;
#[cfg(test)]
mod fallback_tests;
#[cfg(test)]
mod test_kit;

pub use about::{AboutError, AgendaItem, KnownLine, agenda, known_about_owner};
pub use asked::{AskedError, AskedLine, AskedOutcome, line_saying, remember_typed};
pub use bridge::{
    BridgeError, MemoryImport, RefusedMemory, TakenMemories, block_content, exported_memories,
    import_memories,
};
pub use client::conversation::ClientConversation;
pub use client::own_request::{answer_unstored, is_clients_request};
pub use client::session::session_of;
pub use course::{SessionCourse, session_course};
pub use dream::{
    Backfill, Begin, DreamError, DreamOutcome, DreamProgress, DreamRequest, SessionConversations,
    SessionFilter, Unread, dream,
};
pub use error::TurnError;
pub use event::{Event, OnEvent};
pub use expand::{ExpandError, ExpandOptions, ExpandOrder, Expansion, Piece, expand};
pub use forgetting::{ForgetLines, ForgetPlanError, Forgot};
pub use forgotten_words::ForgottenWords;
pub use history::{Forked, Rewound, fork, rewind};
pub use hooks::{HookMoment, Hooks};
pub use jobs::{JobExecution, Jobs};
pub use knowledge::{IndexAccess, IndexPlace, Knowledge, OnProgress};
pub use known_window::KnownWindow;
pub use metered::{Metered, Statistics, TokenCounts};
pub use models::{Models, OtherModels};
pub use owner_compaction::{
    CompactionOutcome, CompactionPlan, StaysWhole, compact_now, plan_compaction,
};
pub use poll::{PollOutcome, finish_jobs, poll_jobs};
pub use recall::RECALL_TYPE;
pub use refresher::Refresher;
pub use relocate::{
    RelocateError, is_scope_chosen, keep_scope_chosen, relocate, share_conversation,
};
pub use replay::{ReplayClock, ReplayError, ReplayInput, ReplayMode, ReplayReport, replay};
pub use reply::Stop;
pub use runtime::{
    ChatEngine, HomeAccess, MemoryAccess, PRIMARY_SESSION, PrivateSessions, RECALL_BUDGET, Runtime,
    resume_limit,
};
pub use sandbox::Sandbox;
pub use scope::{Repository, Viewer};
pub use session_end::{end_chat, end_chat_offline, flush_if_idle, new_session, note_long_backlog};
pub use session_source::SessionSource;
pub use take::{
    TakeError, TakeMode, TakenConversation, TakenState, beginning_in, beginning_of,
    take_conversation,
};
pub use title::{forgotten_entries, set_title};
pub use tools::access::{Approver, FileAccess, OutsideCall, OwnerAnswer, ToolAccess};
pub use tools::answer::ToolReply;
pub use tools::door::{Door, ForgetOffer, ReviewOffer};
pub use tools::graph::{GraphAction, GraphAnswer};
pub use turn::{run_turn, run_turn_until};
pub use turn_input::TurnInput;
pub use waiting::TURN_TIMEOUT;
