//! Models behind the port: the offline engine that extracts, and remote ones.
//!
//! Holds no agent policy and never reads the environment.

mod offline;

mod remote;

mod trace;

pub use offline::OfflineEngine;
pub use remote::{ApiKey, Connection, Dialect, Patience, RemoteModel, SetUpError, ask_window};
pub use trace::{RecordingModel, ReplayingModel, TraceError};
