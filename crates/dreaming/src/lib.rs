//! What deserves to last: when a dream is due, what it reads, what it proposes, what passes its gates.
//!
//! Never imports session, and never writes a file: it returns a plan that memory applies.

mod ban;
mod conversations;
mod settings;
mod slot;

mod trigger;

mod gather;
mod material;

mod extract;

mod ground;
mod merge;
mod score;
mod since;
mod stance;
mod wish;
mod words;

mod compared;
mod draft;
mod gate;
mod left_over;
mod settle;

mod report;

pub use compared::compared_lines;
pub use conversations::{ConversationError, Conversations, Said, SessionStat};
pub use extract::{Operation, OperationKind, consolidate_requests, parse_operations};
pub use gate::{DREAM_LINES_MAX, PENDING_MAX, Refusal, SESSION_LINES_MAX};
pub use gather::{
    GatherError, gather_logs, gather_said_since, gather_session, gather_still_said, unread_sessions,
};
pub use material::{Item, Material, Source};
pub use report::{DreamReport, Left, Proposed};
pub use settings::{Promotion, Schedule, ScheduleError, Settings, Trigger};
pub use settle::{Settling, settle};
pub use since::Change;
pub use slot::{Sentence, Turn, Value};
pub use trigger::{Due, LogSize, Moment, Skip, SkipReason, due};
