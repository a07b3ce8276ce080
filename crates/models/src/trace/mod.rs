//! Traces: records requests and replies of models in a file, and replays them.
//!
//! Stores no secrets: every text is redacted before it is written.

mod differ;
mod format;
mod record;
mod replay;

pub use format::TraceError;
pub use record::RecordingModel;
pub use replay::ReplayingModel;
