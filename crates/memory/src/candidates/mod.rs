//! Candidates for long-term memory, the decisions about them, and how decisions take effect.
//!
//! Never judges a candidate: the owner and dreams do.

mod evidence;
mod model;

mod state;
mod wire;

mod archive;
mod change;
mod earlier_value;
mod error;
mod plan;
mod review;

mod desk;
mod forgetting;
mod kept;
mod pending;
mod place;
mod replaced;

#[cfg(test)]
pub(crate) mod kit;

pub use desk::{Access, MemoryTxn};
pub use error::{MemoryTxnError, ReviewError};
pub use forgetting::is_nothing_known;
pub(crate) use forgetting::{
    UnreadMaterial, drop_forgotten_candidates, forget_candidates, lift_over, redact_candidates,
    take_back_candidates, waiting_candidates,
};

pub use earlier_value::{CUT_VALUE, earlier_value};
pub use evidence::{Evidence, EvidenceRef};
pub(crate) use kept::is_kept_dreams;
pub use model::{Candidate, CandidateId, FoundIn, OlderValue, Proposal, Signal, Status};
pub use pending::check_records;
pub(crate) use pending::{dream_state, put_dream_state};
pub use place::EvidencePlaces;
pub(crate) use plan::without_stop;
pub use plan::{DreamPlan, DreamResult};
pub use replaced::{ReplacedValue, replaced_values, replaced_values_stat};
pub use review::Reviewed;
pub use state::{
    CORRECTED, DreamDetail, DreamLogLine, DreamState, Outcome, REMEMBERED, SizeMark, same_words,
};

pub use archive::MEMORY_CHARS_MAX;
