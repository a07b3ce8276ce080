//! Operations on candidates for long-term memory, and on what dreams did.

mod candidate;
mod decide;
mod list;
mod log;
mod show;
mod undo;

pub use candidate::{CandidateReply, EvidenceReply, SignalReply};
pub use decide::{AlreadyDecided, Decide, DecisionReply, DreamDecision, NearLine};
pub use list::{CandidatesReply, ListCandidates};
pub use log::{DreamLog, DreamLogDetail, DreamLogEntry, DreamLogReply};
pub use show::ShowCandidate;
pub use undo::{UndoChange, UndoReply, left_by_last};
