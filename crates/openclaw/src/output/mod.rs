//! What people and scripts read: streams, text, JSON, tables, charts.
//!
//! Renders plain data; never finds anything out.

mod streams;

mod human;
mod json;
mod markdown;
mod wire;

mod call_question;
mod candidate;
mod candidates;
mod chart;
mod chat_context;
mod chat_event;
mod chat_report;
mod chat_status;
mod compacted;
mod doctor;
mod dream;
mod flow;
mod forget_question;
mod import;
mod memory_add;
mod memory_forget;
mod memory_get;
mod memory_held;
mod memory_index;
mod memory_search;
mod memory_status;
mod progress;
mod replay_event;
mod session_compact;
mod session_delete;
mod session_expand;
mod session_export;
mod session_fork;
mod session_list;
mod session_redact;
mod session_repair;
mod session_rewind;
mod session_show;
mod session_verify;
mod status_line;
mod table;
mod wrap;

pub(crate) use call_question::render as render_call_question;
pub(crate) use candidate::{
    CandidateShown, SourceLine, SourceShown, render_shown as render_candidate, render_sources,
};
pub(crate) use candidates::{
    CandidateList, Decided, DreamLog, LogDepth, NearLine, Settled, TakenBack, render_beside,
    render_decided, render_list as render_candidates, render_log as render_dream_log, render_near,
    render_settled, render_taken_back, waiting, wrapped,
};
pub(crate) use chat_context::{ContextReport, render as render_context};
pub(crate) use chat_event::{ChatEvent, render as render_chat_event};
pub(crate) use chat_report::ChatReport;
pub(crate) use chat_status::{ChatStatus, render as render_chat_status};
pub(crate) use compacted::Compacted;
#[cfg(test)]
pub(crate) use compacted::Outcome;
pub(crate) use doctor::{DoctorReport, render as render_doctor};
pub(crate) use dream::{DreamTold, FlushedSession, render as render_dream};
pub(crate) use flow::Flow;
pub(crate) use forget_question::render as render_forget_question;
pub(crate) use human::{painted_hint, painted_prompt, reply_mark, shown_json, shown_page};
pub(crate) use import::{ImportReport, ImportedReport, NoteTaken, render as render_import};
pub(crate) use memory_add::{Added, render as render_added};
pub(crate) use memory_forget::{
    ForgetEvent, ForgetList, Forgotten, Undone, render as render_forgotten,
    render_list as render_forget_list, render_outcome as render_forgotten_outcome, render_undone,
};
pub(crate) use memory_get::{Gotten, GottenMessage, render as render_gotten};
pub(crate) use memory_held::{
    INDENT as MEMORY_HELD_INDENT, MemoryHeld, render as render_memory_held,
};
pub(crate) use memory_index::{IndexReport, Unreadable, render as render_index_report};
pub(crate) use memory_search::{SearchReport, render as render_search, unreadable_warning};
pub(crate) use memory_status::{
    CutFile, INDENT as MEMORY_STATUS_INDENT, MemoryStatus, render as render_memory_status,
};
pub(crate) use progress::Progress;
pub(crate) use replay_event::{ReplayEvent, Said, render as render_replay_event};
pub(crate) use session_compact::{CompactReport, render as render_compact};
pub(crate) use session_delete::{DeleteReport, render as render_delete};
pub(crate) use session_expand::{ExpandReport, render as render_expand};
pub(crate) use session_export::{ExportPart, Ids, Page};
pub(crate) use session_fork::{ForkReport, render as render_fork};
pub(crate) use session_list::{
    SessionLine, SessionListing, counted, render as render_session_list,
};
pub(crate) use session_redact::{RedactReport, render as render_redact};
pub(crate) use session_repair::{RepairReport, render as render_repair};
pub(crate) use session_rewind::{RewindReport, render as render_rewind};
pub(crate) use session_show::{
    DayReport, MessageCounts, SessionEvent, SessionEventKind, SessionReport,
    render as render_session,
};
pub(crate) use session_verify::{
    Problem, Severity, VerifiedSession, VerifyReport, render as render_verified,
};
pub(crate) use status_line::{Work, render as render_status_line};
pub(crate) use streams::{Format, Output, Paint, Paints, Verbosity};
