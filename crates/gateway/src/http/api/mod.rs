//! The API: memory, sessions, dreams and status as JSON, news as server-sent events.
//!
//! Holds no policy: does the same as the command line.

pub(crate) mod dreams;
pub(crate) mod events;
pub(crate) mod metrics;
pub(crate) mod sessions;
pub(crate) mod status;
