//! Traces: what models were asked and what they answered, in a file, and answers out of such a file.
//!
//! Keeps no secret: every text is redacted before it is written.

mod differ;
mod format;
mod record;
mod replay;

pub use format::TraceError;
pub use record::RecordingModel;
pub use replay::ReplayingModel;
