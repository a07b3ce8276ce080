//! The workspace as it was at a moment in the past, rebuilt in memory.
//!
//! Names what is not known to have been there, except lines added by hand to an old log, and never restores a forgotten text.

mod candidates;
mod curated;
mod gap;
mod logs;
mod pages;
mod rebuild;

pub use gap::PastGap;
pub use logs::PastFlushes;
pub use rebuild::{PastWorkspace, past_workspace};

#[cfg(test)]
mod tests;
