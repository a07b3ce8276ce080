//! Connects conversations and memory: turns, replays, dreams, and the service around them.
//!
//! Never prints and never reads the environment.

mod error;
mod event;
mod hooks;
mod models;
mod runtime;
mod sandbox;
mod slash;
mod waiting;

mod jobs;
mod knowledge;
pub mod prompt;
mod turn;
mod writers;

mod fence;
mod forgetting;
mod forgotten_words;
mod heartbeat;
mod known_window;
mod metered;

mod bridge;
mod client;
mod dream;
pub mod ops;
pub mod review;
pub mod service;
mod tools;

mod about;
mod about_pages;
mod agenda;
mod asked;
mod asked_error;
mod corrected;
mod course;
mod expand;
mod history;
mod proof;
mod relocate;
mod reminders;
mod replay;
mod take;
mod title;

#[cfg(test)]
mod hostile_bytes_tests;
#[cfg(test)]
mod noninterference_tests;
#[cfg(test)]
mod test_kit;

pub use about::{AboutError, KnownLine, known_about_owner, owner_name};
pub use agenda::{AgendaItem, agenda};
pub use asked::{AskedLine, AskedOutcome, remember_typed};
pub use asked_error::AskedError;
pub use bridge::{
    BridgeError, FileCopied, ImportKind, ImportRun, ImportRuns, MemoryImport, NoteWritten,
    NotesWritten, RefusedMemory, SessionImported, TakenMemories, UndoneImport, block_content,
    exported_memories, import_memories,
};
pub use client::conversation::ClientConversation;
pub use client::notice::notice_in_reply;
pub use client::own_request::{answer_unstored, is_clients_request};
pub use client::session::session_of;
pub use corrected::{Corrected, line_saying};
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
pub use jobs::owner_compaction::{
    CompactionOutcome, CompactionPlan, StaysWhole, compact_now, plan_compaction,
};
pub use jobs::poll::{PollOutcome, finish_jobs, poll_jobs};
pub use jobs::session_flush::{FlushReason, flush, new_session};
pub use jobs::slots::{JobExecution, Jobs};
pub use knowledge::index::{IndexAccess, IndexPlace, Knowledge, OnProgress};
pub use knowledge::refresher::Refresher;
pub use knowledge::scope::{Repository, Viewer};
pub use knowledge::session_source::SessionSource;
pub use known_window::KnownWindow;
pub use metered::{Metered, Statistics, TokenCounts};
pub use models::{Models, OtherModels};
pub use proof::{
    ProofPlace, ProofReply, Sought, drop_index, drop_typed, is_of_conversation, prove,
};
pub use relocate::{
    RelocateError, is_scope_chosen, keep_scope_chosen, relocate, share_conversation,
};
pub use reminders::{DueReminder, ReminderCue};
pub use replay::{ReplayClock, ReplayError, ReplayInput, ReplayMode, ReplayReport, replay};
pub use runtime::{
    ChatEngine, HomeAccess, MemoryAccess, PRIMARY_SESSION, PrivateSessions, RECALL_BUDGET, Runtime,
    resume_limit,
};
pub use sandbox::Sandbox;
pub use slash::{
    SLASH_COMMANDS, SlashCommand, SlashRow, SlashTyped, SlashWords, line_and_text, parse_slash,
};
pub use take::{
    TakeError, TakeMode, TakenConversation, TakenState, beginning_in, beginning_of,
    take_conversation,
};
pub use title::{forgotten_entries, set_title};
pub use tools::access::{Approver, FileAccess, OutsideCall, OwnerAnswer, ToolAccess};
pub use tools::answer::ToolReply;
pub use tools::door::{
    Door, FetchPlace, ForgetOffer, PromiseOffer, Repositories, ReviewCandidate, ReviewOffer,
    RunningConversation,
};
pub use tools::graph::{GraphAction, GraphAnswer};
pub use tools::memory_search::MemoryQuestion;
pub use turn::input::TurnInput;
pub use turn::recall::RECALL_TYPE;
pub use turn::reply::Stop;
pub use turn::run::{run_turn, run_turn_until};
pub use turn::tell_due::tell_due;
pub use waiting::TURN_TIMEOUT;
