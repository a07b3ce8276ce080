//! Every operation on memory, sessions and dreams, once: a typed request, a typed reply.
//!
//! The command line, the chat's tools, MCP, HTTP and the page are adapters over them, and have none of their own.

mod error;
mod operation;

mod about;
mod agenda;
mod asked;
mod dreams;
mod get;
mod note;
mod search;
mod sessions;

pub use about::{About, AboutReply};
pub use agenda::{AGENDA_DAYS_MAX, Agenda, AgendaReply};
pub use asked::{Correct, Remember, RememberReply, RememberStatus};
pub use dreams::{
    AlreadyDecided, CandidateReply, CandidatesReply, Decide, DecisionReply, DreamDecision,
    DreamLog, DreamLogDetail, DreamLogEntry, DreamLogReply, EvidenceReply, ListCandidates,
    NearLine, ShowCandidate, SignalReply, UndoChange, UndoReply,
};
pub use error::{OpError, OpErrorKind};
pub use get::{Get, GetReply, NoteLines, SessionMessage, SessionMessages};
pub use note::{AddNote, NoteReply};
pub(crate) use operation::instant;
pub use operation::{OpContext, OpEvent, Operation};
pub use search::{Search, SearchReply, SearchSource, SpanReply};
pub use sessions::{
    ExpandFrom, ExpandReply, ExpandSession, SessionTimeline, SessionWindow, TimelineReply,
    WindowItem, WindowReply,
};
