//! Models behind the port: the offline engine that extracts.
//!
//! Holds no agent policy and never reads the environment.

mod offline;

pub use offline::OfflineEngine;
