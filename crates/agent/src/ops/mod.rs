//! Every operation on memory, sessions and dreams, once: a typed request, a typed reply.
//!
//! The command line, the chat's tools, MCP, HTTP and the page are adapters over them, and have none of their own.

mod error;
mod hints;
mod operation;

mod about;
mod agenda;
mod archive;
mod asked;
mod calendar;
mod dreams;
mod forgetting;
mod get;
mod near_note;
mod note;
mod past;
mod promise_meant;
mod promises;
mod search;
mod sessions;
mod why;

pub use about::{About, AboutReply};
pub use agenda::{AGENDA_DAYS_MAX, Agenda, AgendaReply};
pub use archive::{Archive, ArchiveLine, ArchiveReply};
pub use asked::{Correct, Remember, RememberReply, RememberStatus};
pub use calendar::calendar;
pub use dreams::{
    AlreadyDecided, CandidateReply, CandidatesReply, Decide, DecisionReply, DreamDecision,
    DreamLog, DreamLogDetail, DreamLogEntry, DreamLogReply, EvidenceReply, ListCandidates,
    NearLine, ShowCandidate, SignalReply, UndoChange, UndoReply, left_by_last,
};
pub use error::{OpError, OpErrorKind};
pub(crate) use forgetting::ForgetPlans;
pub use forgetting::{
    Forget, ForgetItem, ForgetPlanReply, ForgetReply, ForgottenItem, ForgottenReply, ListForgotten,
    NearPassage, PlanForget, UndoForget, UndoForgetReply,
};
pub use get::{Get, GetReply, NoteLines, SessionMessage, SessionMessages};
pub use hints::{
    hint_of_asked, hint_of_file, hint_of_forget, hint_of_forgetting, hint_of_lines, hint_of_path,
    hint_of_read, hint_of_review, hint_of_txn, hint_of_undo,
};
pub use note::{AddNote, NoteReply};
pub(crate) use operation::instant;
pub use operation::{OpContext, OpEvent, Operation};
pub(crate) use past::PastCache;
pub use past::PastReply;
pub use promise_meant::PromiseChoice;
pub(crate) use promise_meant::{MeantPromise, promise_meant};
pub use promises::{
    AddPromise, DecidePromise, PromiseAction, PromiseKindReply, PromiseReply, PromiseStatus,
    TakenBack,
};
pub use search::{Search, SearchReply, SearchSource, SpanReply};
pub use sessions::{
    ExpandFrom, ExpandReply, ExpandSession, ReadItem, ReadSession, ReadSessionReply,
    SessionTimeline, SessionWindow, TimelineReply, WindowItem, WindowReply,
};
pub use why::{CitingNote, Why, WhyEvent, WhyReply, WhyStep, WhySubject, citing_notes};
